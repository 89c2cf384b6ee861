import { localDayAt, overlapMs, type WorkCalendar } from "../../domain/local-time.ts";
import {
  type AssetTrack,
  beginDay,
  copyTimeline,
  type OpenDay,
  openDayOf,
} from "../track/asset-track.ts";
import type { UsageSample } from "../track/usage-sample.ts";
import { advanceWork, MAX_BRIDGE_MS, reportedAt, type WorkSink } from "../track/work.ts";
import { closeOldDays } from "./closed-days.ts";
import { bridgeUsage, settledSinceMs } from "./usage-fold.ts";

/**
 * Folds a sample that is newer than all before it into working time, engine time and distance of its
 * local day. Opens the day when the sample is the first there.
 */
export function foldWork(track: AssetTrack, sample: UsageSample, calendar: WorkCalendar): void {
  openDays(track, sample.tMs, calendar);
  countSaid(track, sample);
  const { work, usage } = track;
  const before = reportedAt(work, usage.engineToMs);
  const anchorAgeMs = work.anchorAtMs > 0 ? sample.tMs - work.anchorAtMs : Number.POSITIVE_INFINITY;
  const { latitude, longitude, accuracyM, positionAtMs: atMs } = usage;
  const position = { latitude, longitude, accuracyM, atMs };
  dayCredits.begin(track, calendar);
  advanceWork(work, sample, dayCredits);
  const { workedMs, workedFromMs, travelledM } = dayCredits;
  // A spread that adds members takes 0.5 us, all of these named none.
  const observed = { before, anchorAgeMs, position, workedMs, workedFromMs, travelledM };
  bridgeUsage(track, sample, observed, calendar);
  settleDays(track);
  closeOldDays(track);
}

/** Counts the sample's values in its day, so that a figure without a value has a true reason. */
function countSaid({ days }: AssetTrack, sample: UsageSample): void {
  const said = days.at(-1)?.usage.said;
  if (said === undefined || said.work < 0) return;
  const { engineOn, engineHours, speedKmh, latitude, odometerKm, tripKm } = sample;
  const saysEngine = !(Number.isNaN(engineOn) && Number.isNaN(engineHours));
  const saysDistance = !(
    Number.isNaN(latitude) &&
    Number.isNaN(odometerKm) &&
    Number.isNaN(tripKm)
  );
  if (saysEngine) said.engine += 1;
  if (saysEngine || saysDistance || !Number.isNaN(speedKmh)) said.work += 1;
  if (saysDistance) said.distance += 1;
}

/** Adds intervals to the days they lie in, and within a day to shift or overtime; sums them up as well. */
class DayCredits implements WorkSink {
  workedMs = 0;
  /** `NaN`: nothing was worked. */
  workedFromMs = Number.NaN;
  travelledM = 0;
  #credited: { readonly track: AssetTrack; readonly calendar: WorkCalendar } | undefined;

  /** For the next sample. */
  begin(track: AssetTrack, calendar: WorkCalendar): void {
    this.workedMs = 0;
    this.workedFromMs = Number.NaN;
    this.travelledM = 0;
    this.#credited = { track, calendar };
  }

  working(fromMs: number, toMs: number): void {
    if (this.workedMs === 0) this.workedFromMs = fromMs;
    this.workedMs += toMs - fromMs;
    this.#eachDay(fromMs, toMs, addWork);
  }

  engineOn(fromMs: number, toMs: number): void {
    this.#eachDay(fromMs, toMs, addEngineTime);
  }

  travelled(atMs: number, meters: number): void {
    this.travelledM += meters;
    // Movement is seen at its end; the whole stretch counts for that day.
    this.#eachDay(atMs, atMs + 1, (day) => {
      day.distanceM += meters;
    });
  }

  /** Cuts `[fromMs, toMs)` at local midnights; a piece before the oldest open day falls away. */
  #eachDay(fromMs: number, toMs: number, add: AddToDay): void {
    if (this.#credited === undefined) return;
    const { track, calendar } = this.#credited;
    for (let startMs = fromMs; startMs < toMs; ) {
      const local = localDayAt(calendar, startMs);
      const endMs = Math.min(toMs, local.endMs);
      const day = openDayOf(track, local.day, startMs);
      if (day !== undefined) {
        add(day, startMs, endMs, local.shift);
        track.changedDays.add(day.day);
      }
      startMs = endMs;
    }
  }
}

/** One for all: a sample is folded from its beginning to its end before the next. */
const dayCredits = new DayCredits();

type AddToDay = (
  day: OpenDay,
  startMs: number,
  endMs: number,
  shift: ReturnType<typeof localDayAt>["shift"],
) => void;

const addWork: AddToDay = (day, startMs, endMs, shift) => {
  const inShiftMs = overlapMs(shift, startMs, endMs);
  day.workingMs += inShiftMs;
  day.overtimeMs += endMs - startMs - inShiftMs;
};

const addEngineTime: AddToDay = (day, startMs, endMs) => {
  day.engineOnMs += endMs - startMs;
};

/** Opens the day of a sample, and the days of a silence before it that is bridged. */
function openDays(track: AssetTrack, atMs: number, calendar: WorkCalendar): void {
  const newest = track.days.at(-1);
  // Compared by instant first: this runs once per reading.
  const local = localDayAt(calendar, atMs);
  if (newest !== undefined && newest.day >= local.day) return;
  const isBridged = newest !== undefined && atMs - track.work.tMs <= MAX_BRIDGE_MS;
  const afterNewestMs = isBridged ? localDayAt(calendar, newest.startMs).endMs : local.startMs;
  // 24 hours or more to the east, the newest day began when it was this day already.
  for (let startMs = Math.min(afterNewestMs, local.startMs); startMs <= local.startMs; ) {
    const opened = localDayAt(calendar, startMs);
    // In another time zone than before, the midnight after the newest day may begin the same date again.
    if (newest === undefined || opened.day > newest.day) {
      openDay(track, opened.day, opened.startMs);
    }
    startMs = opened.endMs;
  }
}

function openDay(track: AssetTrack, day: string, startMs: number): void {
  track.days.push(beginDay({ day, startMs, atStart: copyTimeline(track) }));
  // Stored even if nothing is credited: on that day, or before and after it, the asset reported.
  track.changedDays.add(day);
}

/** Notes from which sample on nothing changes the days before one any more. */
function settleDays(track: AssetTrack): void {
  const newest = track.days.at(-1);
  // Nearly always: this runs once per reading.
  if (newest === undefined || newest.settledMs <= track.work.tMs) return;
  const sinceMs = settledSinceMs(track);
  for (const day of track.days) {
    if (day.settledMs > track.work.tMs && day.startMs <= sinceMs) day.settledMs = track.work.tMs;
  }
}
