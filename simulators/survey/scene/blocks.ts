import { type NodeFrame, sharedFloats } from "./height-field.ts";

/**
 * Cells along the edge of a block; 16 makes the blocks 1.6 m wide at 10 cm. By time: larger blocks skip less air,
 * smaller ones take more steps.
 */
export const BLOCK_CELLS = 16;

/** Bounds of heights by block of {@link BLOCK_CELLS} cells, so that rays skip air. */
export interface HeightBlocks {
  /** Blocks along each edge. */
  readonly size: number;
  /** Highest node of the block, its border included. */
  readonly topM: Float32Array;
  /** Steepest slope of the bilinear surface in the block. */
  readonly slope: Float32Array;
}

/** Bounds the heights of a grid. */
export function createBlocks(frame: NodeFrame, heights: Float32Array): HeightBlocks {
  const cells = frame.size - 1;
  const size = Math.ceil(cells / BLOCK_CELLS);
  const topM = sharedFloats(size * size).fill(Number.NEGATIVE_INFINITY);
  const slope = sharedFloats(size * size);
  for (let row = 0; row < cells; row += 1) {
    for (let column = 0; column < cells; column += 1) {
      const i = row * frame.size + column;
      const [nw, ne, sw, se] = [
        heights[i] ?? 0,
        heights[i + 1] ?? 0,
        heights[i + frame.size] ?? 0,
        heights[i + frame.size + 1] ?? 0,
      ];
      // On a bilinear patch each partial derivative is largest at an edge.
      const east = Math.max(Math.abs(ne - nw), Math.abs(se - sw));
      const south = Math.max(Math.abs(sw - nw), Math.abs(se - ne));
      const block = Math.floor(row / BLOCK_CELLS) * size + Math.floor(column / BLOCK_CELLS);
      topM[block] = Math.max(topM[block] ?? 0, nw, ne, sw, se);
      slope[block] = Math.max(
        slope[block] ?? 0,
        Math.sqrt(east * east + south * south) / frame.cellM,
      );
    }
  }
  return { size, topM, slope };
}

/** For each block the highest of itself and its eight neighbours. */
export function widenedTops({ size, topM }: HeightBlocks): Float32Array {
  const widened = sharedFloats(size * size);
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      let top = Number.NEGATIVE_INFINITY;
      for (let r = Math.max(0, row - 1); r <= Math.min(size - 1, row + 1); r += 1) {
        for (let c = Math.max(0, column - 1); c <= Math.min(size - 1, column + 1); c += 1) {
          top = Math.max(top, topM[r * size + c] ?? 0);
        }
      }
      widened[row * size + column] = top;
    }
  }
  return widened;
}
