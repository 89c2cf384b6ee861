import { DomainError } from "../../domain/errors.ts";

/** Base64 with or without a type, which counts for nothing (RFC 2397). */
const DATA_URL = /^data:[^,]{0,200};base64,/i;

export const isDataUrl = (text: string): boolean => /^data:/i.test(text);

/**
 * The bytes of a `data:` URL.
 * @throws DomainError `IMAGE_REFUSED` when it is not a data: URL in base64, or longer than `maxBytes`.
 */
export function decodeDataUrl(text: string, maxBytes: number): Uint8Array {
  const head = DATA_URL.exec(text)?.[0];
  if (head === undefined) throw new DomainError("IMAGE_REFUSED", "is not a data: URL in base64");
  const coded = text.slice(head.length);
  if ((coded.length / 4) * 3 > maxBytes + 3) {
    throw new DomainError("IMAGE_REFUSED", `is larger than ${maxBytes / 1024 ** 2} MiB`);
  }
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(coded)) {
    throw new DomainError("IMAGE_REFUSED", "holds what is not base64");
  }
  return Buffer.from(coded, "base64");
}
