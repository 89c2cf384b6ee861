import type { GeofenceId } from "../domain/ids.ts";
import type { FenceFix } from "../ingest/geofence/crossing.ts";
import { type FenceShape, fenceShape, signedDistanceM } from "../ingest/geofence/fence-shape.ts";
import { LEAST_ACCURACIES, LEAST_M } from "../ingest/geofence/inferred-visit.ts";
import { missShiftM, roadBend } from "../ingest/geofence/miss-shift.ts";
import { passageThrough } from "../ingest/geofence/passage.ts";
import { between, planarDistanceM } from "../ingest/geofence/planar.ts";
import { type ReportedAccuracy, randomFor } from "../test/ingest/geofence/noise.ts";
import { START_MS } from "../test/ingest/geofence/walk.ts";
import { drawFleetFixes } from "./geofence/fleet-fixes.ts";
import { drawRoadTrip, fixesOf, ROADSIDE_KINDS, trueVisits } from "./geofence/road-tracks.ts";

/**
 * Which visits without a fix inside are rightly and wrongly inferred, over two margins: by how many
 * accuracies the path may be shifted, and the bend that a road may have between two fixes. Road-like drives
 * past fences of five kinds, then the fleet of `npm run test:fleet`; a fix in 10, 30 and 60 s each.
 */
const TRIPS = Number(process.argv[2] ?? 200);
const MACHINES = Number(process.argv[3] ?? 40);
const PIECES = 14;
const FENCES = 12;
const INTERVALS_S = [10, 30, 60] as const;
const MARGINS = [0.25, 0.5, 1, 1.5, 2, 3] as const;
/** Shares of a leg by which it may bend; the last one is in force. */
const BENDS: readonly (readonly [string, (lengthM: number) => number])[] = [
  ...[0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3].map((share) => [String(share), () => share] as const),
  ["in force", roadBend],
];
const REPORTS: readonly ReportedAccuracy[] = ["right", "right", "missing", "wrong"];

/** A path past a fence that no fix shows as a visit. */
interface Candidate {
  readonly kind: string;
  readonly knots: number;
  readonly isTrue: boolean;
  readonly accuracyM: number;
  /** Least shifts by bend, metres, in the order of `BENDS`. */
  readonly shiftsM: readonly number[];
  readonly byOldRule: boolean;
}

/** Paths from one fix outside to the next that surely is, all between within their accuracy of the edge. */
function* doubtfulPaths(
  shape: FenceShape,
  fixes: readonly FenceFix[],
): Generator<readonly FenceFix[]> {
  let knots: FenceFix[] = [];
  for (const fix of fixes) {
    const depthM = signedDistanceM(shape, fix);
    const isKnown = Math.abs(depthM) > fix.accuracyM;
    if (knots.length > 0) {
      knots.push(fix);
      if (depthM < 0 && (isKnown || passageThrough(shape, knots) === undefined)) {
        if (passageThrough(shape, knots) !== undefined) yield knots;
        knots = [fix];
      } else if (isKnown) knots = [];
    } else if (depthM < 0) knots = [fix];
  }
}

function candidate(
  kind: string,
  shape: FenceShape,
  knots: readonly FenceFix[],
  visitsMs: readonly (readonly [fromMs: number, toMs: number])[],
): Candidate {
  const [from, to] = [knots[0], knots.at(-1)];
  if (from === undefined || to === undefined) throw new RangeError("a path without fixes");
  return {
    kind,
    knots: knots.length,
    isTrue: visitsMs.some(([fromMs, toMs]) => fromMs <= to.tMs && toMs >= from.tMs),
    accuracyM: Math.max(from.accuracyM, to.accuracyM),
    shiftsM: BENDS.map(([, bendOf]) => missShiftM(shape, knots, { bendOf })),
    byOldRule: byOldRule(shape, knots),
  };
}

/** The rule until now: 10 m deep and as deep as the accuracy, and twice that long, between two fixes in a row. */
function byOldRule(shape: FenceShape, knots: readonly FenceFix[]): boolean {
  const passage = knots.length === 2 ? passageThrough(shape, knots) : undefined;
  if (passage === undefined) return false;
  const accuracyM = Math.max(...knots.map((knot) => knot.accuracyM));
  const { entered, exited } = passage;
  const lengthM = planarDistanceM(entered, exited, shape.scale);
  const depthM = signedDistanceM(shape, between(entered, exited, 0.5));
  return lengthM > Math.max(2 * accuracyM, 10) && depthM > Math.max(accuracyM, 10);
}

