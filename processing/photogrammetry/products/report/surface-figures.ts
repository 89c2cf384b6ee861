import type { ElevationGrid } from "../../../grid/elevation-grid.ts";
import { rounded } from "../../../numeric/rounding.ts";

/** Least score that counts as matched (docs/photogrammetry.md#stages), and least number of views. */
const LEAST_SCORE = 0.3;
const LEAST_VIEWS = 3;
const SCORE_BINS = 14;

/** What a surface's cells say in sum. */
export interface SurfaceFigures {
  readonly areaM2: number;
  readonly lowestM: number | undefined;
  readonly highestM: number | undefined;
  readonly viewsMean: number | undefined;
  readonly threeViewsShare: number | undefined;
  readonly scoreMean: number | undefined;
  /** Cells by score, 0.3 to 1 in steps of 0.05. */
  readonly scoreHistogram: readonly {
    readonly from: number;
    readonly to: number;
    readonly cells: number;
  }[];
}

export function surfaceFigures(surface: ElevationGrid): SurfaceFigures {
  const { elevationM, score, views, cellM } = surface;
  let known = 0;
  let seenByThree = 0;
  let viewSum = 0;
  let viewed = 0;
  let scoreSum = 0;
  let scored = 0;
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  const bins = new Array<number>(SCORE_BINS).fill(0);
  for (let i = 0; i < elevationM.length; i += 1) {
    const z = elevationM[i] ?? Number.NaN;
    const count = views[i] ?? 0;
    const isKnown = !Number.isNaN(z);
    if (count > 0) {
      viewed += 1;
      viewSum += count;
    }
    if (count >= LEAST_VIEWS) seenByThree += 1;
    if (!isKnown) continue;
    known += 1;
    lowest = Math.min(lowest, z);
    highest = Math.max(highest, z);
    const s = score[i] ?? Number.NaN;
    if (Number.isNaN(s)) continue;
    scored += 1;
    scoreSum += s;
    const bin = Math.floor(((s - LEAST_SCORE) / (1 - LEAST_SCORE)) * SCORE_BINS);
    const at = Math.min(SCORE_BINS - 1, Math.max(0, bin));
    bins[at] = (bins[at] ?? 0) + 1;
  }
  const edge = (i: number) => rounded(LEAST_SCORE + ((1 - LEAST_SCORE) * i) / SCORE_BINS, 4);
  return {
    areaM2: known * cellM ** 2,
    lowestM: known === 0 ? undefined : lowest,
    highestM: known === 0 ? undefined : highest,
    viewsMean: viewed === 0 ? undefined : viewSum / viewed,
    threeViewsShare: viewed === 0 ? undefined : seenByThree / viewed,
    scoreMean: scored === 0 ? undefined : scoreSum / scored,
    scoreHistogram: bins.map((cells, i) => ({ from: edge(i), to: edge(i + 1), cells })),
  };
}
