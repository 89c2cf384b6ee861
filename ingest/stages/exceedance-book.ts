import { isDeepStrictEqual } from "node:util";
import { randomBase62 } from "../../domain/ids.ts";
import { type EpisodeKind, type FoundAgain, reconcileEpisodes } from "../events/episodes.ts";
import type { LimitChange } from "../maintenance/limit-fold.ts";
import { type AssetTrack, takeOrdinal } from "../track/asset-track.ts";
import type { Exceedance, FoundExceedance } from "../track/exceedance.ts";
import { publishExceedance, withdrawExceedance } from "./exceedance-events.ts";
import type { EventContext } from "./visit-events.ts";

/** Publishes that the live fold has just found a limit exceeded, or cleared. */
export function applyLimitChange(
  track: AssetTrack,
  change: LimitChange,
  context: EventContext,
): void {
  const kind = exceedanceKind(track, context);
  if (change.type === "exceeded") {
    const exceedance = kind.publish(undefined, kind.begin(change, takeOrdinal(track)));
    track.exceedances = [...track.exceedances, exceedance];
    return;
  }
  const open = track.exceedances.findLast((one) => one.limit.id === change.limit.id);
  if (open === undefined) return;
  const closed = kind.publish(open, kind.end(kind.reopen(open), change));
  track.exceedances = track.exceedances.map((one) => (one === open ? closed : one));
}

/** Compares what a re-run has found with what was published, and publishes the difference. */
export function reconcileExceedances(
  track: AssetTrack,
  found: FoundAgain<LimitChange>,
  context: EventContext,
): void {
  track.exceedances = reconcileEpisodes(exceedanceKind(track, context), track.exceedances, found);
}

function exceedanceKind(
  { assetId, projectId }: AssetTrack,
  context: EventContext,
): EpisodeKind<Exceedance, FoundExceedance, LimitChange> {
  return {
    subjectOf: ({ limit }) => limit.id,
    subjectOfChange: ({ limit }) => limit.id,
    isBeginning: ({ type }) => type === "exceeded",
    begin: ({ limit, atMs, value, cause }, ordinal) => ({
      ...{ assetId, projectId, ordinal, limit },
      exceeded: { atMs, value, cause },
      cleared: undefined,
    }),
    end: (found, { atMs, value, cause }) => ({ ...found, cleared: { atMs, value, cause } }),
    reopen: ({ id: _id, published: _published, ...found }) => ({ ...found, cleared: undefined }),
    spanOf: ({ exceeded, cleared }) => ({
      fromMs: exceeded.atMs,
      toMs: cleared?.atMs ?? Number.POSITIVE_INFINITY,
    }),
    publish(before, found) {
      if (before !== undefined && isDeepStrictEqual({ ...before, ...found }, before)) return before;
      return publishExceedance(before, found, before?.id ?? `exc_${randomBase62(16)}`, context);
    },
    withdraw: (before) => withdrawExceedance(before, context),
  };
}
