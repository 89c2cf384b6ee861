/** A message as a person can paste it. */
export interface Payload {
  readonly encoding: "text" | "base64";
  readonly text: string;
}

/** The bytes of a message as text where they are UTF-8 that one can read, else as they came, in Base64. */
export function readablePayload(base64: string): Payload {
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return isReadable(text) ? { encoding: "text", text } : { encoding: "base64", text: base64 };
  } catch {
    return { encoding: "base64", text: base64 };
  }
}

/** No control characters but tab, line feed and carriage return. */
function isReadable(text: string): boolean {
  return [...text].every((char) => char >= " " || "\t\n\r".includes(char));
}
