import { describe, expect, it } from "vitest";
import { earnedValue } from "../../../../processing/progress/schedule/earned-value.ts";
import type { Plan } from "../../../../processing/progress/schedule/plan.ts";
import { projectDatesPlan } from "../../../../processing/progress/schedule/project-dates-plan.ts";
import { schedulePlan } from "../../../../processing/progress/schedule/schedule-plan.ts";
import { scheduleOf, task } from "./site-calendars.ts";

const utc = (date: string): number => Date.parse(date);

/** Linear over 100 days, 2026-01-01 to 2026-04-11: a day is a percent. */
const linear = projectDatesPlan({
  planned_start: "2026-01-01",
  planned_finish: "2026-04-10",
  time_zone: "UTC",
}) as Plan;

const at = (date: string, percent: number, interval: readonly [number, number] | null = null) =>
  earnedValue(linear, [{ atMs: utc(date), percent }], interval);

describe("earned value", () => {
  it("earned value forecasts by the time that the plan takes for what is earned", () => {
    // Day 50; 40 % earned, which is planned for day 40. SPI(t) = 40/50; 100 / 0.8 = 125 days.
    expect(at("2026-02-20", 40, [25, 62.5])).toEqual({
      planned_value: 50,
      earned_value: 40,
      schedule_variance: -10,
      spi: 0.8,
      spi_t: 0.8,
      earned_schedule_days: 40,
      forecast_finish: "2026-05-06T00:00:00.000Z",
      // 100 / (62.5/50) = 80 days; 100 / (25/50) = 200 days.
      forecast_finish_interval: ["2026-03-22T00:00:00.000Z", "2026-07-20T00:00:00.000Z"],
    });
  });

  it("earned value is ahead with more than was planned", () => {
    // Day 20 with 25 %: SPI(t) = 1.25, 80 days.
    expect(at("2026-01-21", 25)).toMatchObject({
      spi: 1.25,
      spi_t: 1.25,
      forecast_finish: "2026-03-22T00:00:00.000Z",
      forecast_finish_interval: null,
    });
  });

  it("earned value has no forecast before the planned start", () => {
    expect(at("2025-12-01", 3, [1, 5])).toEqual({
      planned_value: 0,
      earned_value: 3,
      schedule_variance: 3,
      spi: null,
      spi_t: null,
      earned_schedule_days: null,
      forecast_finish: null,
      forecast_finish_interval: null,
    });
  });

  it("earned value has no forecast while nothing is earned of what is planned", () => {
    expect(at("2026-02-20", 0, [0, 4])).toEqual({
      planned_value: 50,
      earned_value: 0,
      schedule_variance: -50,
      spi: 0,
      spi_t: 0,
      earned_schedule_days: 0,
      forecast_finish: null,
      forecast_finish_interval: null,
    });
  });

  it("earned value has no forecast at a pace that would take 20 times as long", () => {
    // Day 50: 2 % makes 2,500 days, above 20 x 100; 4 % makes 1,250.
    expect(at("2026-02-20", 2)?.forecast_finish).toBeNull();
    expect(at("2026-02-20", 4)?.forecast_finish).toBe(
      new Date(utc("2026-01-01") + 1_250 * 86_400_000).toISOString(),
    );
  });

  it("earned value goes on after the planned finish, with all planned and not all earned", () => {
    // Day 120 with 90 %: SPI(t) = 90/120, 133 1/3 days.
    expect(at("2026-05-01", 90, [80, 100])).toEqual({
      planned_value: 100,
      earned_value: 90,
      schedule_variance: -10,
      spi: 0.9,
      spi_t: 0.75,
      earned_schedule_days: 90,
      forecast_finish: "2026-05-14T08:00:00.000Z",
      // All of it now: day 120; 80 %: 150 days.
      forecast_finish_interval: ["2026-05-01T00:00:00.000Z", "2026-05-31T00:00:00.000Z"],
    });
  });

  it("earned value is computed at the first time that the work was finished", () => {
    // Finished on day 80: 100 days earned in 80.
    const history = [
      { atMs: utc("2026-02-20"), percent: 60 },
      { atMs: utc("2026-03-22"), percent: 100 },
      { atMs: utc("2026-05-01"), percent: 100 },
    ];
    expect(earnedValue(linear, history, [99, 100])).toEqual({
      planned_value: 100,
      earned_value: 100,
      schedule_variance: 0,
      spi: 1,
      spi_t: 1.25,
      earned_schedule_days: 100,
      forecast_finish: "2026-03-22T00:00:00.000Z",
      forecast_finish_interval: ["2026-03-22T00:00:00.000Z", "2026-03-22T00:00:00.000Z"],
    });
  });

  it("earned value is on plan through a weekend on which nothing is planned", () => {
    // Two weeks of 40 h; 50 % from Friday 17:00 to Monday 08:00.
    const plan = schedulePlan(
      scheduleOf([task("2026-03-02 08:00", "2026-03-13 17:00")]),
      [],
      "UTC",
    );
    const on = (time: string, percent: number) => earnedValue(plan, [{ atMs: utc(time), percent }]);
    expect(on("2026-03-07T12:00:00Z", 50)).toMatchObject({
      spi: 1,
      spi_t: 1,
      forecast_finish: "2026-03-13T17:00:00.000Z",
    });
    // On Tuesday evening 70 % are planned; 50 % lasted until Monday 08:00, which is day 7 of 8.5.
    const late = on("2026-03-10T20:00:00Z", 50);
    expect(late).toMatchObject({ earned_schedule_days: 7, spi_t: round(7 / 8.5) });
  });

  it("earned value is on plan while nothing is planned yet, although the plan has begun", () => {
    const plan = schedulePlan(
      scheduleOf([
        task("2026-03-02 08:00", "2026-03-02 08:00", { curve: "milestone" }),
        task("2026-03-12 08:00", "2026-03-13 17:00"),
      ]),
      [],
      "UTC",
    );
    expect(earnedValue(plan, [{ atMs: utc("2026-03-07T08:00:00Z"), percent: 0 }])).toMatchObject({
      planned_value: 0,
      spi: null,
      spi_t: 1,
      earned_schedule_days: 5,
      forecast_finish: "2026-03-13T17:00:00.000Z",
    });
  });

  it("earned value is nothing without any progress", () => {
    expect(earnedValue(linear, [])).toBeUndefined();
  });
});

