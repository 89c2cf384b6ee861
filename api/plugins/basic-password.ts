/** RFC 7617 section 2: `user:password` in base64, the scheme in any case. */
const BASIC = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i;

/** The password of `Authorization: Basic ...`; it may have colons in it, the user's name may not. */
export function basicPassword(header: string | undefined): string | undefined {
  const coded = BASIC.exec(header ?? "")?.[1];
  if (coded === undefined) return undefined;
  const text = Buffer.from(coded, "base64").toString();
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : text.slice(colon + 1);
}
