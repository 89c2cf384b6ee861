import type { ElevationGrid } from "../grid/elevation-grid.ts";
import { type PlanPolygon, polygonWeights } from "../grid/polygon-weights.ts";
import { floorRank } from "../numeric/quantile.ts";

/**
 * Height error of one cell at a correlation of 0, in ground sample distances; it falls with the root of
 * 1 less the correlation. Rings around 105 piles in simulated surveys of 480 to 1,200 px (correlation 0.98)
 * spread by 0.15 to 0.27 sample distances: 1.8 gives 0.25; at 0.5 it gives 1.3, at 0.3 1.5.
 */
const NOISE_GSD = 1.8;
/** Edge of the square of cells that share their noise, cells: the window that is matched (7 x 7). */
const SHARED_CELLS = 7;
/**
 * Mean height error that a whole pile shares, in ground sample distances: what windows round off at toes
 * and crests. Without it the errors of the same 105 piles, scale taken off, were 1.0 to 1.1 of what was
 * stated, 1 in 20 beyond 3; with it 0.4 to 0.8, and 1 in 105 beyond 1.96. Small heaps are nearly all toe and
 * crest (5 m in radius at 8.5 cm: 0.26 rms), but 0.2 made the intervals of the others 2.8 of their rms error.
 */
const SHARED_GSD = 0.15;
/**
 * The same where the change with resolution gives the rounding: what is left of it, in ground sample distances,
 * and the share of that change that is one standard deviation once the rounding has been added (rounded-off.ts;
 * docs/decisions/055). Without the addition a tenth was needed.
 */
const SHARED_BESIDE_GSD = 0.05;
const CHANGE_SHARE = 1 / 20;

/**
 * The same in standard deviations of a cell's noise, where it is estimated from the surface alone: 0.15
 * sample distances beside the 0.25 that cells of the simulated surveys are off by.
 */
const SHARED_NOISE = SHARED_GSD / 0.25;
/**
 * Cells between heights that are compared: noise that a filter has smoothed shows at its width. No farther
 * than so many metres, where bends of a heap outweigh it; neighbours always.
 */
const LAGS = [1, 2, 4, SHARED_CELLS] as const;
const FARTHEST_M = 0.5;
/**
 * Quarter of normal errors without sign, in standard deviations. Toes and crests spoil up to a third of
 * the differences of a small heap, and with it their median.
 */
const QUARTILE = 0.3186;
/** Fewer differences do not determine the noise. */
const MIN_DIFFERENCES = 24;
/** Cells of the surface that give the noise of a footprint with too few: enough for 1 %, of any number. */
const MOST_CELLS_AROUND = 50_000;

/**
 * What errors of matching leave of a volume, cubic metres, one standard deviation: noise of cells, which
 * averages out over a footprint but for the windows that cells share, and rounding, which does not.
 * @param about gsdM: ground sample distance of the images; `undefined`: the surface does not say how well its
 *   views agree, and its noise is estimated from its heights. resolutionM3: what the volume changes by at
 *   half the resolution (`resolutionChange`); `undefined`: not known
 */
export function heightNoise(
  surface: ElevationGrid,
  polygon: PlanPolygon,
  {
    gsdM,
    areaM2,
    resolutionM3,
  }: {
    readonly gsdM: number | undefined;
    readonly areaM2: number;
    readonly resolutionM3?: number | undefined;
  },
): number {
  const sharedGsd = resolutionM3 === undefined ? SHARED_GSD : SHARED_BESIDE_GSD;
  const [cellM, sharedM] =
    gsdM === undefined
      ? [1, SHARED_NOISE].map((share) => share * roughnessM(surface, polygon))
      : [NOISE_GSD * Math.sqrt(1 - meanScore(surface, polygon)) * gsdM, sharedGsd * gsdM];
  const random = Math.sqrt(areaM2) * SHARED_CELLS * surface.cellM * (cellM ?? 0);
  return Math.hypot(random, areaM2 * (sharedM ?? 0), CHANGE_SHARE * (resolutionM3 ?? 0));
}

