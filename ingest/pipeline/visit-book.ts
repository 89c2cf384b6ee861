import { isDeepStrictEqual } from "node:util";
import { newId, type VisitId } from "../../domain/ids.ts";
import type { Visit, VisitEnd } from "../../storage/ports/visits.ts";
import type { Crossing } from "../geofence/crossing.ts";
import type { AssetTrack } from "./asset-track.ts";
import { pairByOverlap, type Span } from "./pairing.ts";
import {
  type FoundVisit,
  type TellingContext,
  tellExitAlert,
  tellVisit,
  withdrawVisit,
} from "./visit-telling.ts";

/** Records and tells a crossing that the live fold has just found. */
export function applyCrossing(
  track: AssetTrack,
  crossing: Crossing,
  context: TellingContext,
): void {
  const { visits } = track;
  const { geofenceId } = crossing.fence;
  const newest = visits.list.findLast((visit) => visit.geofenceId === geofenceId);
  if (crossing.type === "entered") {
    const found = visitFrom(track, crossing, nextOrdinal(track));
    const visit = tellVisit(undefined, found, newId<VisitId>("vis"), context);
    visits.list = [...visits.list, visit];
    if (newest !== undefined) tellExitAlert(newest, visit, context);
  } else if (newest !== undefined) {
    const visit = tellVisit(newest, closedBy(foundFrom(newest), crossing), newest.id, context);
    visits.list = visits.list.map((one) => (one === newest ? visit : one));
    tellExitAlert(visit, undefined, context);
  }
}

/** What a re-run has found, from the place in the asset's visits where it began. */
export interface RerunVisits {
  readonly fromOrdinal: number;
  /** The fences that the asset was in at the restart. */
  readonly heldAtStart: readonly Visit["geofenceId"][];
  readonly crossings: readonly Crossing[];
}

/**
 * Compares what a re-run has found with what was recorded: each visit that is found again keeps its
 * identity, and only what is new or different is told; one that is not found again is withdrawn.
 * The track's `nextOrdinal` is moved behind the found visits.
 */
export function reconcileVisits(
  track: AssetTrack,
  { fromOrdinal, heldAtStart, crossings }: RerunVisits,
  context: TellingContext,
): void {
  const before = track.visits.list;
  const settled = before.filter((visit) => visit.ordinal < fromOrdinal);
  const known = before.filter((visit) => visit.ordinal >= fromOrdinal);
  track.nextOrdinal = fromOrdinal;

  // Visits that were open at the restart keep their beginning; their end is found again, or not.
  const seeds = heldAtStart.flatMap((geofenceId) => {
    const visit = settled.findLast((one) => one.geofenceId === geofenceId);
    return visit === undefined
      ? []
      : [{ visit, found: foundFrom({ ...visit, exited: undefined }) }];
  });
  const open = new Map(seeds.map((seed) => [seed.visit.geofenceId, seed]));
  const fresh: { found: FoundVisit }[] = [];
  const openFresh = new Map<Visit["geofenceId"], { found: FoundVisit }>();
  for (const crossing of crossings) {
    const { geofenceId } = crossing.fence;
    if (crossing.type === "entered") {
      const entry = { found: visitFrom(track, crossing, nextOrdinal(track)) };
      fresh.push(entry);
      openFresh.set(geofenceId, entry);
      open.delete(geofenceId);
    } else {
      const entry = openFresh.get(geofenceId) ?? open.get(geofenceId);
      if (entry !== undefined) entry.found = closedBy(entry.found, crossing);
    }
  }

  const pairs = pairByOverlap(
    known.map((visit) => ({ visit, ...spanOf(visit) })),
    fresh.map(({ found }) => spanOf(found)),
  );
  const kept = new Set(pairs.map((pair) => pair?.visit));
  for (const visit of known) if (!kept.has(visit)) withdrawVisit(visit, context);
  const told = new Map(
    seeds.map(({ visit, found }) => [visit, tellIfNew(visit, found, context)] as const),
  );
  const newest = fresh.map(({ found }, i) => {
    const visit = pairs[i]?.visit;
    return visit === undefined
      ? tellVisit(undefined, found, newId<VisitId>("vis"), context)
      : tellIfNew(visit, found, context);
  });
  const after = [...settled.map((visit) => told.get(visit) ?? visit), ...newest];
  track.visits.list = after;
  tellExitAlerts(before, after, context);
}

