import { crc32 } from "node:zlib";
import fc from "fast-check";
import type { Limit } from "../../domain/equipment/maintenance.ts";
import type { Reading } from "../../domain/equipment/reading.ts";
import { offsetLocation } from "../../domain/geodesy.ts";
import { DEFAULT_CROSSING_RULES } from "../../domain/geometry/geofence.ts";
import type { GeofenceId } from "../../domain/ids.ts";
import { packTrack, unpackTrack } from "../../ingest/track/track-codec.ts";
import { usageTotals } from "../../ingest/utilization/usage-totals.ts";
import type { GeofenceVersion } from "../../storage/ports/equipment/geofences.ts";
import { ASSET, openTimelineRun, PROJECT, type TimelineRun } from "./timeline-run.ts";

const calendar = { time_zone: "Europe/Berlin", shift: { start: "07:00", end: "16:00" } };
const T0 = Date.parse("2026-06-01T04:00:00Z");
const ORIGIN = { latitude: 52.5, longitude: 13.4 };
const SECOND = 1_000;

/** A square of the plane around the origin, in force for a stretch of the walk. */
export const fence = fc.record({
  id: fc.constantFrom("a", "b", "c"),
  eastM: fc.integer({ min: -300, max: 300 }),
  northM: fc.integer({ min: -300, max: 300 }),
  halfM: fc.integer({ min: 10, max: 200 }),
  confirmFixes: fc.integer({ min: 1, max: 3 }),
  dwellS: fc.constantFrom(0, 0, 30),
  bufferM: fc.constantFrom(0, 30),
});
type FenceDrawing = typeof fence extends fc.Arbitrary<infer T> ? T : never;

/** Each id is drawn, moved by its next drawing, and perhaps deleted, at times spread over the walk. */
export function versionsOf(
  drawings: readonly FenceDrawing[],
  readings: readonly Reading[],
): readonly GeofenceVersion[] {
  const spanMs = spanOf(readings);
  const versions: GeofenceVersion[] = [];
  drawings.forEach((drawing, i) => {
    const validFromMs = i < 2 ? 0 : T0 + Math.floor((spanMs * i) / drawings.length);
    const before = versions.findLastIndex(({ geofenceId }) => geofenceId === drawing.id);
    const open = versions[before];
    if (open !== undefined && open.validToMs === undefined) {
      if (open.validFromMs >= validFromMs) return;
      versions[before] = { ...open, validToMs: validFromMs };
    }
    const corner = (east: number, north: number) => {
      const { eastM, northM, halfM } = drawing;
      const at = offsetLocation(ORIGIN, eastM + east * halfM, northM + north * halfM);
      return [at.longitude, at.latitude] as const;
    };
    versions.push({
      geofenceId: drawing.id as GeofenceId,
      projectId: PROJECT,
      name: drawing.id,
      kind: "zone",
      ring: [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)],
      areaSqm: 4 * drawing.halfM ** 2,
      alertOn: ["both"],
      rules: {
        ...DEFAULT_CROSSING_RULES,
        confirm_fixes: drawing.confirmFixes,
        min_dwell_s: drawing.dwellS,
        exit_buffer_m: drawing.bufferM,
      },
      validFromMs,
      validToMs: undefined,
      revision: i + 1,
    });
  });
  return versions;
}

