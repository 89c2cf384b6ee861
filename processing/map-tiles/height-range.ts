import type { HeightRange } from "./draw-tile.ts";
import { type BlockFormat, readBlock } from "./read-block.ts";

export interface HeightRangeInput {
  /** The one block of the coarsest overview. */
  readonly bytes: Uint8Array;
  readonly format: BlockFormat;
}

/** Shares of the heights below and above which a colour no longer changes: single cells are outliers. */
const CLIPPED = 0.02;

/**
 * Heights of a whole survey, by its coarsest overview; `undefined`: it has none.
 * @throws DomainError `IMAGE_REFUSED` for a damaged block
 */
export function heightRange({ bytes, format }: HeightRangeInput): HeightRange | undefined {
  const heights = Float32Array.from(readBlock(bytes, format)).filter((z) => !Number.isNaN(z));
  heights.sort();
  const at = (share: number): number | undefined =>
    heights[Math.round(share * (heights.length - 1))];
  const [lowM, highM, lowestM] = [at(CLIPPED), at(1 - CLIPPED), heights[0]];
  if (lowM === undefined || highM === undefined || lowestM === undefined) return undefined;
  return { lowM, highM, lowestM };
}
