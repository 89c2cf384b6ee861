import { DAY_S } from "../../domain/time.ts";
import { advanceFences } from "../../ingest/geofence/advance.ts";
import type { Crossing, FenceFix } from "../../ingest/geofence/crossing.ts";
import { newFenceFold } from "../../ingest/geofence/fence-fold.ts";
import { fenceShape, signedDistanceM } from "../../ingest/geofence/fence-shape.ts";
import type { GeofenceVersion } from "../../storage/ports/equipment/geofences.ts";
import {
  accuracyOf,
  correlatedNoise,
  type ReportedAccuracy,
  randomFor,
} from "../../test/ingest/geofence/noise.ts";
import { ASSET, rectangle, siteOf } from "../../test/ingest/geofence/site.ts";
import { fixAt } from "../../test/ingest/geofence/walk.ts";
import {
  DESIGN_RULE,
  ONCE_ACCURACY,
  pairsByRule,
  SET_DIFFERENCE,
  TWICE_ACCURACY,
} from "./plain-rules.ts";

/** A receiver, and how often it is tried. */
export interface Receiver {
  readonly seeds: number;
  readonly sigmaM: number;
  readonly correlationS: number;
  readonly reported: ReportedAccuracy;
}

type Path = (atS: number) => readonly [eastM: number, northM: number];

const PARKED_EVERY_S = 10;

/** The fixes of a path as the receiver sees it. */
function seen(receiver: Receiver, seed: number, path: Path, lengthS: number, everyS: number) {
  const { sigmaM, correlationS, reported } = receiver;
  const random = randomFor(seed, sigmaM, correlationS, everyS);
  const model = { sigmaM, correlationS, intervalS: everyS };
  const [east, north] = [correlatedNoise(random, model), correlatedNoise(random, model)];
  const accuracyM = accuracyOf(reported, sigmaM);
  return Array.from({ length: Math.ceil(lengthS / everyS) }, (_, i): FenceFix => {
    const [x, y] = path(i * everyS);
    return fixAt(i * everyS, x + east(), y + north(), accuracyM);
  });
}

/** Crossings, each with the index of the fix that showed it. */
function crossingsOf(fence: GeofenceVersion, fixes: readonly FenceFix[]) {
  const timeline = siteOf(fence);
  const fold = newFenceFold();
  const crossings: { readonly at: number; readonly crossing: Crossing }[] = [];
  for (const [at, fix] of fixes.entries()) {
    advanceFences(fold, fix, ASSET, timeline, (crossing) => {
      if (crossing.cause === "crossing") crossings.push({ at, crossing });
    });
  }
  return crossings;
}

const seedsOf = ({ seeds }: Receiver): readonly number[] =>
  Array.from({ length: seeds }, (_, i) => i + 1);
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Value at a share of the sorted values; `NaN` of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** False pairs in a day at the origin: by the evaluator, and by the rules that it is compared with. */
export function pairsPerDay(run: Receiver & { readonly fence: GeofenceVersion }) {
  const shape = fenceShape(run.fence);
  const days = seedsOf(run).map((seed) => {
    const fixes = seen(run, seed, () => [0, 0], DAY_S, PARKED_EVERY_S);
    const seenM = fixes.map((fix) => ({ insideM: signedDistanceM(shape, fix), fix }));
    const by = (rule: typeof SET_DIFFERENCE) => pairsByRule(rule, seenM);
    return {
      ours: crossingsOf(run.fence, fixes).length / 2,
      setDifference: by(SET_DIFFERENCE),
      design: by(DESIGN_RULE),
      onceAccuracy: by(ONCE_ACCURACY),
      twiceAccuracy: by(TWICE_ACCURACY),
    };
  });
  return {
    ours: mean(days.map((day) => day.ours)),
    setDifference: mean(days.map((day) => day.setDifference)),
    design: mean(days.map((day) => day.design)),
    onceAccuracy: mean(days.map((day) => day.onceAccuracy)),
    twiceAccuracy: mean(days.map((day) => day.twiceAccuracy)),
  };
}

