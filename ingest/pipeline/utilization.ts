import { localDayAt, overlapMs, type WorkCalendar } from "../../domain/local-time.ts";
import type { Reading } from "../../domain/reading.ts";
import { accuracyOr } from "./accuracy.ts";
import { type AssetTrack, OPEN_DAYS, type OpenDay, type Rank } from "./asset-track.ts";
import type { FoldOutcome } from "./stage.ts";
import { advanceWork, type WorkSample, type WorkSink } from "./work.ts";

/** Span of fix time within which a late fix is put in its place, ms (DESIGN 5, Late fixes). */
const LATE_SPAN_MS = 72 * 3_600_000;

/** Folds one reading into working time, engine time and distance of its local day. */
export function applyUtilization(
  track: AssetTrack,
  reading: Reading,
  calendar: WorkCalendar,
): FoldOutcome {
  const { fixTimeMs } = reading;
  if (fixTimeMs > track.work.tMs) {
    foldSample(track, sampleOf(reading), calendar);
    track.workRank = rankOf(reading);
    return "folded";
  }
  if (isSameRank(reading, track.workRank)) return "repeated";
  const oldest = track.days[0];
  const isTooLate =
    track.work.tMs - fixTimeMs > LATE_SPAN_MS ||
    (track.hasClosedDays && oldest !== undefined && fixTimeMs < oldest.startMs);
  if (isTooLate) return "too_late";
  track.lateFromMs = Math.min(track.lateFromMs, fixTimeMs);
  return "late";
}

/** Folds a sample that is newer than all before it; opens its day when it is the first there. */
export function foldSample(track: AssetTrack, sample: WorkSample, calendar: WorkCalendar): void {
  openDay(track, sample.tMs, calendar);
  advanceWork(track.work, sample, daySink(track, calendar));
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
    atStart: { ...track.work },
    workingMs: 0,
    overtimeMs: 0,
    engineOnMs: 0,
    distanceM: 0,
  });
  // Stored even if nothing is credited: on that day the asset reported.
  track.changedDays.add(local.day);
  closeOldDays(track);
}

/** Keeps the newest {@link OPEN_DAYS} days open; older ones are changed no more. */
export function closeOldDays(track: AssetTrack): void {
  const closed = track.days.splice(0, Math.max(0, track.days.length - OPEN_DAYS));
  for (const day of closed) {
    track.engineOnBeforeMs += day.engineOnMs;
    track.hasClosedDays = true;
    if (track.changedDays.has(day.day)) track.closedDays.push(day);
  }
}

function sampleOf({ fixTimeMs, fields }: Reading): WorkSample {
  return {
    tMs: fixTimeMs,
    latitude: fields["latitude"] ?? Number.NaN,
    longitude: fields["longitude"] ?? Number.NaN,
    accuracyM: accuracyOr(fields["accuracy_meters"], fields["hdop"]).meters,
    speedKmh: fields["speed_kmh"] ?? Number.NaN,
    engineOn: fields["engine_on"] ?? Number.NaN,
    loadPercent: fields["load_percent"] ?? Number.NaN,
  };
}

const rankOf = ({ fixTimeMs, seq, payloadHash }: Rank): Rank => ({ fixTimeMs, seq, payloadHash });

const isSameRank = (a: Rank, b: Rank): boolean =>
  a.fixTimeMs === b.fixTimeMs && a.seq === b.seq && a.payloadHash === b.payloadHash;
