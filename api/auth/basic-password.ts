/** RFC 7617 section 2: `user:password` in base64, the scheme in any case. */
const BASIC = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i;

/** What `Authorization: Basic ...` says; the password may have colons in it, the user's name may not. */
export function basicCredentials(
  header: string | undefined,
): { readonly username: string; readonly password: string } | undefined {
  const coded = BASIC.exec(header ?? "")?.[1];
  if (coded === undefined) return undefined;
  const text = Buffer.from(coded, "base64").toString();
  const colon = text.indexOf(":");
  if (colon < 0) return undefined;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** The password of `Authorization: Basic ...`. */
export function basicPassword(header: string | undefined): string | undefined {
  return basicCredentials(header)?.password;
}