/** False pairs in a day parked at the origin after a drive there; the first crossing may be true. */
export function arrivals(run: Receiver & { readonly fence: GeofenceVersion }): number {
  const path: Path = (atS) => [Math.min(0, -300 + (atS * 20) / 3.6), 0];
  return mean(
    seedsOf(run).map((seed) => {
      const fixes = seen(run, 1_000 + seed, path, DAY_S, PARKED_EVERY_S);
      return Math.max(0, crossingsOf(run.fence, fixes).length - 1) / 2;
    }),
  );
}

export interface Crossed extends Receiver {
  readonly fence: GeofenceVersion;
  readonly everyS: number;
  readonly start: "300 m away" | "a stay 20 m off";
  readonly kmh: number;
}

/** Straight drives over the fence's west edge, in and out, at right angles, 400 m on or for an hour. */
export function crossingDelays(run: Crossed) {
  const { everyS, kmh } = run;
  const speed = kmh / 3.6;
  const [offM, waitS] = run.start === "300 m away" ? [300, 0] : [20, 1_800];
  const shape = fenceShape(run.fence);
  const fixCounts: number[] = [];
  const surelyFixes: number[] = [];
  let faults = 0;
  for (const seed of seedsOf(run)) {
    const sign = seed % 2 === 0 ? 1 : -1;
    // The edge is met at every phase between two fixes.
    const startM = offM + (seed / run.seeds) * speed * everyS;
    const path: Path = (atS) => [sign * (Math.max(0, atS - waitS) * speed - startM), 0];
    const lengthS = waitS + Math.min(3_600, (startM + 400) / speed);
    const fixes = seen(run, 5_000 + seed, path, lengthS, everyS);
    const crossings = crossingsOf(run.fence, fixes);
    const type = sign === 1 ? "entered" : "exited";
    const first = crossings.find(({ crossing }) => crossing.type === type);
    faults += Math.abs(crossings.length - 1);
    if (first === undefined) continue;
    const trueIndex = Math.ceil((waitS + startM / speed) / everyS);
    fixCounts.push(first.at - trueIndex + 1);
    const surely = fixes.findIndex(
      (fix, i) => i >= trueIndex && sign * signedDistanceM(shape, fix) > fix.accuracyM,
    );
    surelyFixes.push(first.at - surely + 1);
  }
  return {
    fixes: fixCounts,
    seconds: fixCounts.map((count) => (count - 1) * everyS),
    surelyFixes,
    faults,
  };
}

/** Minutes from arrival in a box of 20 m until it is reported; a day if it never is. */
export function waitInBox(run: Receiver & { readonly stoodS: number }): readonly number[] {
  const box = rectangle("box", [-10, -10, 10, 10]);
  const speed = 3 / 3.6;
  const arrivedS = run.stoodS + 200 / speed;
  const path: Path = (atS) => [Math.min(0, Math.max(0, atS - run.stoodS) * speed - 200), 0];
  return seedsOf(run).map((seed) => {
    const fixes = seen(run, 9_000 + seed, path, arrivedS + 4 * 3_600, PARKED_EVERY_S);
    const first = crossingsOf(box, fixes)[0];
    return first === undefined ? 1_440 : (first.at * PARKED_EVERY_S - arrivedS) / 60;
  });
}

/** Crossings reported in hours with one fix 5 km off: half of them stationary 100 m inside, half driving there. */
export function outliersReported(run: Receiver & { readonly fence: GeofenceVersion }): number {
  let count = 0;
  for (const seed of seedsOf(run)) {
    const isDriving = seed % 2 === 0;
    const path: Path = (atS) => {
      const [x, y] = isDriving ? [200 + atS * 0.8, 0] : [200, 0];
      return atS === 1_800 ? [x - 5_000, y] : [x, y];
    };
    count += crossingsOf(run.fence, seen(run, 13_000 + seed, path, 3_600, PARKED_EVERY_S)).length;
  }
  return count;
}
