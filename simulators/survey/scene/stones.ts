import { latticeValue } from "../../randomness/noise.ts";
import type { GroundPaint } from "./ground-paint.ts";
import type { NodeFrame } from "./height-field.ts";

/** Rows of a texture in work: three numbers a texel, square roots of light. */
export interface BandPicture {
  readonly texels: Float32Array;
  readonly size: number;
  readonly firstRow: number;
  readonly rows: number;
}

export interface StoneInput {
  readonly frame: NodeFrame;
  readonly paint: GroundPaint;
  readonly sun: readonly [number, number, number];
  readonly seed: number;
  /** Only stones on material that was laid in this epoch (0 = always there). */
  readonly version: number;
}

/** Stones are drawn by cells of this edge, metres, so that each depends on its place only. */
const CELL_M = 0.5;
/** Radii, metres: many small, few large (a fifth power of a uniform number); by eye. */
const SMALLEST_M = 0.014;
const LARGEST_M = 0.13;

/** Draws the stones that touch a band: a lit and a dark side, and a shadow beside it. */
export function layStones(
  band: BandPicture,
  grid: { readonly extentM: number; readonly texelM: number },
  input: StoneInput,
): void {
  const { extentM, texelM } = grid;
  const { frame, paint, version } = input;
  const seed = input.seed + 104_729 * (version + 1);
  const cells = Math.ceil((2 * extentM) / CELL_M);
  const top = band.firstRow * texelM - 2 * LARGEST_M;
  const bottom = (band.firstRow + band.rows) * texelM + 2 * LARGEST_M;
  const lastRow = Math.min(cells - 1, Math.floor(bottom / CELL_M));
  for (let row = Math.max(0, Math.floor(top / CELL_M)); row <= lastRow; row += 1) {
    for (let column = 0; column < cells; column += 1) {
      const node =
        Math.min(frame.size - 1, Math.round(((row + 0.5) * CELL_M) / frame.cellM)) * frame.size +
        Math.min(frame.size - 1, Math.round(((column + 0.5) * CELL_M) / frame.cellM));
      const expected = (paint.stonesPerM2[node] ?? 0) * CELL_M * CELL_M;
      const draw = (k: number) => (latticeValue(column, row, seed + k) + 1) / 2;
      const count = Math.floor(expected + draw(0));
      for (let k = 0; k < count; k += 1) {
        const x = (column + draw(5 * k + 1)) * CELL_M;
        const y = (row + draw(5 * k + 2)) * CELL_M;
        const under =
          Math.min(frame.size - 1, Math.round(y / frame.cellM)) * frame.size +
          Math.min(frame.size - 1, Math.round(x / frame.cellM));
        if (paint.version[under] !== version) continue;
        const radiusM = SMALLEST_M + (LARGEST_M - SMALLEST_M) * draw(5 * k + 3) ** 5;
        if (radiusM < 0.6 * texelM) continue;
        // Square roots of light: 0.78 to 1.28 are reflectances of 0.6 to 1.6 times the ground's.
        const tone = 0.78 + 0.5 * draw(5 * k + 4);
        const warmth = 0.06 * (draw(5 * k + 5) - 0.5);
        layStone(band, texelM, { x, y, radiusM, tone, warmth }, input.sun);
      }
    }
  }
}

interface Stone {
  /** Metres from the north-west corner, x east, y south. */
  readonly x: number;
  readonly y: number;
  readonly radiusM: number;
  readonly tone: number;
  readonly warmth: number;
}

function layStone(
  { texels, size, firstRow, rows }: BandPicture,
  texelM: number,
  { x, y, radiusM, tone, warmth }: Stone,
  sun: readonly [number, number, number],
): void {
  const level = Math.hypot(sun[0], sun[1]);
  const [lightX, lightY] = [sun[0] / level, -sun[1] / level];
  const r = radiusM / texelM;
  const cx = x / texelM - 0.5;
  const cy = y / texelM - 0.5 - firstRow;
  const reach = r * 1.8 + 1;
  const lastRow = Math.min(rows - 1, Math.floor(cy + reach));
  const lastColumn = Math.min(size - 1, Math.floor(cx + reach));
  for (let row = Math.max(0, Math.ceil(cy - reach)); row <= lastRow; row += 1) {
    for (let column = Math.max(0, Math.ceil(cx - reach)); column <= lastColumn; column += 1) {
      const dx = column - cx;
      const dy = row - cy;
      const cover = clamp(r - Math.sqrt(dx * dx + dy * dy) + 0.5);
      const sx = dx + 0.7 * r * lightX;
      const sy = dy + 0.7 * r * lightY;
      const shadow = clamp(r - Math.sqrt(sx * sx + sy * sy) + 0.5) * (1 - cover);
      const side = tone * (1 + (0.22 * (dx * lightX + dy * lightY)) / Math.max(1, r));
      const k = (1 - 0.35 * shadow) * (1 + cover * (side - 1));
      const i = 3 * (row * size + column);
      texels[i] = (texels[i] ?? 0) * k * (1 + cover * warmth);
      texels[i + 1] = (texels[i + 1] ?? 0) * k;
      texels[i + 2] = (texels[i + 2] ?? 0) * k * (1 - cover * warmth);
    }
  }
}

function clamp(t: number): number {
  return t < 0 ? 0 : t > 1 ? 1 : t;
}
