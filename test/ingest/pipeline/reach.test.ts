import { describe, expect, it } from "vitest";
import type { Limit } from "../../../domain/equipment/maintenance.ts";
import type { Reading } from "../../../domain/equipment/reading.ts";
import type { WorkCalendar } from "../../../domain/local-time.ts";
import { packTrack, unpackTrack } from "../../../ingest/track/track-codec.ts";
import type { GeofenceVersion } from "../../../storage/ports/equipment/geofences.ts";
import { fixAt, squareFence, stayAt } from "../../support/square-fence.ts";
import { ASSET, openTimelineRun, PROJECT, type TimelineRun } from "../../support/timeline-run.ts";

const UTC: WorkCalendar = { time_zone: "UTC", shift: { start: "00:00", end: "24:00" } };
const T0 = Date.parse("2026-06-01T00:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FENCES = [squareFence("a", PROJECT)];

async function takeAll(run: TimelineRun, readings: readonly Reading[]): Promise<void> {
  for (const one of readings) await run.take(one);
}

/** The time line of the same readings in order. */
async function inOrder(
  readings: readonly Reading[],
  fences: readonly GeofenceVersion[] = FENCES,
  limits: readonly Limit[] = [],
): Promise<TimelineRun> {
  const run = openTimelineRun(UTC, fences, limits);
  await takeAll(
    run,
    readings.toSorted((a, b) => a.fixTimeMs - b.fixTimeMs),
  );
  // A fence that was drawn after a fix, and known before it, is dealt with first.
  await run.rerun();
  return run;
}

function restart(run: TimelineRun): void {
  run.restart((track) => {
    const stored = unpackTrack(ASSET, packTrack(track));
    if (stored === undefined) throw new Error("the stored state is not readable");
    return stored;
  });
}

const openAlerts = ({ alerts }: TimelineRun) =>
  [...alerts.values()]
    .filter((alert) => alert.resolvedAtMs === undefined)
    .map((alert) => [alert.type, alert.openedAtMs]);

const workedMs = ({ track }: TimelineRun) => track.days.map(({ workingMs }) => workingMs);

describe("a late fix that ends a visit which was open where the re-run begins", () => {
  it("a late fix that ends a visit which was open where the re-run begins moves its end, although the asset was inside again before the restart of the service", async () => {
    const live = [
      ...stayAt(T0 + 23 * HOUR, "in"),
      ...stayAt(T0 + 25 * HOUR, "out"),
      ...stayAt(T0 + 26 * HOUR, "in"),
    ];
    const late = stayAt(T0 + 24.5 * HOUR, "out");
    const run = openTimelineRun(UTC, FENCES);
    await takeAll(run, live);
    restart(run);
    await takeAll(run, late);
    await run.rerun();
    expect(run.table()).toEqual((await inOrder([...live, ...late])).table());
  });

  it("a late fix that ends a visit which was open where the re-run begins moves its end, although the day on which it began is closed", async () => {
    const live = [20, 30, 54, 78, 100, 121].flatMap((hour) =>
      stayAt(T0 + hour * HOUR, hour === 54 ? "out" : "in"),
    );
    const late = stayAt(T0 + 53 * HOUR, "out");
    const run = openTimelineRun(UTC, FENCES);
    await takeAll(run, live);
    // The first of June, on which it began, is closed.
    expect(run.track.days[0]?.day).toBe("2026-06-02");
    await takeAll(run, late);
    await run.rerun();
    expect(run.table()).toEqual((await inOrder([...live, ...late])).table());
  });

  it("a late fix that ends a visit which was open where the re-run begins does the same for a value that was beyond its limit", async () => {
    const hot: Limit = {
      ...{ id: "hot", name: "Coolant", field: "coolant_temperature_c", bound: "above" },
      ...{ level: 100, clearAt: 95, forMs: 0, severity: "warning" },
    };
    const coolant = (hour: number, coolant_temperature_c: number): Reading => ({
      ...fixAt(T0 + hour * HOUR, "out"),
      fields: { coolant_temperature_c },
    });
    const live = [
      ...[coolant(20, 110), coolant(30, 110), coolant(54, 90), coolant(78, 110)],
      ...[coolant(100, 110), coolant(121, 110)],
    ];
    const late = coolant(53, 90);
    const run = openTimelineRun(UTC, [], [hot]);
    await takeAll(run, live);
    // The first of June, on which it began, is closed.
    expect(run.track.days[0]?.day).toBe("2026-06-02");
    await run.take(late);
    await run.rerun();
    expect(run.table()).toEqual((await inOrder([...live, late], [], [hot])).table());
  });
});

describe("a late fix that takes back a visit", () => {
  it("a late fix that takes back a visit reopens the alert of the exit before, also after a restart of the service", async () => {
    const before = [...stayAt(T0 + HOUR, "in"), ...stayAt(T0 + 2 * HOUR, "out")];
    const after = stayAt(T0 + 26 * HOUR, "out");
    const wrong = [T0 + 25 * HOUR, T0 + 25 * HOUR + 10 * MINUTE];
    const live = [...before, ...wrong.map((atMs) => fixAt(atMs, "in")), ...after];
    // The same instants once more, outside, by readings that count more.
    const right = wrong.map((atMs) => ({ ...fixAt(atMs, "out"), seq: 5 }));
    const run = openTimelineRun(UTC, FENCES);
    await takeAll(run, live);
    restart(run);
    await takeAll(run, right);
    await run.rerun();
    const expected = await inOrder([...before, ...right, ...after]);
    expect(run.table()).toEqual(expected.table());
    expect(openAlerts(run)).toEqual(openAlerts(expected));
    expect(openAlerts(run)).toHaveLength(1);
  });
});

describe("a late fix within 72 h", () => {
  it("a late fix within 72 h is taken in where the clocks were put forward meanwhile", async () => {
    const berlin = { ...UTC, time_zone: "Europe/Berlin" };
    // 00:30 on April 1st, 71.5 h after the beginning of March 29th, which had 23.
    const newestMs = Date.parse("2026-03-31T22:30:00Z");
    const run = openTimelineRun(berlin, []);
    for (const hoursAgo of [120, 96, 73, 60, 48, 24, 0]) {
      await run.take(fixAt(newestMs - hoursAgo * HOUR, "out"));
    }
    expect(await run.take(fixAt(newestMs - 72 * HOUR, "out"))).toBe("late");
    expect(await run.take(fixAt(newestMs - 72 * HOUR - 1, "out"))).toBe("too_late");
  });

  it("a late fix within 72 h is credited in the oldest open day and in the end of the day before", async () => {
    const engine = (minute: number): Reading => ({
      ...fixAt(T0 + minute * MINUTE, "out"),
      fields: { engine_on: 1 },
    });
    const day = 24 * 60;
    const live = [day - 2, day + 6, 2 * day, 3 * day, 4 * day + 1].map(engine);
    const late = engine(day + 2);
    const run = openTimelineRun(UTC, []);
    await takeAll(run, [engine(0), ...live, late]);
    await run.rerun();
    expect(workedMs(run)).toEqual([2 * MINUTE, 6 * MINUTE, 0, 0, 0]);
  });

  it("a late fix within 72 h comes before a fence that was drawn in the silence after it", async () => {
    const silent = [...stayAt(T0, "out"), ...stayAt(T0 + HOUR, "in")];
    const drawn = squareFence("b", PROJECT, { validFromMs: T0 + 34 * HOUR });
    const later = [36, 60, 84, 105].flatMap((hour) => stayAt(T0 + hour * HOUR, "in"));
    // 71.5 h before the newest fix and half an hour before the fence.
    const late = stayAt(T0 + 33.5 * HOUR, "out");
    const run = openTimelineRun(UTC, FENCES);
    await takeAll(run, silent);
    run.learn([drawn]);
    await takeAll(run, [...later, ...late]);
    await run.rerun();
    const fences = [...FENCES, drawn];
    expect(run.table()).toEqual((await inOrder([...silent, ...late, ...later], fences)).table());
  });
});

describe("a message of faults alone", () => {
  it("a message of faults alone is not a usage sample: the telemetry store, which a re-run reads, has no row of it", async () => {
    const engine = (minute: number): Reading => ({
      ...fixAt(T0 + minute * MINUTE, "out"),
      fields: { engine_on: 1 },
    });
    const faultsOnly: Reading = { ...engine(4), fields: {}, faults: [] };
    const without = openTimelineRun(UTC, []);
    await takeAll(without, [engine(0), engine(8)]);
    const run = openTimelineRun(UTC, []);
    await takeAll(run, [engine(0), faultsOnly, engine(8)]);
    expect(run.track.days).toEqual(without.track.days);
    await run.take({ ...engine(8), seq: 1 });
    await run.rerun();
    expect(run.track.days).toEqual(without.track.days);
  });
});