const round = (value: number): number => Math.round(value * 1_000) / 1_000;

describe("the plan by a project's dates", () => {
  it("the plan by a project's dates is linear from the first day to the end of the last, local time", () => {
    const plan = projectDatesPlan({
      planned_start: "2026-03-02",
      planned_finish: "2026-03-05",
      time_zone: "Europe/Berlin",
    });
    expect([plan?.startMs, plan?.finishMs]).toEqual([
      utc("2026-03-01T23:00:00Z"),
      utc("2026-03-05T23:00:00Z"),
    ]);
    const percents = ["2026-03-01", "2026-03-02T23:00:00Z", "2026-03-20"].map((time) =>
      plan?.plannedPercent(utc(time)),
    );
    expect(percents).toEqual([0, 25, 100]);
    expect(plan?.zonePlannedPercent("z" as never, utc("2026-03-02T23:00:00Z"))).toBe(25);
  });

  it.each([
    ["no start", { planned_finish: "2026-03-05" }],
    ["no finish", { planned_start: "2026-03-05" }],
    ["a finish before the start", { planned_start: "2026-03-05", planned_finish: "2026-03-04" }],
  ])("the plan by a project's dates is undefined with %s", (_, dates) => {
    expect(projectDatesPlan({ ...dates, time_zone: "UTC" })).toBeUndefined();
  });
});
