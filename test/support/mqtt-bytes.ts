/** MQTT control packets written byte by byte, also those that no library would write. */

/** A field with its length in front. */
export function field(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** A packet identifier, or another number of two bytes. */
export function u16(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff);
}

/** A packet of this first byte, with the length of its body. */
export function packet(firstByte: number, ...body: readonly (Uint8Array | number)[]): Buffer {
  const bytes = Buffer.concat(
    body.map((part) => (typeof part === "number" ? Buffer.of(part) : part)),
  );
  const length: number[] = [];
  let rest = bytes.length;
  do {
    length.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>= 7;
  } while (rest > 0);
  return Buffer.concat([Buffer.of(firstByte, ...length), bytes]);
}

export interface ConnectParts {
  readonly firstByte?: number;
  readonly name?: string | Uint8Array;
  readonly level?: number;
  readonly flags?: number;
  readonly keepAliveS?: number;
  /** Everything behind the variable header. */
  readonly payload?: readonly Uint8Array[];
}

/** Connect flags of a clean session with user name and password; bit 2 is the will's. */
export const CLEAN_WITH_LOGIN = 0xc2;

/** A CONNECT of asset a1 with its secret, but for the parts given. */
export function connect(parts: ConnectParts = {}): Buffer {
  const { firstByte = 0x10, name = "MQTT", level = 4, flags = CLEAN_WITH_LOGIN } = parts;
  const { keepAliveS = 60, payload = [field("c1"), field("a1"), field("a1-secret")] } = parts;
  return packet(firstByte, field(name), level, flags, u16(keepAliveS), ...payload);
}
