import type { ElevationGrid, GridFrame } from "../grid/elevation-grid.ts";

/** Bytes of a height, before the whole is deflated. */
export const HEIGHT_BYTES = 4;
/** Correlations are kept to the percent: they weigh the noise of an interval, no volume. */
const STEPS_PER_SCORE = 100;
const NO_SCORE = -128;
/** Height, correlation and views; each kind in rows of its own. */
const CELL_BYTES = HEIGHT_BYTES + 2;

/** Bytes of the cells of a surface. */
export const packedBytes = ({ width, height }: GridFrame): number => width * height * CELL_BYTES;

/**
 * Writes heights, exactly: the bits of each less those of the one before, their four bytes in rows of their own, which
 * deflate to two thirds.
 */
export function packHeights(elevationM: Float32Array, body: Buffer, at: number): void {
  const cells = elevationM.length;
  const bits = new Uint32Array(elevationM.buffer, elevationM.byteOffset, cells);
  let before = 0;
  for (let i = 0; i < cells; i += 1) {
    const now = bits[i] ?? 0;
    const less = (now - before) | 0;
    before = now;
    for (let byte = 0; byte < HEIGHT_BYTES; byte += 1) {
      body[at + byte * cells + i] = (less >>> (8 * byte)) & 0xff;
    }
  }
}

/** The heights of so many cells, metres; NaN where there is none. */
export function unpackHeights(body: Buffer, at: number, cells: number): Float32Array {
  const bits = new Uint32Array(cells);
  let before = 0;
  for (let i = 0; i < cells; i += 1) {
    let less = 0;
    for (let byte = 0; byte < HEIGHT_BYTES; byte += 1) {
      less |= (body[at + byte * cells + i] ?? 0) << (8 * byte);
    }
    before = (before + less) | 0;
    bits[i] = before;
  }
  return new Float32Array(bits.buffer);
}

/** Writes the cells of a surface. */
export function packCells({ elevationM, score, views }: ElevationGrid, body: Buffer): void {
  const cells = elevationM.length;
  packHeights(elevationM, body, 0);
  for (let i = 0; i < cells; i += 1) {
    const s = score[i] ?? Number.NaN;
    const steps = Number.isNaN(s) ? NO_SCORE : Math.round(s * STEPS_PER_SCORE);
    body.writeInt8(steps, cells * HEIGHT_BYTES + i);
  }
  body.set(views, cells * (HEIGHT_BYTES + 1));
}

/** The surface of {@link packCells}. */
export function unpackCells(frame: GridFrame, body: Buffer): ElevationGrid {
  const cells = frame.width * frame.height;
  const score = new Float32Array(cells).fill(Number.NaN);
  for (let i = 0; i < cells; i += 1) {
    const s = body.readInt8(cells * HEIGHT_BYTES + i);
    if (s !== NO_SCORE) score[i] = s / STEPS_PER_SCORE;
  }
  const views = Uint8Array.from(body.subarray(cells * (HEIGHT_BYTES + 1), cells * CELL_BYTES));
  return { ...frame, elevationM: unpackHeights(body, 0, cells), score, views };
}
