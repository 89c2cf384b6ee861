import { localDayAt, type WorkCalendar } from "../../domain/local-time.ts";
import type { Series, TelemetryStore } from "../../storage/ports.ts";
import { accuracyOr } from "./accuracy.ts";
import type { AssetTrack } from "./asset-track.ts";
import { closeOldDays, foldSample } from "./utilization.ts";
import { MAX_GAP_MS, newWorkState } from "./work.ts";

/** Samples folded before the event loop gets a turn: about 5 ms of work. Chosen. */
const SLICE = 10_000;

/** The fields that `WorkSample` is made of. */
const SAMPLE_FIELDS = [
  "latitude",
  "longitude",
  "accuracy_meters",
  "hdop",
  "speed_kmh",
  "engine_on",
  "load_percent",
] as const;

/**
 * Puts late readings in their place: folds the asset's readings again from the start of a local day
 * before the oldest late one, read back from the telemetry store. The result is what readings in
 * order would have given. Nothing else may fold into the track meanwhile; it is changed in one step
 * at the end, because it may be stored or shown at any time before.
 */
export async function rerunUtilization(
  track: AssetTrack,
  telemetry: TelemetryStore,
  calendar: WorkCalendar,
): Promise<void> {
  // Just after midnight a late reading also decides what the end of the day before is credited.
  const touchedFromMs = track.lateFromMs - MAX_GAP_MS;
  const oldest = track.hasClosedDays ? track.days[0] : undefined;
  const restart = track.days.findLast((day) => day.startMs <= touchedFromMs) ?? oldest;
  const fromMs = restart?.startMs ?? localDayAt(calendar, touchedFromMs).startMs;
  const toMs = track.work.tMs + 1;
  // All fields: every reading moves the fold's clock, also one that carries none of those used here.
  const series = await telemetry.read({ assetId: track.assetId, fromMs, toMs });
  const redone: AssetTrack = {
    ...track,
    work: restart === undefined ? newWorkState() : { ...restart.atStart },
    // Only the days that are folded again: the stretch over the first midnight is in its day already.
    days: [],
    closedDays: [],
    changedDays: new Set(),
  };
  await foldSeries(redone, series, calendar);
  track.work = redone.work;
  track.days = [
    ...track.days.filter((day) => day.startMs < fromMs),
    ...redone.closedDays,
    ...redone.days,
  ];
  track.lateFromMs = Number.POSITIVE_INFINITY;
  // Also a day that lost its work to a late "engine off" has to be stored again.
  for (const day of track.days) track.changedDays.add(day.day);
  // A late reading may have opened a day in between.
  closeOldDays(track);
}

async function foldSeries(
  track: AssetTrack,
  { timesMs, columns }: Series,
  calendar: WorkCalendar,
): Promise<void> {
  const none = new Float64Array(timesMs.length).fill(Number.NaN);
  const [latitude, longitude, accuracy, hdop, speed, engine, load] = SAMPLE_FIELDS.map(
    (name) => columns.get(name) ?? none,
  );
  const at = (column: Float64Array | undefined, i: number) => column?.[i] ?? Number.NaN;
  for (const [i, tMs] of timesMs.entries()) {
    if (i % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve));
    const sample = {
      tMs,
      latitude: at(latitude, i),
      longitude: at(longitude, i),
      accuracyM: accuracyOr(at(accuracy, i), at(hdop, i)).meters,
      speedKmh: at(speed, i),
      engineOn: at(engine, i),
      loadPercent: at(load, i),
    };
    foldSample(track, sample, calendar);
  }
}
