import { type RecordedEpisode, withinReach } from "../events/episodes.ts";
import { limitsExceeded } from "../maintenance/limit-fold.ts";
import { type AssetTrack, clockOf, LATE_SPAN_MS, type OpenDay } from "../track/asset-track.ts";
import { knownMs } from "../track/day-usage.ts";

/**
 * Closes the days in which no re-run can start any more: a late reading within reach is folded from
 * a later day's start. Their totals are kept, and stored once more if they have changed.
 */
export function closeOldDays(track: AssetTrack): void {
  const { days, work, lateFromMs, ahead } = track;
  // Nor the days in which a due re-run starts: a backlog of weeks passes 72 h before it is made.
  const dueFromMs = Math.min(lateFromMs, ahead?.fromMs ?? Number.POSITIVE_INFINITY);
  const reachMs = Math.min(work.tMs - LATE_SPAN_MS, dueFromMs);
  // Nearly always: this runs once per reading.
  if (days[1] === undefined || days[1].startMs > reachMs) return;
  const first = days.findLastIndex((day) => isBase(day, reachMs));
  if (first < 1) return;
  for (const day of days.splice(0, first)) {
    track.engineOnBeforeMs += day.engineOnMs;
    track.distanceBeforeM += day.distanceM;
    track.knewEngineBefore ||= knownMs(day.usage.engineCover) > 0;
    track.knewDistanceBefore ||= knownMs(day.usage.distanceCover) > 0;
    track.hasClosedDays = true;
    if (track.changedDays.has(day.day)) track.closedDays.push(day);
  }
  forgetEpisodes(track);
}

/** Whether everything after `reachMs` can be folded from the start of that day. */
const isBase = ({ settledMs, atStart }: OpenDay, reachMs: number): boolean =>
  // A reading in a silence over midnight also changes the credit of the day before. A fence that
  // changed in a silence before the day's first reading is in the day's start already.
  settledMs < reachMs && clockOf(atStart) < reachMs;

/** Lets go of what no re-run can reach any more. */
function forgetEpisodes(track: AssetTrack): void {
  const { visits, exceedances, days } = track;
  const base = days[0]?.atStart;
  if (base === undefined) return;
  const { nextOrdinal } = base;
  const exceeded = new Set(limitsExceeded(base.limits));
  const isOpen = ({ ordinal, limit }: RecordedEpisode & { readonly limit: { id: string } }) =>
    ordinal >= nextOrdinal || exceeded.has(limit.id);
  track.exceedances = withinReach(exceedances, nextOrdinal, ({ limit }) => limit.id).filter(isOpen);
  if (nextOrdinal <= visits.completeFrom) return;
  visits.list = withinReach(visits.list, nextOrdinal, ({ geofenceId }) => geofenceId);
  visits.completeFrom = nextOrdinal;
}
