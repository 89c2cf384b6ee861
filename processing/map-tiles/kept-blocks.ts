import { type BlockFormat, type BlockValues, readBlock } from "./read-block.ts";
import type { ReadBlock } from "./sample-window.ts";

/** A block of a raster as it is stored. */
export interface StoredBlock {
  readonly column: number;
  readonly row: number;
  /** Names its content: blocks of one name are read once. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Read blocks that a thread keeps, bytes: those of some ten tiles around one place. More takes more memory, less
 * reads a block again for each of the tiles that it is part of.
 */
const KEPT_BYTES = 24 * 1024 ** 2;
const kept = new Map<string, BlockValues>();
let keptBytes = 0;

/** Unpacks blocks; those that this thread has unpacked lately are taken as they are. @throws DomainError `IMAGE_REFUSED` for a damaged one */
export const readBlocks = (blocks: readonly StoredBlock[], format: BlockFormat): ReadBlock[] =>
  blocks.map(({ column, row, name, bytes }) => ({
    ...{ column, row },
    values: readOnce(name, bytes, format),
  }));

function readOnce(name: string, bytes: Uint8Array, format: BlockFormat): BlockValues {
  const known = kept.get(name);
  if (known !== undefined) {
    // The last one used is the last one to go.
    kept.delete(name);
    kept.set(name, known);
    return known;
  }
  const values = readBlock(bytes, format);
  kept.set(name, values);
  keptBytes += values.byteLength;
  for (const [oldest, { byteLength }] of kept) {
    if (keptBytes <= KEPT_BYTES) break;
    kept.delete(oldest);
    keptBytes -= byteLength;
  }
  return values;
}
