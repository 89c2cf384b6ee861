import { type AdvanceOptions, advanceFences } from "../../../ingest/geofence/advance.ts";
import type { Crossing, FenceFix } from "../../../ingest/geofence/crossing.ts";
import { type FenceFold, newFenceFold } from "../../../ingest/geofence/fence-fold.ts";
import type { FenceTimeline } from "../../../ingest/geofence/fence-timeline.ts";
import { ASSET, siteAt } from "./site.ts";

/** Begin of all tracks, ms since the Unix epoch. */
export const START_MS = Date.UTC(2026, 10, 20, 6);

/** A fix `atS` seconds after the start, metres east and north of the site's origin. */
export function fixAt(atS: number, eastM: number, northM = 0, accuracyM = 3): FenceFix {
  return { ...siteAt(eastM, northM), tMs: START_MS + atS * 1000, accuracyM };
}

/** Fixes at points `[atS, eastM, northM]`, with `accuracyM`. */
export const fixesAt = (
  points: readonly (readonly [atS: number, eastM: number, northM?: number])[],
  accuracyM = 3,
): readonly FenceFix[] =>
  points.map(([atS, eastM, northM]) => fixAt(atS, eastM, northM ?? 0, accuracyM));

/** A steady drive eastwards from `fromM` to `toM` at `kmh`, a fix every `everyS`, the first at `startS`. */
export function drive(
  startS: number,
  [fromM, toM]: readonly [number, number],
  kmh: number,
  everyS: number,
): readonly FenceFix[] {
  const stepM = (kmh / 3.6) * everyS * Math.sign(toM - fromM);
  const count = Math.floor(Math.abs(toM - fromM) / Math.abs(stepM));
  return Array.from({ length: count + 1 }, (_, i) => fixAt(startS + i * everyS, fromM + i * stepM));
}

/** A stay at one place, a fix every `everyS` in `[startS, endS)`. */
export function stay(startS: number, endS: number, eastM: number, everyS = 10) {
  const count = Math.ceil((endS - startS) / everyS);
  return Array.from({ length: count }, (_, i) => fixAt(startS + i * everyS, eastM));
}

/** A crossing in short: fence, type, seconds since the start, and the cause if it is not a crossing. */
export function inShort({ fence, type, atMs, cause, inferred }: Crossing): string {
  const what = inferred ? " inferred" : cause === "crossing" ? "" : ` ${cause}`;
  return `${fence.geofenceId} ${type} ${(atMs - START_MS) / 1000}${what}`;
}

export interface FoldedFixes {
  readonly crossings: readonly Crossing[];
  readonly fold: FenceFold;
}

/** Folds the fixes of one asset and returns every crossing. */
export function foldFixes(
  timeline: FenceTimeline,
  fixes: readonly FenceFix[],
  fold: FenceFold = newFenceFold(),
  options: AdvanceOptions = {},
): FoldedFixes {
  const crossings: Crossing[] = [];
  for (const fix of fixes) {
    advanceFences(fold, fix, ASSET, timeline, (crossing) => crossings.push(crossing), options);
  }
  return { crossings, fold };
}