/** Adds visits that were read back from the store to those that are held. */
export function addToBook(track: AssetTrack, stored: readonly Visit[], fromOrdinal: number): void {
  const { visits } = track;
  const held = new Set(visits.list.map((visit) => visit.id));
  visits.list = [...stored.filter((visit) => !held.has(visit.id)), ...visits.list].toSorted(
    (a, b) => a.ordinal - b.ordinal,
  );
  visits.completeFrom = Math.min(visits.completeFrom, fromOrdinal);
}

/** An exit's alert ends with the next entry: told again wherever either of them changed. */
function tellExitAlerts(
  before: readonly Visit[],
  after: readonly Visit[],
  context: TellingContext,
): void {
  const nextOf = (list: readonly Visit[], visit: Visit, at: number) =>
    list.slice(at + 1).find((other) => other.geofenceId === visit.geofenceId);
  const was = new Map(
    before.map((visit, i) => [visit.id, { visit, next: nextOf(before, visit, i) }]),
  );
  for (const [i, visit] of after.entries()) {
    if (!visit.told.exitAlerted) continue;
    const next = nextOf(after, visit, i);
    const earlier = was.get(visit.id);
    const isSame =
      isDeepStrictEqual(earlier?.visit.exited, visit.exited) &&
      earlier?.next?.entered.atMs === next?.entered.atMs;
    if (!isSame) tellExitAlert(visit, next, context);
  }
}

function tellIfNew(visit: Visit, found: FoundVisit, context: TellingContext): Visit {
  const { bounds: _bounds, enterAlertOn: _enter, exitAlertOn: _exit, ...kept } = found;
  // A re-run finds most visits as they were: those are neither told nor written again.
  if (isDeepStrictEqual({ ...visit, ...kept }, visit)) return visit;
  return tellVisit(visit, found, visit.id, context);
}

function nextOrdinal(track: AssetTrack): number {
  const ordinal = track.nextOrdinal;
  track.nextOrdinal += 1;
  return ordinal;
}

function visitFrom(track: AssetTrack, crossing: Crossing, ordinal: number): FoundVisit {
  const { fence } = crossing;
  return {
    assetId: track.assetId,
    projectId: fence.projectId,
    geofenceId: fence.geofenceId,
    ordinal,
    entered: endOf(crossing),
    exited: undefined,
    inferred: crossing.inferred,
    bounds: crossing.bounds,
    enterAlertOn: fence.alertOn,
    exitAlertOn: undefined,
  };
}

function foundFrom(visit: Visit): FoundVisit {
  const { assetId, projectId, geofenceId, ordinal, entered, exited, inferred } = visit;
  return {
    ...{ assetId, projectId, geofenceId, ordinal, entered, exited, inferred },
    bounds: undefined,
    enterAlertOn: undefined,
    exitAlertOn: undefined,
  };
}

const closedBy = (found: FoundVisit, crossing: Crossing): FoundVisit => ({
  ...found,
  exited: endOf(crossing),
  exitAlertOn: crossing.fence.alertOn,
});

const endOf = ({ atMs, location, accuracyM, cause }: Crossing): VisitEnd => ({
  atMs,
  location,
  accuracyM,
  cause,
});

const spanOf = ({
  geofenceId,
  entered,
  exited,
}: Pick<Visit, "geofenceId" | "entered" | "exited">): Span => ({
  subject: geofenceId,
  fromMs: entered.atMs,
  toMs: exited?.atMs ?? Number.POSITIVE_INFINITY,
});
