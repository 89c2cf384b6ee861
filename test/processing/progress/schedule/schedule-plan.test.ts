import { describe, expect, it } from "vitest";
import type { WorkZoneId } from "../../../../domain/ids.ts";
import type { ScheduleTask, WorkCurve } from "../../../../domain/sites/schedule.ts";
import type { MatchedZone } from "../../../../processing/progress/schedule/match-zones.ts";
import { makeCalendar } from "../../../../processing/progress/schedule/read/draft/work-spans.ts";
import { schedulePlan } from "../../../../processing/progress/schedule/schedule-plan.ts";
import { day, EIGHT_HOURS, scheduleOf, task, wall, week } from "./site-calendars.ts";

const utc = (text: string): number => Date.parse(`${text.replace(" ", "T")}Z`);
const zone = (id: string, activities: Partial<MatchedZone["activities"]>): MatchedZone => ({
  id: id as WorkZoneId,
  name: `Zone ${id}`,
  activities: { codes: [], wbs: [], names: [], ...activities },
});

/** Planned percent of one task at a time, in UTC. */
const percentAt = (one: ScheduleTask, at: string): number =>
  schedulePlan(scheduleOf([one]), [], "UTC").plannedPercent(utc(at));

describe("planned percent of an activity", () => {
  // Monday 08:00 to Friday 17:00: 40 working hours.
  const fiveDays = task("2026-03-02 08:00", "2026-03-06 17:00");

  it.each([
    ["before the start", "2026-03-01 12:00", 0],
    ["at the start", "2026-03-02 08:00", 0],
    // 4 h of 40.
    ["at noon of the first day", "2026-03-02 12:30", 10],
    // 16 h of 40.
    ["in the second night", "2026-03-03 23:00", 40],
    // 16 h + 1 h 30 min = 17.5 h of 40.
    ["on Wednesday at 09:30", "2026-03-04 09:30", 43.75],
    ["at the finish", "2026-03-06 17:00", 100],
    ["after it", "2026-05-01 00:00", 100],
  ])("the planned percent of an activity is by working hours %s", (_, at, expected) => {
    expect(percentAt(fiveDays, at)).toBeCloseTo(expected, 9);
  });

  // f = 16 h / 40 h = 0.4 on Tuesday evening.
  it.each<[WorkCurve, number]>([
    ["linear", 40],
    // 3 x 0.16 - 2 x 0.064 = 0.48 - 0.128
    ["s_curve", 35.2],
    // 1 - 0.6^2
    ["front", 64],
    // 0.4^2
    ["back", 16],
    ["milestone", 0],
  ])("the planned percent of an activity follows the curve %s", (curve, expected) => {
    expect(percentAt({ ...fiveDays, curve }, "2026-03-03 20:00")).toBeCloseTo(expected, 9);
    expect(percentAt({ ...fiveDays, curve }, "2026-03-06 17:00")).toBe(100);
  });

  it("the planned percent of an activity jumps at a milestone, which is reached at its minute", () => {
    const milestone = task("2026-03-04 12:00", "2026-03-04 12:00", { curve: "milestone" });
    expect(percentAt(milestone, "2026-03-04 11:59")).toBe(0);
    expect(percentAt(milestone, "2026-03-04 12:00")).toBe(100);
  });

  it("the planned percent of an activity goes straight between control points, is 0 before the first, and stays at the last", () => {
    const points = [
      [wall("2026-03-02 00:00"), 10],
      [wall("2026-03-12 00:00"), 30],
      [wall("2026-03-14 00:00"), 90],
    ] as const;
    const one = task("2026-03-02 00:00", "2026-03-14 00:00", { curve: "points", points });
    const at = ["2026-03-01 23:59", "2026-03-02 00:00", "2026-03-07 00:00", "2026-03-13 00:00"];
    // 10 + 20 x 5/10; 30 + 60 x 1/2.
    expect(at.map((time) => percentAt(one, time))).toEqual([0, 10, 20, 60]);
    expect(percentAt(one, "2026-03-20 00:00")).toBe(90);
  });

  it("the planned percent of an activity counts holidays and half days of its calendar as the hours that they have", () => {
    // 2026-04-02 until 12:00, Good Friday and Easter Monday free.
    const easter = makeCalendar(
      "Easter",
      week(EIGHT_HOURS),
      new Map([
        [day("2026-04-02"), [[480, 720] as const]],
        [day("2026-04-03"), []],
        [day("2026-04-06"), []],
      ]),
    );
    // Mon 30 to Wed 1: 24 h; Thu 4 h; Tue 7 and Wed 8: 16 h; together 44 h.
    const over = task("2026-03-30 08:00", "2026-04-08 17:00");
    const plan = schedulePlan({ ...scheduleOf([over]), calendars: [easter] }, [], "UTC");
    expect(plan.plannedPercent(utc("2026-04-02 10:00"))).toBeCloseTo((100 * 26) / 44, 9);
    expect(plan.plannedPercent(utc("2026-04-05 12:00"))).toBeCloseTo((100 * 28) / 44, 9);
    expect(plan.plannedPercent(utc("2026-04-07 09:00"))).toBeCloseTo((100 * 29) / 44, 9);
  });

  it("the planned percent of an activity counts every minute without a calendar, and where its calendar has no work in its time", () => {
    const { calendar: _, ...always } = task("2026-03-07 00:00", "2026-03-08 00:00");
    const onSaturday = task("2026-03-07 00:00", "2026-03-08 00:00");
    expect(percentAt(always, "2026-03-07 06:00")).toBe(25);
    expect(percentAt(onSaturday, "2026-03-07 18:00")).toBe(75);
  });
});

