import type { ElevationGrid } from "../photogrammetry/elevation-grid.ts";
import { type PlanPolygon, polygonWeights } from "./polygon-weights.ts";

/**
 * Height error of one cell at a correlation of 0, in ground sample distances; it falls with the root of
 * 1 less the correlation. Rings around 105 piles in simulated surveys of 480 to 1,200 px (correlation 0.98)
 * spread by 0.15 to 0.27 sample distances: 1.8 gives 0.25; at 0.5 it gives 1.3, at 0.3 1.5.
 */
const NOISE_GSD = 1.8;
/** The same of a surface that nobody tells the making of (PHOTOGRAMMETRY.md 4.5). */
const UNTOLD_GSD = 3;
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
 * What errors of matching leave of a volume, cubic metres, one standard deviation: noise of cells, which
 * averages out over a footprint but for the windows that cells share, and rounding, which does not.
 * @param isMatched whether the surface tells how well its views agree
 */
export function heightNoise(
  surface: ElevationGrid,
  polygon: PlanPolygon,
  { gsdM, areaM2, isMatched }: { gsdM: number; areaM2: number; isMatched: boolean },
): number {
  const cellNoise = isMatched ? NOISE_GSD * Math.sqrt(1 - meanScore(surface, polygon)) : UNTOLD_GSD;
  const random = Math.sqrt(areaM2) * SHARED_CELLS * surface.cellM * cellNoise * gsdM;
  return Math.hypot(random, areaM2 * SHARED_GSD * gsdM);
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
