import { LATE_FIELD } from "../../domain/equipment/lateness.ts";
import { DERIVED_FROM_POSITION, MOCKED_FIELD } from "../../domain/equipment/mocked-position.ts";
import type { Series } from "../../storage/ports/telemetry-store.ts";
import { accuracyOr } from "../geofence/accuracy.ts";
import type { TimelineSample } from "../track/timeline-sample.ts";
import type { TimelineRules } from "./timeline.ts";

/** Samples folded before the event loop gets a turn, about 5 ms of work. More hold up messages; fewer make re-runs longer. */
const SLICE = 5_000;

/** The fields that a sample is made of. */
const SAMPLE_FIELDS = [
  "latitude",
  "longitude",
  "accuracy_meters",
  "hdop",
  "speed_kmh",
  "engine_on",
  "load_percent",
  "engine_hours",
  "odometer_km",
  "trip_odometer_km",
  MOCKED_FIELD,
] as const;

/** Makes samples of readings as they were read back from the telemetry store, all fields of them. */
export async function eachSample(
  { timesMs, columns }: Series,
  rules: TimelineRules,
  take: (sample: TimelineSample) => void,
): Promise<void> {
  const limited = limitedFields(rules, timesMs).flatMap((name) => {
    const column = columns.get(name);
    return column === undefined ? [] : [{ name, column }];
  });
  const none = new Float64Array(timesMs.length).fill(Number.NaN);
  const [latitude, longitude, accuracy, hdop, speed, engine, load, hours, odometer, trip, mocked] =
    SAMPLE_FIELDS.map((name) => columns.get(name) ?? none);
  const at = (column: Float64Array | undefined, i: number) => column?.[i] ?? Number.NaN;
  for (const [i, tMs] of timesMs.entries()) {
    if (i % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve));
    // As `sampleOf` has it of a reading.
    const isMeasured = at(mocked, i) !== 1;
    take({
      tMs,
      latitude: isMeasured ? at(latitude, i) : Number.NaN,
      longitude: isMeasured ? at(longitude, i) : Number.NaN,
      accuracyM: accuracyOr(at(accuracy, i), at(hdop, i)).meters,
      speedKmh: isMeasured ? at(speed, i) : Number.NaN,
      engineOn: at(engine, i),
      loadPercent: at(load, i),
      engineHours: at(hours, i),
      odometerKm: isMeasured ? at(odometer, i) : Number.NaN,
      tripKm: isMeasured ? at(trip, i) : Number.NaN,
      fields: fieldsAt(limited, i, isMeasured),
    });
  }
}

/** The fields that any limit in force during the series reads. */
function limitedFields({ limits }: TimelineRules, timesMs: Float64Array): readonly string[] {
  const fromMs = timesMs[0];
  const toMs = timesMs.at(-1);
  if (fromMs === undefined || toMs === undefined) return [];
  const instants = [fromMs, ...limits.changes(fromMs, toMs)];
  const names = instants.flatMap((atMs) => limits.limitsAt(atMs).map(({ field }) => field));
  // Readings as they arrive do not have the stores' own field, so a re-run must not see it either.
  return [...new Set(names)].filter((name) => name !== LATE_FIELD);
}

const NO_FIELDS: Readonly<Record<string, number>> = {};

/** What the limits read in one row; `NaN` where it does not say. */
function fieldsAt(
  limited: readonly { readonly name: string; readonly column: Float64Array }[],
  i: number,
  isMeasured: boolean,
): Readonly<Record<string, number>> {
  if (limited.length === 0) return NO_FIELDS;
  const fields: Record<string, number> = {};
  for (const { name, column } of limited) {
    const isKept = isMeasured || !DERIVED_FROM_POSITION.has(name);
    fields[name] = (isKept ? column[i] : undefined) ?? Number.NaN;
  }
  return fields;
}