/**
 * Noise of one cell by its neighbours in a row and in a column, metres, one standard deviation: the spread of
 * third differences (1, -3, 3, -1; over the root of 20), which are 0 on slopes and even bends; at the lag
 * where it is largest. Stones count as noise. Of a footprint with too few cells, by all of the surface.
 */
function roughnessM(surface: ElevationGrid, polygon: PlanPolygon): number {
  return (
    largestSpreadM(surface, Int32Array.from(cellsInside(surface, polygon))) ??
    largestSpreadM(surface, spreadOver(surface.elevationM.length, MOST_CELLS_AROUND)) ??
    0
  );
}

/** So many of the cells 0 to `count` - 1, evenly; all of fewer. */
function spreadOver(count: number, most: number): Int32Array {
  const step = Math.max(1, count / most);
  return Int32Array.from({ length: Math.min(count, most) }, (_, i) => Math.floor(i * step));
}

function* cellsInside(surface: ElevationGrid, polygon: PlanPolygon): Iterable<number> {
  const { width, height } = surface;
  const inside = polygonWeights(surface, polygon);
  for (const [i, share] of inside.share.entries()) {
    const row = inside.firstRow + Math.floor(i / inside.width);
    const col = inside.firstCol + (i % inside.width);
    const isOnGrid = row >= 0 && row < height && col >= 0 && col < width;
    if (share !== 0 && isOnGrid) yield row * width + col;
  }
}

/** Of these cells; `undefined`: there are too few. */
function largestSpreadM(surface: ElevationGrid, cells: Int32Array): number | undefined {
  const { width, height, elevationM } = surface;
  const lags = LAGS.filter((lag) => lag === 1 || lag * surface.cellM <= FARTHEST_M);
  const spreads = lags.flatMap((lag) => {
    const differences = new Float64Array(2 * cells.length);
    let count = 0;
    for (const at of cells) {
      const [row, col] = [Math.floor(at / width), at % width];
      for (const [isOnGrid, step] of [
        [col >= lag && col + 2 * lag < width, lag],
        [row >= lag && row + 2 * lag < height, lag * width],
      ] as const) {
        if (!isOnGrid) continue;
        const bend =
          (elevationM[at - step] ?? Number.NaN) -
          3 * (elevationM[at] ?? Number.NaN) +
          3 * (elevationM[at + step] ?? Number.NaN) -
          (elevationM[at + 2 * step] ?? Number.NaN);
        if (Number.isNaN(bend)) continue;
        differences[count] = Math.abs(bend);
        count += 1;
      }
    }
    if (count < MIN_DIFFERENCES) return [];
    // Typed arrays sort without a call for each pair.
    const rising = differences.subarray(0, count).sort();
    const quartile = floorRank(rising, 0.25) ?? 0;
    return quartile / QUARTILE / Math.sqrt(20);
  });
  return spreads.length === 0 ? undefined : Math.max(...spreads);
}

/** Mean correlation over the footprint's measured cells, 0 to 1; 0 where there is none. */
function meanScore({ width, height, score, views, ...frame }: ElevationGrid, polygon: PlanPolygon) {
  const inside = polygonWeights({ width, height, ...frame }, polygon);
  let sum = 0;
  let area = 0;
  for (let r = 0; r < inside.height; r += 1) {
    const row = inside.firstRow + r;
    for (let c = 0; c < inside.width; c += 1) {
      const col = inside.firstCol + c;
      if (row < 0 || col < 0 || row >= height || col >= width) continue;
      const cell = row * width + col;
      const share = inside.share[r * inside.width + c] ?? 0;
      const correlation = score[cell] ?? Number.NaN;
      if (share === 0 || views[cell] === 0 || Number.isNaN(correlation)) continue;
      sum += share * correlation;
      area += share;
    }
  }
  return area === 0 ? 0 : Math.min(1, Math.max(0, sum / area));
}
