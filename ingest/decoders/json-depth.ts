const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether arrays and objects lie deeper in each other than `limit`, without parsing: 256 KiB of
 * brackets cost `JSON.parse` 20 ms, and this 1 ms. Bytes that are no JSON get some answer, because the
 * parser refuses them anyway.
 */
export function isDeeperThan(json: Uint8Array, limit: number): boolean {
  let depth = 0;
  let isInText = false;
  for (let i = 0; i < json.length; i += 1) {
    const byte = json[i] ?? 0;
    if (isInText) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) {
      isInText = true;
    } else if ((byte | 0x20) === 0x7b) {
      // 0x5b [ and 0x7b { differ in one bit, as do 0x5d ] and 0x7d }.
      depth += 1;
      if (depth > limit) return true;
    } else if ((byte | 0x20) === 0x7d) {
      depth -= 1;
    }
  }
  return false;
}
