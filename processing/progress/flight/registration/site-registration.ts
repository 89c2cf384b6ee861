import type { ElevationGrid } from "../../../grid/elevation-grid.ts";
import type { PlanBox } from "../cells/lattice.ts";
import {
  type CoRegistration,
  type Differences,
  differencesOf,
  LEAST_STABLE_CELLS,
  registrationAt,
} from "./co-registration.ts";
import type { HeightAt } from "./surface-source.ts";

/** Gathers how the first flight of a project lies on the surfaces that were given for its zones. */
export interface SiteRegistration {
  /** @param box where the surface may be known */
  add(otherAt: HeightAt, box: PlanBox): void;
  /** Of this flight against given heights; `undefined`: they do not agree, or hardly share any ground. */
  result(): CoRegistration | undefined;
}

/** Half of a normal distribution lies within so many standard deviations. */
const HALF_WIDTH = 1.349;
/**
 * Given ground and a flight's differ by more than noise where this is exceeded, metres and sample distances.
 * Larger takes built ground for a bias, smaller gives up on rough ground.
 */
const MOST_SPREAD_M = 0.1;
const MOST_SPREAD_GSD = 1.5;

/**
 * Heights of surfaces that were given have a bias of their own against the flights. They mostly end at their
 * zones, where stable ground begins; but before a project's first flight hardly anything was built, so that
 * flight shows most of the given ground as it was. The bias is the middle of the shortest interval that holds
 * half of the differences (Rousseeuw 1984, least median of squares in one dimension): whatever had been built
 * on the other half does no harm. Where even that interval is wide, there is no registration.
 * @param first surface of the project's first flight, in the frame of the datum
 * @param later this flight against that one; `undefined`: this is the first, or has no ground in common
 */
export function createSiteRegistration(
  first: ElevationGrid,
  later: CoRegistration | undefined,
  gsdM: number,
): SiteRegistration {
  const parts: Differences[] = [];
  return {
    add(otherAt, box) {
      parts.push(differencesOf(first, otherAt, () => true, box));
    },
    result() {
      const found: Differences = {
        x: parts.flatMap(({ x }) => x),
        y: parts.flatMap(({ y }) => y),
        difference: parts.flatMap(({ difference }) => difference),
        cellAreaM2: Math.max(0, ...parts.map(({ cellAreaM2 }) => cellAreaM2)),
      };
      if (found.difference.length < LEAST_STABLE_CELLS) return undefined;
      const { middle, width } = shortestHalf(found.difference);
      const sigmaM = width / HALF_WIDTH;
      if (sigmaM > Math.max(MOST_SPREAD_M, MOST_SPREAD_GSD * gsdM)) return undefined;
      const own = registrationAt(found, middle, sigmaM);
      return later === undefined ? own : chained(own, later);
    },
  };
}

/** The first flight against given heights, and this flight against the first. */
function chained(first: CoRegistration, later: CoRegistration): CoRegistration {
  return {
    biasM: first.biasM + later.biasM,
    // The first spread is one flight's noise, the second that of two flights.
    nmadM: Math.max(first.nmadM, later.nmadM / Math.SQRT2),
    stableCells: Math.min(first.stableCells, later.stableCells),
    meanSigmaM: (areaM2) => Math.hypot(first.meanSigmaM(areaM2), later.meanSigmaM(areaM2)),
  };
}

/** The shortest interval that holds half of the values. */
function shortestHalf(values: readonly number[]): {
  readonly middle: number;
  readonly width: number;
} {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  let best = 0;
  const widthAt = (i: number) => (sorted[i + half] ?? Number.POSITIVE_INFINITY) - (sorted[i] ?? 0);
  for (let i = 1; i + half < sorted.length; i += 1) if (widthAt(i) < widthAt(best)) best = i;
  return { middle: ((sorted[best] ?? 0) + (sorted[best + half] ?? 0)) / 2, width: widthAt(best) };
}
