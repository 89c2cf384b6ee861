/** Bytes of a page of a table or index. */
export const PAGE_BYTES = 8_192;
const SUMS = 32;
const ROWS = PAGE_BYTES / 4 / SUMS;
const FNV_PRIME = 16_777_619;
const CHECKSUM_AT = 8;
const UPPER_AT = 14;
/** `checksumBaseOffsets` of PostgreSQL's `checksum_impl.h`. */
const BASE_OFFSETS = Uint32Array.of(
  0x5b1f36e9,
  0xb8525960,
  0x02ab50aa,
  0x1de66d2a,
  0x79ff467a,
  0x9bb9f8a3,
  0x217e7cd2,
  0x83e13d2c,
  0xf8d4474f,
  0xe39eb970,
  0x42c6ae16,
  0x993216fa,
  0x7b093b5d,
  0x98daff3c,
  0xf718902a,
  0x0b1c9cdb,
  0xe58f764b,
  0x187636bc,
  0x5d7b3bb1,
  0xe73de7de,
  0x92bec979,
  0xcca6c0b2,
  0x304a0979,
  0x85aa43d4,
  0x783125bb,
  0x6ca8eaa2,
  0xe407eac6,
  0x4b5cfc3e,
  0x9fbf8c76,
  0x15ca20be,
  0xf2ca9fd3,
  0x959bd756,
);

const UNUSED = Buffer.alloc(PAGE_BYTES);

/** Whether every byte of a page is zero, as of one that was made and never used. */
export function isUnusedPage(page: Buffer): boolean {
  return page.equals(UNUSED);
}

/** Whether a page of a file has the checksum that PostgreSQL wrote; `block` counts from 0 over a table. */
export function hasPageChecksum(page: Buffer, block: number): boolean {
  // A page without content has none.
  if (page.readUInt16LE(UPPER_AT) === 0) return isUnusedPage(page);
  return page.readUInt16LE(CHECKSUM_AT) === pageChecksum(page, block);
}

/** `pg_checksum_page`: 32 sums of FNV-1a side by side, folded into 16 bits that are never 0. */
function pageChecksum(page: Buffer, block: number): number {
  const sums = Uint32Array.from(BASE_OFFSETS);
  for (let row = 0; row < ROWS; row++) {
    for (let i = 0; i < SUMS; i++) {
      const at = (row * SUMS + i) * 4;
      // The checksum itself counts as 0.
      const word = at === CHECKSUM_AT ? page.readUInt16LE(at + 2) * 65_536 : page.readUInt32LE(at);
      mix(sums, i, word);
    }
  }
  for (let round = 0; round < 2; round++) for (let i = 0; i < SUMS; i++) mix(sums, i, 0);
  let folded = 0;
  for (const sum of sums) folded ^= sum;
  return (((folded ^ block) >>> 0) % 65_535) + 1;
}

function mix(sums: Uint32Array, i: number, word: number): void {
  const mixed = (sums[i] as number) ^ word;
  sums[i] = Math.imul(mixed, FNV_PRIME) ^ (mixed >>> 17);
}
