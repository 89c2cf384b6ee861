/** First byte of a byte order mark, whose text is one character. */
const BOM = 0xef;
const BOM_CHARACTER = "\uFEFF";

/** The text of a payload, without the zeros that firmware in C sends behind it and the mark that Windows puts before it. */
export function payloadText({ buffer, byteOffset, byteLength }: Uint8Array): string {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  let { length } = bytes;
  while (length > 0 && bytes[length - 1] === 0) length -= 1;
  const text = bytes.toString("utf8", 0, length);
  return bytes[0] === BOM && text.startsWith(BOM_CHARACTER) ? text.slice(1) : text;
}
