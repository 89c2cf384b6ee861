import type { HeightField } from "../../../grid/elevation-grid.ts";
import { MAD_TO_SIGMA, upperMedian } from "../../../numeric/median.ts";
import { patchSpread } from "../../../volume/alignment/patch-spread.ts";
import type { PlanBox } from "../cells/lattice.ts";
import type { StableGround } from "../cells/stable-mask.ts";
import type { HeightAt } from "./surface-source.ts";

/** Fewer stable cells do not determine a bias (docs/progress-method.md#surfaces). */
export const LEAST_STABLE_CELLS = 200;
/** Cells compared at most: more cost time, and neighbours say the same; fewer leave patches empty. */
const MOST_COMPARED = 40_000;
/**
 * Patches that a scatter of means takes, at least; more make them smaller, and the scatter of small ones is that
 * of noise; of fewer, the scatter itself is chance.
 */
const LEAST_PATCHES = 16;
/** A cell that differs by more than so many NMAD has changed, or is a wall that two surveys round off. */
const MOST_SIGMAS = 3;
/** Edges of patches, metres. */
const PATCHES_M = [32, 16, 8, 4, 2, 1];

/** How two surfaces lie on each other in height where nothing changed. */
export interface CoRegistration {
  /** Median of the differences, this flight less the other surface, metres. */
  readonly biasM: number;
  /** Normalised median absolute deviation of the differences of cells about it, metres. */
  readonly nmadM: number;
  readonly stableCells: number;
  /**
   * Standard deviation of the mean difference over an area of so many square metres, as means over patches
   * of that size scatter; of smaller ones where stable ground has too few. Metres.
   */
  meanSigmaM(areaM2: number): number;
}

/** Differences of two surfaces by place, metres. */
export interface Differences {
  readonly x: number[];
  readonly y: number[];
  readonly difference: number[];
  /** Area that one represents, square metres. */
  readonly cellAreaM2: number;
}

/**
 * Compares a surface with another one on stable ground (docs/progress-method.md#surfaces, co-registration).
 * @returns `undefined` with fewer than 200 stable cells that both know
 */
export function coRegister(
  surface: HeightField,
  otherAt: HeightAt,
  ground: StableGround,
): CoRegistration | undefined {
  const found = differencesOf(surface, otherAt, (x, y) => ground.isStable(x, y));
  const biasM = upperMedian(found.difference);
  if (biasM === undefined || found.difference.length < LEAST_STABLE_CELLS) return undefined;
  const off = found.difference.map((difference) => Math.abs(difference - biasM));
  return registrationAt(found, biasM, MAD_TO_SIGMA * (upperMedian(off) ?? 0));
}

/**
 * A surface less another one, at the surface's cells that are to be compared and that both know; at some of
 * them, evenly spread, where there are very many.
 * @param box the part to compare; the whole surface where absent
 */
export function differencesOf(
  surface: HeightField,
  otherAt: HeightAt,
  isCompared: (x: number, y: number) => boolean,
  box?: PlanBox,
): Differences {
  const { westM, northM, cellM, width, height, elevationM } = surface;
  const span = (from: number, to: number, most: number) =>
    [Math.max(0, Math.floor(from)), Math.min(most, Math.ceil(to))] as const;
  const [left, right] = box
    ? span((box.westM - westM) / cellM, (box.eastM - westM) / cellM, width)
    : [0, width];
  const [top, bottom] = box
    ? span((northM - box.northM) / cellM, (northM - box.southM) / cellM, height)
    : [0, height];
  const cells = Math.max(0, right - left) * Math.max(0, bottom - top);
  const stride = Math.max(1, Math.ceil(Math.sqrt(cells / MOST_COMPARED)));
  const [x, y, difference]: [number[], number[], number[]] = [[], [], []];
  for (let row = top + (stride >> 1); row < bottom; row += stride) {
    const north = northM - (row + 0.5) * cellM;
    for (let col = left + (stride >> 1); col < right; col += stride) {
      const z = elevationM[row * width + col] ?? Number.NaN;
      const east = westM + (col + 0.5) * cellM;
      if (Number.isNaN(z) || !isCompared(east, north)) continue;
      const found = z - otherAt(east, north);
      if (Number.isNaN(found)) continue;
      x.push(east);
      y.push(north);
      difference.push(found);
    }
  }
  return { x, y, difference, cellAreaM2: (stride * cellM) ** 2 };
}

/** The registration by differences whose bias is known. */
export function registrationAt(found: Differences, biasM: number, nmadM: number): CoRegistration {
  const off = Float64Array.from(found.difference, (difference) => difference - biasM);
  // What changed there all the same must not pass for noise.
  const counts = off.map((difference) => Number(Math.abs(difference) <= MOST_SIGMAS * nmadM));
  const [x, y] = [Float64Array.from(found.x), Float64Array.from(found.y)];
  const known = new Map<number, number | undefined>();
  const scatter = (patchM: number): number | undefined => {
    if (!known.has(patchM)) {
      const spread = patchSpread(x, y, off, counts, patchM, found.cellAreaM2);
      known.set(patchM, spread.patches < LEAST_PATCHES ? undefined : spread.sigmaM);
    }
    return known.get(patchM);
  };
  return {
    biasM,
    nmadM,
    stableCells: counts.reduce((sum, one) => sum + one, 0),
    meanSigmaM(areaM2) {
      for (const patchM of PATCHES_M) {
        const sigmaM = patchM ** 2 <= areaM2 ? scatter(patchM) : undefined;
        if (sigmaM !== undefined) return sigmaM;
      }
      return nmadM;
    },
  };
}
