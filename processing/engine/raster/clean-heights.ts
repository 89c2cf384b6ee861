import { SURFACE_HEIGHT_M } from "../../../domain/geometry/surface-height.ts";
import type { GateFinding } from "../../gates/gates.ts";
import { upperMedian } from "../../numeric/median.ts";
import { rounded } from "../../numeric/rounding.ts";
import { fillRegions } from "./fill-regions.ts";
import type { HeightScale } from "./height-scale.ts";
import { heightStep } from "./height-step.ts";
import { refusedRaster } from "./refused-raster.ts";

/** Heights of a raster: row-major, north or south first, metres; NaN = no data. */
export interface HeightBand {
  readonly heights: Float32Array;
  readonly columns: number;
  readonly rows: number;
  /** Edge of a cell on the ground, metres. */
  readonly cellM: number;
}

/**
 * Values that programs fill with where there is nothing and often do not declare, before scale and offset.
 * Others lie outside of `SURFACE_HEIGHT_M`.
 */
const FILLS: ReadonlySet<number> = new Set([
  -32_768, -32_767, -9_999, -999, -100, -99, -10, -1, 0, 255, 999, 9_999, 32_767, 65_535,
]);
/** Cells with such a value, at least. A lower number would take single cells of real ground for a fill. */
const LEAST_FILLED = 16;
/**
 * Metres between a fill and every real height that identify it by themselves. Ground at sea level has heights
 * just above 0: with a smaller gap the rims of regions decide (`fillRegions`).
 */
const FILL_GAP_M = 5;
/** A cell that differs so much from all cells around it is a false match or a bird, metres. */
const SPIKE_M = 10;
/** Heights lie within so many metres of the median, plus half of the raster's diagonal: 45 degrees. */
const RELIEF_M = 300;
/** Distance over which the surface is compared with itself, metres. Noise of matching is 0.1 m at most. */
const STEP_M = 0.5;
/** Median rise over run at that distance, beyond which the band is a picture: half of it above 63 degrees. */
const PICTURE_SLOPE = 2;
/** Pairs of cells that are compared at most. */
const SAMPLES = 20_000;

/**
 * Removes from a band what is not a height, in place: fills that the file does not declare, heights that are
 * not of this earth or far from all others, and spikes.
 * @param scale how values of the file became these heights
 * @returns a warning for each of these that was there
 * @throws DomainError `IMAGE_REFUSED` when nothing is left, and for a band whose values change from cell
 * to cell like a picture's
 */
export function cleanHeights(
  band: HeightBand,
  { scale, offset }: Pick<HeightScale, "scale" | "offset">,
): readonly GateFinding[] {
  const { heights } = band;
  const raw = (heightM: number) => (heightM - offset) / scale;
  const before = known(heights);
  if (before === 0) throw refusedRaster("holds no heights at all");
  const warnings: GateFinding[] = [];
  const share = (cells: number) => rounded((100 * cells) / before, 2);

  const beyond = maskWhere(band, isBeyond);
  const apart = beyond.value === undefined ? maskFill(band, raw) : beyond;
  const stepM = apart.value === undefined ? heightStep(heights, raw) * Math.abs(scale) : 0;
  const near = apart.value === undefined ? maskRegions(band, raw, stepM) : undefined;
  const filled = near ?? apart;
  if (filled.cells > 0 && filled.value !== undefined) {
    const value = rounded(raw(filled.value), 3);
    warnings.push(
      warning(
        "SURFACE_NO_DATA",
        share(filled.cells),
        `% of the raster's cells hold values such as ${value}, which the file does not declare as no-data`,
        "They were left out. Declare the value in the file (gdal_edit.py -a_nodata), so that nobody takes it for a height.",
      ),
    );
  }
  if (near !== undefined && near.doubted > 0 && near.doubtedValue !== undefined) {
    warnings.push(
      warning(
        "SURFACE_NO_DATA",
        share(near.doubted),
        `% of the raster's cells hold exactly ${rounded(raw(near.doubtedValue), 3)}, and end abruptly where the ground begins`,
        "They were taken for heights, as a floor or water has them. If nothing is known there, declare the value in the file (gdal_edit.py -a_nodata).",
      ),
    );
  }
  const odd = maskFarOff(band) + maskSpikes(band);
  if (odd > 0) {
    warnings.push(
      warning(
        "SURFACE_HEIGHTS",
        share(odd),
        "% of the raster's heights are far off all others around them",
        "They were left out. Look at the raster for spikes, wrong tiles and a mixed-up unit.",
      ),
    );
  }
  if (known(heights) === 0) throw refusedRaster("holds no heights at all");
  const slope = medianSlope(band);
  if (slope > PICTURE_SLOPE) {
    throw refusedRaster(
      `is not a surface: half of it rises or falls by more than ${rounded(slope, 1)} m a metre, as the values ` +
        "of a picture do; give the elevation model (DSM)",
    );
  }
  return warnings;
}

/** Whether a height, metres, is outside the heights of land on earth. */
export function isBeyond(heightM: number): boolean {
  return heightM < SURFACE_HEIGHT_M.min || heightM > SURFACE_HEIGHT_M.max;
}

const known = (heights: Float32Array): number =>
  heights.reduce((sum, z) => sum + (Number.isNaN(z) ? 0 : 1), 0);

interface Masked {
  readonly cells: number;
  /** One of the values, the most frequent of the first few. */
  readonly value: number | undefined;
}

/** Masks regions of a usual fill that is near real heights, and counts the cells of those that may be one. */
function maskRegions(
  band: HeightBand,
  raw: (heightM: number) => number,
  stepM: number,
): Masked & { readonly doubted: number; readonly doubtedValue: number | undefined } {
  const isFill = (z: number) => FILLS.has(rounded(raw(z), 3) + 0);
  const { filled, ...doubts } = fillRegions(band, isFill, stepM);
  const masked = filled.map((cells) => maskCells(band, cells));
  const cells = masked.reduce((sum, one) => sum + one.cells, 0);
  return { cells, value: masked[0]?.value, ...doubts };
}

