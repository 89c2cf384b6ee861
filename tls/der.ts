/** One element of DER (X.690): where its contents lie in the bytes that it was read from. */
export interface DerElement {
  readonly tag: number;
  /** First byte of the header. */
  readonly at: number;
  /** First byte of the contents. */
  readonly start: number;
  /** Behind the last byte of the contents. */
  readonly end: number;
}

/** Tags used by RFC 5280, as whole identifier octets. */
export const TAG = {
  integer: 0x02,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  /** `[0] EXPLICIT`: the version of a certificate. */
  context0: 0xa0,
} as const;

/**
 * Reads the element that begins at `at` and has to end at `limit` or before.
 * @throws Error when there is none: cut short, a length of more than four bytes, or indefinite.
 */
export function readElement(bytes: Uint8Array, at: number, limit = bytes.length): DerElement {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined || at + 2 > limit) throw new Error("DER ends early");
  let start = at + 2;
  let length = first;
  if (first >= 0x80) {
    const octets = first - 0x80;
    if (octets === 0 || octets > 4) throw new Error("DER length is not supported");
    length = 0;
    for (let i = 0; i < octets; i += 1) length = length * 256 + (bytes[start + i] ?? 0);
    start += octets;
  }
  const end = start + length;
  if (end > limit) throw new Error("DER ends early");
  return { tag, at, start, end };
}

/** The elements inside a constructed one, in order. @throws Error as {@link readElement}. */
export function* elementsOf(bytes: Uint8Array, parent: DerElement): Generator<DerElement> {
  for (let at = parent.start; at < parent.end; ) {
    const element = readElement(bytes, at, parent.end);
    yield element;
    at = element.end;
  }
}

/** The contents as lower-case hexadecimal digits. */
export const hexOf = (bytes: Uint8Array, { start, end }: DerElement): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("hex");

/** UTCTime or GeneralizedTime in ms since the Unix epoch, RFC 5280 section 4.1.2.5; `undefined`: neither. */
export function timeOf(bytes: Uint8Array, { tag, start, end }: DerElement): number | undefined {
  if (tag !== TAG.utcTime && tag !== TAG.generalizedTime) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("latin1");
  const parts = /^(\d{2}|\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/.exec(text);
  if (parts === null) throw new Error("DER time is not in UTC");
  const [year = 0, month = 0, day, hour, minute, second] = parts.slice(1).map(Number);
  const century = tag === TAG.generalizedTime ? 0 : year < 50 ? 2000 : 1900;
  return Date.UTC(century + year, month - 1, day, hour, minute, second);
}