describe("planned percent of zones and project", () => {
  const monday = ["2026-03-02 08:00", "2026-03-02 17:00"] as const;
  const tuesday = ["2026-03-03 08:00", "2026-03-03 17:00"] as const;

  it("the planned percent of zones and project weighs by cost, where all have one", () => {
    const tasks = [
      task(...monday, { cost: 300, work_h: 1, zone_codes: ["N"] }),
      task(...tuesday, { cost: 100, work_h: 9, zone_codes: ["S"] }),
    ];
    const zones = [zone("north", { codes: ["n"] }), zone("south", { codes: ["S"] })];
    const plan = schedulePlan(scheduleOf(tasks), zones, "UTC");
    // Tuesday noon: all of 300, half of 100.
    const noon = utc("2026-03-03 12:30");
    expect(plan.plannedPercent(noon)).toBe(87.5);
    expect(plan.zonePlannedPercent("north" as WorkZoneId, noon)).toBe(100);
    expect(plan.zonePlannedPercent("south" as WorkZoneId, noon)).toBe(50);
    expect(plan.zoneWork("south" as WorkZoneId)).toEqual({ cost: 100, workH: 9, durationH: 9 });
    expect(plan.warnings).toEqual([]);
    expect(plan.weightBasis).toBe("cost");
  });

  it("the planned percent of zones and project weighs by work where too few hours have a cost, by duration where too few have either", () => {
    const two = (first: Partial<ScheduleTask>, second: Partial<ScheduleTask>) =>
      schedulePlan(scheduleOf([task(...monday, first), task(...tuesday, second)]), [], "UTC");
    const noon = utc("2026-03-03 12:30");
    const byWork = two({ cost: 5, work_h: 30 }, { work_h: 10 });
    const byDuration = two({ cost: 5, duration_h: 8 }, { work_h: 10, duration_h: 24 });
    expect([byWork.weightBasis, byDuration.weightBasis]).toEqual(["work", "duration"]);
    // 30 + 10/2 of 40; 8 + 24/2 of 32.
    expect(byWork.plannedPercent(noon)).toBe(87.5);
    expect(byDuration.plannedPercent(noon)).toBe(62.5);
  });

  it("the planned percent of zones and project gives activities without a cost no weight where 80 % of the hours have one, and says so", () => {
    const tasks = [
      task(...monday, { cost: 100, duration_h: 32, zone_codes: ["N"] }),
      task(...tuesday, { duration_h: 8, zone_codes: ["S"] }),
    ];
    const zones = [zone("north", { codes: ["N"] }), zone("south", { codes: ["S"] })];
    const plan = schedulePlan(scheduleOf(tasks), zones, "UTC");
    const noon = utc("2026-03-03 12:30");
    expect([plan.weightBasis, plan.plannedPercent(noon)]).toEqual(["cost", 100]);
    // The zone itself goes by its hours.
    expect(plan.zonePlannedPercent("south" as WorkZoneId, noon)).toBe(50);
    expect(plan.zoneWork("south" as WorkZoneId)).toEqual({
      cost: undefined,
      workH: undefined,
      durationH: 8,
    });
    expect(plan.warnings).toEqual(["1 activities have no cost; they weigh nothing in the project"]);
  });

  it("the planned percent of zones and project counts control points alike, however long they take", () => {
    const points = (from: string, to: string): Partial<ScheduleTask> => ({
      curve: "points",
      points: [
        [wall(from), 0],
        [wall(to), 100],
      ],
    });
    const tasks = [
      task("2026-03-02", "2026-03-04", points("2026-03-02", "2026-03-04")),
      task("2026-03-02", "2026-03-22", points("2026-03-02", "2026-03-22")),
    ];
    const plan = schedulePlan(scheduleOf(tasks), [], "UTC");
    // (100 + 20) / 2
    expect(plan.plannedPercent(utc("2026-03-06 00:00"))).toBe(60);
    expect(plan.weightBasis).toBe("count");
  });

  it("the planned percent of zones and project lets milestones weigh nothing among work, and count where there is nothing else", () => {
    const milestone = task("2026-03-05 12:00", "2026-03-05 12:00", { curve: "milestone" });
    const mixed = schedulePlan(scheduleOf([task(...monday), milestone]), [], "UTC");
    const alone = schedulePlan(
      scheduleOf([milestone, task("2026-03-09 12:00", "2026-03-09 12:00", { curve: "milestone" })]),
      [],
      "UTC",
    );
    expect(mixed.plannedPercent(utc("2026-03-03 00:00"))).toBe(100);
    expect(alone.plannedPercent(utc("2026-03-06 00:00"))).toBe(50);
  });

  it("the planned percent of zones and project says which zones have no activity, and how many activities are of no zone, or of several", () => {
    const tasks = [
      task(...monday, { zone_codes: ["N"] }),
      task(...tuesday, { zone_codes: ["X"] }),
      task(...tuesday, { code: "N-1", zone_codes: ["N"] }),
    ];
    const zones = [
      zone("north", { codes: ["N"] }),
      zone("other", { names: ["n-*"] }),
      zone("west", {}),
    ];
    const plan = schedulePlan(scheduleOf(tasks), zones, "UTC");
    expect(plan.zonePlannedPercent("west" as WorkZoneId, utc("2026-03-03 12:30"))).toBeUndefined();
    expect(plan.zoneWork("west" as WorkZoneId)).toBeUndefined();
    expect(plan.warnings).toEqual([
      "no activity of the schedule is of these zones: Zone west",
      "1 activities are of no zone; they count for the project only",
      "1 activities are of more than one zone, and count in each",
    ]);
  });

  it("the planned percent of zones and project reads the wall clock of the project", () => {
    // Monday 08:00 in Berlin is 07:00 UTC in winter; Tuesday 2026-03-31 08:00 is 06:00 UTC in summer.
    const winter = schedulePlan(scheduleOf([task(...monday)]), [], "Europe/Berlin");
    const over = scheduleOf([task("2026-03-27 08:00", "2026-03-31 17:00")]);
    const summer = schedulePlan(over, [], "Europe/Berlin");
    expect(winter.startMs).toBe(utc("2026-03-02 07:00"));
    expect(winter.plannedPercent(utc("2026-03-02 11:30"))).toBe(50);
    expect([summer.startMs, summer.finishMs]).toEqual([
      utc("2026-03-27 07:00"),
      utc("2026-03-31 15:00"),
    ]);
    // Friday, Monday and Tuesday of 8 h; Monday noon in Berlin is 10:00 UTC: 12 h of 24.
    expect(summer.plannedPercent(utc("2026-03-30 10:00"))).toBe(50);
  });

  it("the planned percent of zones and project never falls while clocks are put back", () => {
    const { calendar: _, ...night } = task("2026-10-25 00:00", "2026-10-25 06:00");
    const plan = schedulePlan(scheduleOf([night]), [], "Europe/Berlin");
    // 02:30 summer time, 03:00 = 02:00 winter time, 02:30 winter time, 03:30 winter time.
    const at = ["00:30", "01:00", "01:30", "02:30"].map((time) =>
      plan.plannedPercent(utc(`2026-10-25 ${time}`)),
    );
    // 2.5 h, 3 h, still 3 h, 3.5 h of 6 h on the clock.
    expect(at[0]).toBeCloseTo(250 / 6, 9);
    expect([at[1], at[2]]).toEqual([50, 50]);
    expect(at[3]).toBeCloseTo(350 / 6, 9);
  });
});