/** Masks cells and, because resampling mixes them into their neighbours, the cells beside them. */
function maskWhere(band: HeightBand, isWrong: (z: number) => boolean): Masked {
  const wrong: number[] = [];
  for (const [cell, z] of band.heights.entries()) if (isWrong(z)) wrong.push(cell);
  return maskCells(band, wrong);
}

function maskCells(band: HeightBand, wrong: readonly number[] | Int32Array): Masked {
  const { heights } = band;
  const [first] = wrong;
  if (first === undefined) return { cells: 0, value: undefined };
  const value = mostFrequent(Array.from(wrong.slice(0, SAMPLES), (cell) => heights[cell] ?? 0));
  for (const cell of wrong) heights[cell] = Number.NaN;
  let cells = wrong.length;
  for (const cell of wrong) {
    for (const beside of around(cell, band)) {
      if (Number.isNaN(heights[beside])) continue;
      heights[beside] = Number.NaN;
      cells += 1;
    }
  }
  return { cells, value };
}

/** Masks the lowest or the highest value where it is a usual fill and far from all others. */
function maskFill(band: HeightBand, raw: (heightM: number) => number): Masked {
  const { heights } = band;
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const z of heights) {
    if (z < lowest) lowest = z;
    if (z > highest) highest = z;
  }
  for (const fill of [lowest, highest]) {
    if (!FILLS.has(rounded(raw(fill), 3) + 0)) continue;
    let cells = 0;
    let gapM = Number.POSITIVE_INFINITY;
    for (const z of heights) {
      if (z === fill) cells += 1;
      else if (!Number.isNaN(z)) gapM = Math.min(gapM, Math.abs(z - fill));
    }
    const isFill = cells >= LEAST_FILLED && gapM >= FILL_GAP_M && Number.isFinite(gapM);
    if (isFill) return maskWhere(band, (z) => z === fill);
  }
  return { cells: 0, value: undefined };
}

function maskFarOff(band: HeightBand): number {
  const { heights, columns, rows, cellM } = band;
  const middle = sampledMedian(heights);
  const mostM = RELIEF_M + (Math.hypot(columns, rows) * cellM) / 2;
  let cells = 0;
  for (const [cell, z] of heights.entries()) {
    if (!(Math.abs(z - middle) > mostM)) continue;
    heights[cell] = Number.NaN;
    cells += 1;
  }
  return cells;
}

function maskSpikes(band: HeightBand): number {
  const { heights, cellM } = band;
  const leastM = Math.max(SPIKE_M, 10 * cellM);
  const spikes: number[] = [];
  for (const [cell, z] of heights.entries()) {
    // Nearly every cell ends here: the next one is as high.
    if (!(Math.abs((heights[cell + 1] ?? Number.NaN) - z) > leastM)) continue;
    let neighbours = 0;
    let isSpike = true;
    for (const beside of around(cell, band)) {
      const other = heights[beside] ?? Number.NaN;
      if (Number.isNaN(other)) continue;
      neighbours += 1;
      if (Math.abs(other - z) <= leastM) {
        isSpike = false;
        break;
      }
    }
    if (isSpike && neighbours >= 3) spikes.push(cell);
  }
  for (const cell of spikes) heights[cell] = Number.NaN;
  return spikes.length;
}

/** Median of rise over run at {@link STEP_M}, without sign; 0 where there is nothing to compare. */
function medianSlope({ heights, columns, rows, cellM }: HeightBand): number {
  const lag = Math.max(1, Math.round(STEP_M / cellM));
  const stride = Math.max(1, Math.floor((columns * rows) / SAMPLES));
  const slopes: number[] = [];
  for (let cell = 0; cell < heights.length; cell += stride) {
    if ((cell % columns) + lag >= columns) continue;
    const step = Math.abs((heights[cell + lag] ?? Number.NaN) - (heights[cell] ?? Number.NaN));
    if (!Number.isNaN(step)) slopes.push(step / (lag * cellM));
  }
  return upperMedian(slopes) ?? 0;
}

/** Median of every n-th height, metres; of all of them where those hold none; NaN where nothing does. */
export function sampledMedian(heights: Float32Array): number {
  const step = Math.max(1, Math.floor(heights.length / 10_000));
  const some: number[] = [];
  for (let i = 0; i < heights.length; i += step) {
    const height = heights[i] ?? Number.NaN;
    if (!Number.isNaN(height)) some.push(height);
  }
  const known = some.length > 0 ? some : Array.from(heights).filter((z) => !Number.isNaN(z));
  return upperMedian(known) ?? Number.NaN;
}

function* around(cell: number, { columns, rows }: HeightBand): Generator<number> {
  const [column, row] = [cell % columns, Math.floor(cell / columns)];
  for (let down = -1; down <= 1; down += 1) {
    for (let right = -1; right <= 1; right += 1) {
      const [r, c] = [row + down, column + right];
      if ((down !== 0 || right !== 0) && r >= 0 && c >= 0 && r < rows && c < columns) {
        yield r * columns + c;
      }
    }
  }
}

function mostFrequent(values: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let [best, most]: [number | undefined, number] = [undefined, 0];
  for (const [value, count] of counts) if (count > most) [best, most] = [value, count];
  return best;
}

function warning(
  gate: "SURFACE_NO_DATA" | "SURFACE_HEIGHTS",
  value: number,
  unit: string,
  advice: string,
): GateFinding {
  return { gate, severity: "warn", value, threshold: 0, unit, advice, images: [] };
}
