import { crc32 as nativeCrc32 } from "node:zlib";

/** Reversed polynomial of CRC-32/ISO-HDLC, the one of zlib and gzip (RFC 1952 section 8). */
const POLYNOMIAL = 0xedb88320;

/**
 * Below this many bytes the table is faster than the native call and the view it needs: 147 ns
 * against 252 ns at 117 bytes, equal at 300, 4,205 ns against 1,074 ns at 4,000 (2.7 GHz Xeon).
 */
const NATIVE_FROM_BYTES = 256;

/** zlib got `crc32` in Node 20.15 and 22.2; without it the table does everything. */
const native: typeof nativeCrc32 | undefined =
  typeof nativeCrc32 === "function" ? nativeCrc32 : undefined;

const tables = sliceTables();
const [T0, T1, T2, T3, T4, T5, T6, T7] = tables;

/**
 * CRC-32 of `bytes[start, end)`, continuing from `seed` (the crc of what came before; 0 at first).
 * Unsigned 32 bits.
 */
export function crc32(bytes: Uint8Array, start: number, end: number, seed: number): number {
  return native !== undefined && end - start >= NATIVE_FROM_BYTES
    ? native(bytes.subarray(start, end), seed)
    : crc32ByTable(bytes, start, end, seed);
}

/** Slicing by 8 (Kounavis and Berry 2005): eight table look-ups instead of eight dependent steps. */
export function crc32ByTable(b: Uint8Array, start: number, end: number, seed: number): number {
  let crc = ~seed;
  let i = start;
  for (; i + 8 <= end; i += 8) {
    crc ^= at(b, i) | (at(b, i + 1) << 8) | (at(b, i + 2) << 16) | (at(b, i + 3) << 24);
    crc =
      at(T7, crc & 255) ^
      at(T6, (crc >>> 8) & 255) ^
      at(T5, (crc >>> 16) & 255) ^
      at(T4, crc >>> 24) ^
      at(T3, at(b, i + 4)) ^
      at(T2, at(b, i + 5)) ^
      at(T1, at(b, i + 6)) ^
      at(T0, at(b, i + 7));
  }
  for (; i < end; i++) crc = at(T0, (crc ^ at(b, i)) & 255) ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** The index is in range by construction; the compiler cannot know. */
function at(array: Uint8Array | Uint32Array, index: number): number {
  return array[index] as number;
}

type Tables = readonly [
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
];

function sliceTables(): Tables {
  const first = Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    return crc;
  });
  const next = (table: Uint32Array) => table.map((crc) => (crc >>> 8) ^ at(first, crc & 255));
  const second = next(first);
  const third = next(second);
  const fourth = next(third);
  const fifth = next(fourth);
  const sixth = next(fifth);
  const seventh = next(sixth);
  return [first, second, third, fourth, fifth, sixth, seventh, next(seventh)];
}
