import type { HeightProfile, HeightSource } from "./requests.ts";

/** Corners of a line at most: each leg is a request of its own. */
export const MOST_CORNERS = 9;

/** Heights along a line of one or more straight legs. */
export interface Section {
  /** In plan, metres. */
  readonly lengthM: number;
  /** Last height less the first, metres; `null`: one of the two is not known. */
  readonly riseM: number | null;
  /** Rise in hundredths of the length; `null`: not known. */
  readonly slopePercent: number | null;
  readonly source: HeightSource;
  readonly comparedWith: HeightSource | null;
  readonly points: readonly SectionPoint[];
  readonly warnings: readonly string[];
}

interface SectionPoint {
  /** From the start in plan, metres. */
  readonly distanceM: number;
  /** `null`: the survey has none there. */
  readonly heightM: number | null;
  /** Of the survey that is compared with; `null`: it has none there, or there is no such survey. */
  readonly comparedM: number | null;
}

/**
 * Legs as one section. Of a single leg rise and slope are the service's own.
 *
 * @throws Error without a leg
 */
export function sectionOf(profiles: readonly HeightProfile[]): Section {
  const [first] = profiles;
  if (first === undefined) throw new Error("A section needs one leg at least");
  let beforeM = 0;
  const points = profiles.flatMap((profile, leg) => {
    const startM = beforeM;
    beforeM += profile.length_m;
    // A leg begins where the one before ended.
    return profile.points.slice(leg === 0 ? 0 : 1).map((point) => ({
      distanceM: startM + point.distance_m,
      heightM: point.height_m,
      comparedM: point.compared_height_m,
    }));
  });
  const isOne = profiles.length === 1;
  const [low, high] = [points[0]?.heightM ?? null, points.at(-1)?.heightM ?? null];
  const rise = low === null || high === null ? null : high - low;
  return {
    lengthM: beforeM,
    riseM: isOne ? first.rise_m : rise,
    slopePercent: isOne ? first.slope_percent : rise === null ? null : (100 * rise) / beforeM,
    source: first.source,
    comparedWith: first.compared_with,
    points,
    warnings: [...new Set(profiles.flatMap(({ warnings }) => warnings))],
  };
}

/** A stretch without heights, metres from the start. */
interface Gap {
  readonly fromM: number;
  readonly toM: number;
}

/** Where the line has no heights: from the last height before to the first one after. */
export function gapsOf(
  points: readonly Pick<SectionPoint, "distanceM" | "heightM">[],
): readonly Gap[] {
  const gaps: Gap[] = [];
  let lastM: number | undefined;
  let isOpen = false;
  for (const { distanceM, heightM } of points) {
    if (heightM === null) {
      isOpen = true;
      continue;
    }
    if (isOpen) gaps.push({ fromM: lastM ?? 0, toM: distanceM });
    isOpen = false;
    lastM = distanceM;
  }
  const end = points.at(-1)?.distanceM;
  if (isOpen && end !== undefined) gaps.push({ fromM: lastM ?? 0, toM: end });
  return gaps;
}