function roadCandidates(everyS: number): readonly Candidate[] {
  const found: Candidate[] = [];
  for (let seed = 1; seed <= TRIPS; seed++) {
    const trip = drawRoadTrip(randomFor(seed, 17), PIECES, FENCES);
    const random = randomFor(seed, 18, everyS);
    const reported = REPORTS[seed % REPORTS.length] ?? "right";
    const fixes = fixesOf(trip, random, { everyS, sigmaM: 1 + 3 * random(), reported });
    for (const fence of trip.fences) {
      const shape = fenceShape(fence.version);
      const visitsMs = trueVisits(trip, fence).map(
        ([fromS, toS]) => [START_MS + fromS * 1_000, START_MS + toS * 1_000] as const,
      );
      for (const knots of doubtfulPaths(shape, fixes)) {
        found.push(candidate(fence.kind, shape, knots, visitsMs));
      }
    }
  }
  return found;
}

function fleetCandidates(everyS: number): readonly Candidate[] {
  const plan = { assets: MACHINES, fences: MACHINES / 2, projects: 2, hours: 3, seed: 1 };
  const { truth, timeline, fixesByAsset } = drawFleetFixes({
    ...{ ...plan, rate: 1 / everyS, startMs: START_MS },
  });
  return truth.assets.flatMap((asset) =>
    truth.fences
      .filter(({ projectId }) => projectId === asset.projectId)
      .flatMap(({ id }) => {
        const shape = timeline.fenceAt(id as GeofenceId, START_MS);
        if (shape === undefined) throw new RangeError(`no fence ${id}`);
        const visitsMs = asset.visits
          .filter(({ fenceId }) => fenceId === id)
          .map(
            ({ enteredMs = Number.NEGATIVE_INFINITY, exitedMs = Number.POSITIVE_INFINITY }) =>
              [enteredMs + asset.clockSkewMs, exitedMs + asset.clockSkewMs] as const,
          );
        return [...doubtfulPaths(shape, fixesByAsset.get(asset.id) ?? [])].map((knots) =>
          candidate("fleet", shape, knots, visitsMs),
        );
      }),
  );
}

/** Rightly inferred visits of all that happened, and false ones, by bend and margin. */
function printCurve(title: string, candidates: readonly Candidate[]): void {
  const happened = candidates.filter(({ isTrue }) => isTrue).length;
  console.log(
    `\n${title}: ${candidates.length} paths that no fix decides, ${happened} with a visit. Inferred / of them false:`,
  );
  const cell = (inferred: readonly Candidate[]): string =>
    `${inferred.length} / ${inferred.filter(({ isTrue }) => !isTrue).length}`.padStart(13);
  console.log(`until now   ${cell(candidates.filter((one) => one.byOldRule))}`);
  console.log(`bend \\ margin${MARGINS.map((margin) => String(margin).padStart(13)).join("")}`);
  for (const [i, [bend]] of BENDS.entries()) {
    const cells = MARGINS.map((margin) =>
      cell(candidates.filter((one) => isInferred(one, i, margin))),
    );
    console.log(`${bend.padEnd(13)}${cells.join("")}`);
  }
}

const isInferred = ({ shiftsM, accuracyM }: Candidate, bend: number, margin: number): boolean =>
  (shiftsM[bend] ?? 0) >= Math.max(margin * accuracyM, LEAST_M);

console.log(
  `In force: margin ${LEAST_ACCURACIES.direct} between two fixes outside, ${LEAST_ACCURACIES.over} over fixes within the accuracy, at least ${LEAST_M} m.`,
);
for (const everyS of INTERVALS_S) {
  const road = roadCandidates(everyS);
  printCurve(`Roads, a fix in ${everyS} s`, road);
  const inForce = BENDS.length - 1;
  const byKind = ROADSIDE_KINDS.map((kind) => {
    const ofKind = road.filter((one) => one.kind === kind);
    const inferred = ofKind.filter((one) =>
      isInferred(one, inForce, one.knots > 2 ? LEAST_ACCURACIES.over : LEAST_ACCURACIES.direct),
    );
    const happened = ofKind.filter(({ isTrue }) => isTrue).length;
    return `${kind} ${inferred.filter(({ isTrue }) => isTrue).length} of ${happened}, ${inferred.filter(({ isTrue }) => !isTrue).length} false`;
  });
  console.log(`in force, by kind: ${byKind.join("; ")}`);
}
for (const everyS of INTERVALS_S) {
  printCurve(`Fleet, a fix in ${everyS} s`, fleetCandidates(everyS));
}
