import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { offsetLocation } from "../../../domain/geodesy.ts";
import { DEFAULT_CROSSING_RULES } from "../../../domain/geofence.ts";
import type { GeofenceId } from "../../../domain/ids.ts";
import type { Limit } from "../../../domain/maintenance.ts";
import type { Reading } from "../../../domain/reading.ts";
import { packTrack, unpackTrack } from "../../../ingest/pipeline/track-codec.ts";
import type { GeofenceVersion } from "../../../storage/ports/geofences.ts";
import { ASSET, openTimelineRun, PROJECT, type TimelineRun } from "../../support/timeline-run.ts";

const calendar = { time_zone: "Europe/Berlin", shift: { start: "07:00", end: "16:00" } };
const T0 = Date.parse("2026-06-01T04:00:00Z");
const ORIGIN = { latitude: 52.5, longitude: 13.4 };
const SECOND = 1_000;
const HOUR = 3_600_000;

/** A square of the plane around the origin, in force for a stretch of the track. */
const fence = fc.record({
  id: fc.constantFrom("a", "b", "c"),
  eastM: fc.integer({ min: -300, max: 300 }),
  northM: fc.integer({ min: -300, max: 300 }),
  halfM: fc.integer({ min: 10, max: 200 }),
  confirmFixes: fc.integer({ min: 1, max: 3 }),
  dwellS: fc.constantFrom(0, 0, 30),
  bufferM: fc.constantFrom(0, 30),
});
type FenceDrawing = typeof fence extends fc.Arbitrary<infer T> ? T : never;

/** Each id is drawn, moved by its next drawing, and perhaps deleted, at times spread over the track. */
function versionsOf(drawings: readonly FenceDrawing[], spanMs: number): readonly GeofenceVersion[] {
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
const step = fc.record({
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
  treat: fc.oneof(
    { weight: 12, arbitrary: fc.constant("fix" as const) },
    { weight: 2, arbitrary: fc.constant("stand" as const) },
    { weight: 2, arbitrary: fc.constant("no_position" as const) },
    { weight: 1, arbitrary: fc.constant("outlier" as const) },
  ),
  seq: fc.integer({ min: 0, max: 3 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function walk(steps: readonly Step[]): readonly Reading[] {
  let atMs = T0;
  let eastM = 0;
  let northM = 0;
  return steps.map((one): Reading => {
    atMs += one.afterS * SECOND;
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

const byTime = (a: Reading, b: Reading) =>
  a.fixTimeMs - b.fixTimeMs || a.seq - b.seq || a.payloadHash - b.payloadHash;

/** What must be the same at the end: the table of events, the visits, and utilisation. */
function outcome(run: TimelineRun) {
  const visits = [...run.visits.values()]
    .filter((visit) => !visit.withdrawn)
    .map(({ geofenceId, entered, exited, inferred }) =>
      [entered.atMs, geofenceId, entered.cause, exited?.atMs, exited?.cause, inferred].join(" "),
    )
    .toSorted();
  const days = run.track.days.map(({ day, workingMs, overtimeMs, engineOnMs, distanceM }) => ({
    ...{ day, workingMs, overtimeMs, engineOnMs, distanceM },
  }));
  return { table: run.table(), visits, days };
}

/** Alerts that are open: one per visit that has no end, and per exit that no entry followed. */
const openAlerts = (run: TimelineRun) =>
  [...run.alerts.values()]
    .filter(({ resolvedAtMs }) => resolvedAtMs === undefined)
    .map(({ type, geofenceId, openedAtMs }) => `${type} ${geofenceId} ${openedAtMs}`)
    .toSorted();

describe("readings of 72 h in any order, any number of times", () => {
  it("end in the same crossings, visits, utilisation and open alerts as readings in order", async () => {
    let withVisits = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 60 }),
        fc.array(fence, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.nat(), { minLength: 150, maxLength: 150 }),
        async (steps, drawings, every, randoms) => {
          const readings = walk(steps);
          const spanMs = (readings.at(-1)?.fixTimeMs ?? T0) - T0;
          fc.pre(spanMs < 72 * HOUR);
          const versions = versionsOf(drawings, spanMs);
          const inOrder = openTimelineRun(calendar, versions, LIMITS);
          for (const one of readings.toSorted(byTime)) {
            await inOrder.take(one);
            await inOrder.rerun();
          }
          // Fences drawn after the last reading are learned when they are drawn.
          inOrder.learn(versions);
          await inOrder.rerun();

          let at = 0;
          const next = () => randoms[at++ % randoms.length] ?? 0;
          const shuffled = [...readings, ...readings.slice(0, readings.length / 2)]
            .map((one) => ({ one, key: next() }))
            .sort((a, b) => a.key - b.key)
            .map(({ one }) => one);
          const run = openTimelineRun(calendar, [], LIMITS);
          // Fences are learned one by one, whenever; a fix is judged by those of its own time.
          const unlearned = new Map<number, GeofenceVersion[]>();
          for (const version of versions) {
            const index = next() % shuffled.length;
            unlearned.set(index, [...(unlearned.get(index) ?? []), version]);
          }
          let arrived = 0;
          const arrive = async (): Promise<void> => {
            const one = shuffled[arrived];
            if (one === undefined) return;
            const learned = unlearned.get(arrived);
            arrived += 1;
            if (learned !== undefined) run.learn(learned);
            await run.take(one);
          };
          while (arrived < shuffled.length) {
            await arrive();
            // What comes while a re-run is under way counts like everything else.
            if (next() % every === 0) {
              await run.rerun(async () => {
                for (let n = next() % 4; n > 0; n--) await arrive();
              });
            }
            if (next() % 20 === 0) {
              run.restart((track) => {
                const stored = unpackTrack(ASSET, packTrack(track));
                if (stored === undefined) throw new Error("the stored state is not readable");
                return stored;
              });
            }
          }
          await run.rerun();
          expect(run.track.lateFromMs).toBe(Number.POSITIVE_INFINITY);
          expect(outcome(run)).toEqual(outcome(inOrder));
          expect(openAlerts(run)).toEqual(openAlerts(inOrder));
          if (outcome(inOrder).visits.length > 0) withVisits += 1;
        },
      ),
      { numRuns: 1_000 },
    );
    // The property would hold of an evaluator that sees nothing.
    expect(withVisits).toBeGreaterThan(300);
  }, 60_000);
});