/** One reading of a walk: how long after the one before, and how far from it. */
export const step = fc.record({
  afterS: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 30 }) },
    { weight: 2, arbitrary: fc.integer({ min: 60, max: 1_200 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1_200, max: 7_200 }) },
  ),
  eastM: fc.integer({ min: -90, max: 90 }),
  northM: fc.integer({ min: -90, max: 90 }),
  accuracy: fc.constantFrom(undefined, 1.9, 5, 12),
  engine: fc.constantFrom(undefined, 0, 1),
  speed: fc.constantFrom(undefined, 0, 12),
  load: fc.constantFrom(undefined, undefined, 5, 60),
  // How fast the machine's own meters went since the step before; 40: another meter took its place.
  meters: fc.constantFrom("none" as const, "none", "hours", "odometer", "both", "trip"),
  ran: fc.constantFrom(0, 0.3, 1, 40),
  treat: fc.oneof(
    { weight: 12, arbitrary: fc.constant("fix" as const) },
    { weight: 2, arbitrary: fc.constant("stand" as const) },
    { weight: 2, arbitrary: fc.constant("no_position" as const) },
    { weight: 1, arbitrary: fc.constant("outlier" as const) },
  ),
  seq: fc.integer({ min: 0, max: 3 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** From the first possible reading to the last one, ms. */
export const spanOf = (readings: readonly Reading[]): number =>
  (readings.at(-1)?.fixTimeMs ?? T0) - T0;

/** The readings of a walk, by rising fix time. */
export function walk(steps: readonly Step[]): readonly Reading[] {
  let atMs = T0;
  let eastM = 0;
  let northM = 0;
  let hours = 1_000;
  let km = 20_000;
  return steps.map((one): Reading => {
    atMs += one.afterS * SECOND;
    hours = one.ran === 40 ? 5 : hours + (one.ran * one.afterS) / 3_600;
    km = one.ran === 40 ? 5 : km + (one.ran * one.afterS) / 100;
    if (one.treat === "fix") {
      eastM += one.eastM;
      northM += one.northM;
    }
    const far = one.treat === "outlier" ? 5_000 : 0;
    const at = offsetLocation(ORIGIN, eastM + far, northM);
    const fields: Record<string, number> = { battery_voltage: 12 + one.seq };
    if (one.treat !== "no_position") {
      fields["latitude"] = at.latitude;
      fields["longitude"] = at.longitude;
      if (one.accuracy !== undefined) fields["accuracy_meters"] = one.accuracy;
    }
    if (one.engine !== undefined) fields["engine_on"] = one.engine;
    if (one.speed !== undefined) fields["speed_kmh"] = one.speed;
    if (one.load !== undefined) fields["load_percent"] = one.load;
    const isBoth = one.meters === "both";
    if (isBoth || one.meters === "hours") fields["engine_hours"] = Math.floor(hours * 20) / 20;
    if (isBoth || one.meters === "odometer") fields["odometer_km"] = Math.floor(km * 10) / 10;
    if (one.meters === "trip") fields["trip_odometer_km"] = Math.floor(km) % 500;
    return {
      fixTimeMs: atMs,
      timeSource: "device",
      rawTimeMs: undefined,
      seq: one.seq,
      payloadHash: crc32(JSON.stringify(fields)),
      fields,
      faults: undefined,
    };
  });
}

/** What the plan watches: two values that the walk takes beyond their limits and back. */
const LIMITS: readonly Limit[] = [
  {
    ...{ id: "volts", name: "Battery", field: "battery_voltage", bound: "above" as const },
    ...{ level: 13.5, clearAt: 12.5, forMs: 0, severity: "critical" as const },
  },
  {
    ...{ id: "accuracy", name: "Accuracy", field: "accuracy_meters", bound: "below" as const },
    ...{ level: 6, clearAt: 10, forMs: 20_000, severity: "warning" as const },
  },
];

export const byTime = (a: Reading, b: Reading) =>
  a.fixTimeMs - b.fixTimeMs || a.seq - b.seq || a.payloadHash - b.payloadHash;

/** What is compared of two runs. */
interface TimelineOutcome {
  readonly table: readonly string[];
  readonly visits: readonly string[];
  readonly days: readonly { readonly day: string }[];
  readonly totals: { readonly hours: number; readonly meters: number };
  readonly alerts: readonly string[];
}

/** What must be the same for every order of arrival: the table of events, the visits, and utilisation. */
export function outcome(run: TimelineRun): TimelineOutcome {
  const visits = [...run.visits.values()]
    .filter((visit) => !visit.withdrawn)
    .map(({ geofenceId, entered, exited, inferred }) =>
      [entered.atMs, geofenceId, entered.cause, exited?.atMs, exited?.cause, inferred].join(" "),
    )
    .toSorted();
  const days = [...run.storedDays.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1));
  // Not what the machine's meter shows: that is live state, which the past never changes.
  const { hours, km } = usageTotals(run.track);
  const totals = { hours: Math.round(hours * 1e4), meters: Math.round(km * 1e3) };
  return { table: run.table(), visits, days, totals, alerts: openAlerts(run) };
}

/** Alerts that are open: one per visit that has no end, and per exit that no entry followed. */
const openAlerts = (run: TimelineRun) =>
  [...run.alerts.values()]
    .filter(({ resolvedAtMs }) => resolvedAtMs === undefined)
    .map(({ type, geofenceId, openedAtMs }) => `${type} ${geofenceId} ${openedAtMs}`)
    .toSorted();

/** The time line of the readings in order. Fences drawn after the last of them are learned when they are drawn. */
export async function takenInOrder(
  readings: readonly Reading[],
  versions: readonly GeofenceVersion[],
): Promise<TimelineRun> {
  const run = openTimelineRun(calendar, versions, LIMITS);
  for (const one of readings.toSorted(byTime)) {
    await run.take(one);
    await run.rerun();
  }
  run.learn(versions);
  await run.rerun();
  return run;
}

/** What has come to a time line so far. */
export interface Arrived {
  readonly run: TimelineRun;
  readonly readings: readonly Reading[];
  readonly versions: readonly GeofenceVersion[];
}

/** Called while readings arrive. */
export interface ArrivalWatch {
  /** A reading came, and `before` is what was published until then. */
  arriving?(one: Reading, arrived: Arrived): () => void;
  /** A re-run has ended, or none was due, and nothing is late. */
  settled?(arrived: Arrived): Promise<void>;
}

/** All of them in any order, and half of them twice. */
export const shuffled = (readings: readonly Reading[], next: () => number): readonly Reading[] =>
  [...readings, ...readings.slice(0, readings.length / 2)]
    .map((one) => ({ one, key: next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ one }) => one);

/** Fences that are there from the beginning on, and those that are learned while readings arrive. */
export interface ArrivalFences {
  readonly known?: readonly GeofenceVersion[];
  readonly learned?: readonly GeofenceVersion[];
}

/**
 * The time line of readings that come in this order, with re-runs, restarts and fences that are learned in
 * between, all as `next` decides. On average a re-run comes after `every` readings.
 */
export async function takenAsTheyCome(
  arriving: readonly Reading[],
  { known = [], learned: unknown = [] }: ArrivalFences,
  next: () => number,
  every: number,
  watch: ArrivalWatch = {},
): Promise<TimelineRun> {
  const run = openTimelineRun(calendar, known, LIMITS);
  // Fences are learned one by one, at any time; a fix is evaluated by those of its own time.
  const unlearned = new Map<number, GeofenceVersion[]>();
  for (const version of unknown) {
    const index = next() % arriving.length;
    unlearned.set(index, [...(unlearned.get(index) ?? []), version]);
  }
  const arrived = { run, readings: [] as Reading[], versions: [...known] };
  const arrive = async (): Promise<void> => {
    const index = arrived.readings.length;
    const one = arriving[index];
    if (one === undefined) return;
    const learned = unlearned.get(index);
    if (learned !== undefined) {
      run.learn(learned);
      arrived.versions.push(...learned);
    }
    arrived.readings.push(one);
    const check = watch.arriving?.(one, arrived);
    await run.take(one);
    check?.();
  };
  while (arrived.readings.length < arriving.length) {
    await arrive();
    // What comes during a re-run counts like everything else.
    if (next() % every === 0) {
      await run.rerun(async () => {
        for (let n = next() % 4; n > 0; n--) await arrive();
      });
    }
    if (next() % 20 === 0) restarted(run);
    if (!Number.isFinite(run.track.lateFromMs)) await watch.settled?.(arrived);
  }
  await run.rerun();
  await watch.settled?.(arrived);
  return run;
}

function restarted(run: TimelineRun): void {
  run.restart((track) => {
    const stored = unpackTrack(ASSET, packTrack(track));
    if (stored === undefined) throw new Error("the stored state is not readable");
    return stored;
  });
}

/** What a property leaves to chance, so that what fails can be repeated. */
export const chances = fc.array(fc.nat(), { minLength: 150, maxLength: 150 });

/** Yields these numbers one after the other, and then again. */
export function drawing(numbers: readonly number[]): () => number {
  let at = 0;
  return () => numbers[at++ % numbers.length] ?? 0;
}
