import { describe, expect, it } from "vitest";
import {
  firstBaseline,
  type Meters,
  meetMachineMeters,
  serviceBaseline,
  serviceStatus,
} from "../../../ingest/maintenance/service-due.ts";

const DAY = 86_400_000;
const oil = { item: "oil", name: "Oil", every_hours: 250 };
const NO_METERS = { hours: undefined, km: undefined };

/** Hours and km by the machine's meter and by our sum. */
const meters = (
  machineHours: number | undefined,
  ownHours: number,
  machineKm: number | undefined = undefined,
  ownKm = 0,
): Meters => ({
  hours: { machine: machineHours, accumulated: ownHours, isSummed: true },
  km: { machine: machineKm, accumulated: ownKm, isSummed: true },
});

const service = (row: Partial<Parameters<typeof serviceBaseline>[0]> = {}) => ({
  id: "srv_1",
  servicedAtMs: 0,
  engineHours: undefined,
  hoursSource: undefined,
  odometerKm: undefined,
  ...row,
});

describe("without a service", () => {
  it("without a service nothing is said of uncounted hours, and the days go on", () => {
    const unknown = { machine: undefined, accumulated: 0, isSummed: false };
    const now = { hours: unknown, km: unknown };
    const item = { ...oil, every_days: 100, every_km: 1_000 };
    const { level, first, intervals } = serviceStatus(item, firstBaseline(0, now), now, 95 * DAY);
    expect([level, first.unit]).toEqual(["warning", "days"]);
    expect(intervals.map(({ unit, used }) => [unit, used])).toEqual([
      ["hours", undefined],
      ["days", 95],
      ["km", undefined],
    ]);
  });

  it("a machine with its own meter is counted from meter 0", () => {
    const baseline = firstBaseline(0, meters(240, 3));
    expect(serviceStatus(oil, baseline, meters(240, 3), 0)).toEqual({
      level: "warning",
      first: {
        unit: "hours",
        every: 250,
        used: 240,
        remaining: 10,
        usedPercent: 96,
        source: "machine",
      },
      intervals: [expect.objectContaining({ unit: "hours" })],
    });
  });

  it("a machine without a meter is counted from where the plan met it", () => {
    const baseline = firstBaseline(0, meters(undefined, 1_000));
    expect(serviceStatus(oil, baseline, meters(undefined, 1_100), 0).first).toMatchObject({
      used: 100,
      source: "accumulated",
    });
  });

  it("a machine that begins to report its meter is counted from meter 0 after all", () => {
    const baseline = meetMachineMeters(
      firstBaseline(0, meters(undefined, 1_000)),
      meters(600, 1_010),
    );
    expect(serviceStatus(oil, baseline, meters(600, 1_010), 0)).toMatchObject({
      level: "due",
      first: { used: 600, source: "machine" },
    });
  });
});

describe("after a service", () => {
  it("after a service at stated hours the machine's meter counts from there", () => {
    const baseline = serviceBaseline(
      service({ engineHours: 4_990, hoursSource: "stated" }),
      meters(5_000, 30),
      { hours: { shown: 5_000, atMs: 0, offset: 0 }, km: undefined },
    );
    expect(serviceStatus(oil, baseline, meters(5_215, 40), 0)).toMatchObject({
      level: "warning",
      first: { used: 225, remaining: 25, usedPercent: 90 },
    });
    expect(serviceStatus(oil, baseline, meters(5_214, 40), 0).level).toBe("ok");
    expect(serviceStatus(oil, baseline, meters(5_240, 40), 0).level).toBe("due");
  });

  it("after a service hours are read off the meter that is there now, not off the ones before it", () => {
    // 7,000 h on the old meter, then a new one that shows 12 h: usage 7,012 h.
    const now = meters(7_012, 0);
    const own = { hours: { shown: 12, atMs: 0, offset: 7_000 }, km: undefined };
    const baseline = serviceBaseline(
      service({ engineHours: 10, hoursSource: "machine" }),
      now,
      own,
    );
    expect(serviceStatus(oil, baseline, now, 0).first.used).toBe(2);
  });

  it("after a service without hours it counts from now", () => {
    const baseline = serviceBaseline(service(), meters(5_000, 30), NO_METERS);
    expect(serviceStatus(oil, baseline, meters(5_100, 130), 0).first.used).toBe(100);
  });

  it("after a service counted by our sum, the sum goes on", () => {
    const baseline = serviceBaseline(
      service({ engineHours: 120, hoursSource: "accumulated" }),
      meters(undefined, 150),
      NO_METERS,
    );
    expect(serviceStatus(oil, baseline, meters(undefined, 170), 0).first).toMatchObject({
      used: 50,
      source: "accumulated",
    });
  });

  it("after a service counted by our sum, a meter that appears later takes over what was used", () => {
    const baseline = serviceBaseline(
      service({ engineHours: 120, hoursSource: "accumulated" }),
      meters(undefined, 150),
      NO_METERS,
    );
    const met = meetMachineMeters(baseline, meters(7_000, 170));
    expect(serviceStatus(oil, met, meters(7_010, 180), 0).first).toMatchObject({
      used: 60,
      source: "machine",
    });
    expect(meetMachineMeters(met, meters(7_500, 400))).toBe(met);
  });

  it("after a service stated before the machine ever reported its meter, the meter counts from there when it comes", () => {
    const baseline = serviceBaseline(
      service({ engineHours: 7_000, hoursSource: "stated" }),
      meters(undefined, 5),
      NO_METERS,
    );
    expect(serviceStatus(oil, baseline, meters(undefined, 25), 0).first.used).toBe(20);
    expect(serviceStatus(oil, baseline, meters(7_030, 25), 0).first).toMatchObject({
      used: 30,
      source: "machine",
    });
  });
});

describe("of several intervals", () => {
  const item = { ...oil, every_days: 365, every_km: 10_000, warn_at_percent: 80 };

  it("the one that is used up most decides, each in its own unit", () => {
    const baseline = serviceBaseline(
      service({ engineHours: 0, hoursSource: "machine", odometerKm: 1_000 }),
      meters(0, 0, 1_000),
      NO_METERS,
    );
    const standing = serviceStatus(item, baseline, meters(50, 0, 9_500), 73 * DAY);
    expect(standing.level).toBe("warning");
    expect(standing.first).toMatchObject({
      unit: "km",
      used: 8_500,
      remaining: 1_500,
      usedPercent: 85,
    });
    expect(standing.intervals.map(({ unit, usedPercent }) => [unit, usedPercent])).toEqual([
      ["hours", 20],
      ["days", 20],
      ["km", 85],
    ]);
  });

  it("days go by the calendar, also for a stationary machine", () => {
    const baseline = serviceBaseline(service(), meters(0, 0), NO_METERS);
    expect(serviceStatus(item, baseline, meters(0, 0), 365 * DAY)).toMatchObject({
      level: "due",
      first: { unit: "days", remaining: 0, source: "calendar" },
    });
  });

  it("nothing is used of an interval that begins ahead of the clock", () => {
    const baseline = serviceBaseline(service({ servicedAtMs: DAY }), meters(0, 0), NO_METERS);
    const check = { item: "check", name: "Check", every_days: 10 };
    expect(serviceStatus(check, baseline, meters(0, 0), 0).first).toMatchObject({
      used: 0,
      remaining: 10,
    });
  });
});
