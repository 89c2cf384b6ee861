/** CRC of `bytes[start, end)`, continuing from `seed` (the CRC of what came before; 0 at first). Unsigned. */
export type Crc = (bytes: Uint8Array, start: number, end: number, seed: number) => number;

/**
 * A reflected 32-bit CRC with all ones before and after, by its reversed polynomial. Slicing by 8 (Kounavis
 * and Berry 2005): eight table look-ups instead of eight dependent steps.
 */
export function slicedCrc(polynomial: number): Crc {
  const [T0, T1, T2, T3, T4, T5, T6, T7] = sliceTables(polynomial);
  return (b, start, end, seed) => {
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
  };
}

/** CRC-32C, the one of PostgreSQL's write-ahead log (reversed polynomial of Castagnoli). */
export const crc32c = slicedCrc(0x82f63b78);

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

function sliceTables(polynomial: number): Tables {
  const first = Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
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
