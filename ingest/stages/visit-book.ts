import { isDeepStrictEqual } from "node:util";
import { type GeofenceId, newId, type VisitId } from "../../domain/ids.ts";
import type { Visit, VisitEnd } from "../../storage/ports/equipment/visits.ts";
import { type EpisodeKind, type FoundAgain, reconcileEpisodes } from "../events/episodes.ts";
import type { Crossing } from "../geofence/crossing.ts";
import { type AssetTrack, takeOrdinal } from "../track/asset-track.ts";
import {
  alertedEnds,
  type EventContext,
  type FoundVisit,
  publishExitAlert,
  publishVisit,
  withdrawVisit,
} from "./visit-events.ts";

/** Records and publishes a crossing that the live fold has just found. */
export function applyCrossing(track: AssetTrack, crossing: Crossing, context: EventContext): void {
  const { visits } = track;
  const { geofenceId } = crossing.fence;
  const newest = visits.list.findLast((visit) => visit.geofenceId === geofenceId);
  if (crossing.type === "entered") {
    const found = visitFrom(track, crossing, takeOrdinal(track));
    const visit = publishVisit(undefined, found, newId<VisitId>("vis"), context);
    visits.list = [...visits.list, visit];
    if (newest !== undefined) publishExitAlert(newest, visit, context);
  } else if (newest !== undefined) {
    const visit = publishVisit(newest, closedBy(foundFrom(newest), crossing), newest.id, context);
    visits.list = visits.list.map((one) => (one === newest ? visit : one));
    publishExitAlert(visit, undefined, context);
  }
}

/**
 * Compares the visits that a re-run has found with those that were recorded, and publishes the
 * difference.
 */
export function reconcileVisits(
  track: AssetTrack,
  found: FoundAgain<Crossing>,
  context: EventContext,
): void {
  const before = track.visits.list;
  const after = reconcileEpisodes(visitKind(track, context), before, found);
  track.visits.list = after;
  publishExitAlerts(before, after, context);
}

function visitKind(
  track: AssetTrack,
  context: EventContext,
): EpisodeKind<Visit, FoundVisit, Crossing> {
  return {
    subjectOf: ({ geofenceId }) => geofenceId,
    subjectOfChange: ({ fence }) => fence.geofenceId,
    isBeginning: ({ type }) => type === "entered",
    begin: (crossing, ordinal) => visitFrom(track, crossing, ordinal),
    end: closedBy,
    reopen: (visit) => foundFrom({ ...visit, exited: undefined }),
    spanOf: ({ entered, exited }) => ({
      fromMs: entered.atMs,
      toMs: exited?.atMs ?? Number.POSITIVE_INFINITY,
    }),
    publish: (before, found) =>
      before === undefined
        ? publishVisit(undefined, found, newId<VisitId>("vis"), context)
        : publishIfNew(before, found, context),
    withdraw: (before) => withdrawVisit(before, context),
  };
}

/**
 * Adds visits that were read back from the store to those that are held. The store may be a commit
 * behind: where the book is complete, the book is right.
 */
export function addToBook(track: AssetTrack, stored: readonly Visit[], fromOrdinal: number): void {
  const { visits } = track;
  const held = new Set(visits.list.map((visit) => visit.id));
  const missing = stored.filter(
    (visit) => visit.ordinal < visits.completeFrom && !held.has(visit.id),
  );
  visits.list = [...missing, ...visits.list].toSorted((a, b) => a.ordinal - b.ordinal);
  visits.completeFrom = Math.min(visits.completeFrom, fromOrdinal);
}

/** An exit's alert ends with the next entry: it is written again wherever either of them changed. */
function publishExitAlerts(
  before: readonly Visit[],
  after: readonly Visit[],
  context: EventContext,
): void {
  const exitOf = (visit: Visit | undefined) =>
    visit?.published.exitAlerted ? visit.exited : undefined;
  const was = new Map(before.map((visit) => [visit.id, visit]));
  const nextWas = nextVisits(before);
  const nextIs = nextVisits(after);
  for (const visit of after) {
    if (!visit.published.exitAlerted) continue;
    const next = nextIs.get(visit.id);
    const isSame =
      isDeepStrictEqual(exitOf(was.get(visit.id)), visit.exited) &&
      nextWas.get(visit.id)?.entered.atMs === next?.entered.atMs;
    if (!isSame) publishExitAlert(visit, next, context);
  }
}

/** The next visit in the same fence, by the id of the one before. */
function nextVisits(list: readonly Visit[]): ReadonlyMap<VisitId, Visit> {
  const newest = new Map<GeofenceId, Visit>();
  const next = new Map<VisitId, Visit>();
  for (const visit of list) {
    const earlier = newest.get(visit.geofenceId);
    if (earlier !== undefined) next.set(earlier.id, visit);
    newest.set(visit.geofenceId, visit);
  }
  return next;
}

function publishIfNew(visit: Visit, found: FoundVisit, context: EventContext): Visit {
  const { bounds: _bounds, enterAlertOn: _enter, exitAlertOn: _exit, ...kept } = found;
  const published = { ...visit.published, ...alertedEnds(found, visit.published) };
  // A re-run finds most visits as they were: those are neither published nor written again.
  if (isDeepStrictEqual({ ...visit, ...kept, published }, visit)) return visit;
  return publishVisit(visit, found, visit.id, context);
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
  bounds: crossing.bounds,
  exited: endOf(crossing),
  exitAlertOn: crossing.fence.alertOn,
});

const endOf = ({ atMs, location, accuracyM, cause }: Crossing): VisitEnd => ({
  atMs,
  location,
  accuracyM,
  cause,
});
