import { localDayAt, overlapMs, type WorkCalendar } from "../../domain/local-time.ts";
import { type AssetTrack, copyTimeline, type OpenDay } from "./asset-track.ts";
import { closeOldDays } from "./closed-days.ts";
import { advanceWork, type WorkSample, type WorkSink } from "./work.ts";

/**
 * Folds a sample that is newer than all before it into working time, engine time and distance of its
 * local day; opens the day when the sample is the first there.
 */
export function foldWork(track: AssetTrack, sample: WorkSample, calendar: WorkCalendar): void {
  openDay(track, sample.tMs, calendar);
  advanceWork(track.work, sample, daySink(track, calendar));
  closeOldDays(track);
}

/** Adds intervals to the days they lie in, and within a day to shift or overtime. */
function daySink(track: AssetTrack, calendar: WorkCalendar): WorkSink {
  return {
    working(fromMs, toMs) {
      eachDay(track, calendar, fromMs, toMs, (day, start, end, shift) => {
        const inShiftMs = overlapMs(shift, start, end);
        day.workingMs += inShiftMs;
        day.overtimeMs += end - start - inShiftMs;
      });
    },
    engineOn(fromMs, toMs) {
      eachDay(track, calendar, fromMs, toMs, (day, start, end) => {
        day.engineOnMs += end - start;
      });
    },
    travelled(atMs, meters) {
      // Movement is seen at its end; the whole stretch counts for that day.
      eachDay(track, calendar, atMs, atMs + 1, (day) => {
        day.distanceM += meters;
      });
    },
  };
}

/** Cuts `[fromMs, toMs)` at local midnights; a piece before the oldest open day falls away. */
function eachDay(
  track: AssetTrack,
  calendar: WorkCalendar,
  fromMs: number,
  toMs: number,
  add: (
    day: OpenDay,
    startMs: number,
    endMs: number,
    shift: ReturnType<typeof localDayAt>["shift"],
  ) => void,
): void {
  for (let startMs = fromMs; startMs < toMs; ) {
    const local = localDayAt(calendar, startMs);
    const endMs = Math.min(toMs, local.endMs);
    const day = track.days.findLast((open) => open.day === local.day);
    if (day !== undefined) {
      add(day, startMs, endMs, local.shift);
      track.changedDays.add(day.day);
    }
    startMs = endMs;
  }
}

function openDay(track: AssetTrack, atMs: number, calendar: WorkCalendar): void {
  const newest = track.days.at(-1);
  // Compared by instant first: this runs once per reading.
  const local = localDayAt(calendar, atMs);
  if (newest !== undefined && newest.day >= local.day) return;
  track.days.push({
    day: local.day,
    startMs: local.startMs,
    atStart: copyTimeline(track),
    workingMs: 0,
    overtimeMs: 0,
    engineOnMs: 0,
    distanceM: 0,
  });
  // Stored even if nothing is credited: on that day the asset reported.
  track.changedDays.add(local.day);
}
