import { describe, expect, it } from "vitest";
import { curveLayout, linePath } from "../../console/pages/progress/curve-layout.ts";
import { readPercent } from "../../console/pages/progress/read-percent.ts";
import type { Curve } from "../../console/pages/progress/requests.ts";
import { isUnseen, knownPercent } from "../../console/pages/progress/unseen.ts";

const BOX = { width: 760, height: 300 };

const PLAN: Curve["plan"] = {
  basis: "schedule",
  revision: 1,
  start: "2026-03-02T00:00:00.000Z",
  finish: "2026-03-12T00:00:00.000Z",
  points: [
    { at: "2026-03-02T00:00:00.000Z", planned_percent: 0 },
    { at: "2026-03-07T00:00:00.000Z", planned_percent: 40 },
    { at: "2026-03-12T00:00:00.000Z", planned_percent: 100 },
  ],
};

function report(day: number, percent: number, seen = 100): Curve["actual"][number] {
  return {
    report_id: `rpt_${day}`,
    capture_date: `2026-03-${String(day).padStart(2, "0")}T00:00:00.000Z`,
    progress_percentage: percent,
    seen_percent: seen,
    seen_interval_95: [percent - 5, percent + 5],
    interval_95: seen < 100 ? [percent - 20, percent + 20] : null,
    planned: 40,
    status: "on_schedule",
    unseen_zones: [],
    earlier_zones: [],
  };
}

const forecast = (
  finish: string | null,
  interval: [string, string] | null,
): Curve["earned_value"] => ({
  ...{ planned_value: 40, earned_value: 30, schedule_variance: -10, spi: 0.75, spi_t: 0.75 },
  earned_schedule_days: 4,
  forecast_finish: finish,
  forecast_finish_interval_95: interval,
});

const curve = (change: Partial<Curve>): Curve => ({
  ...{ project_id: "yard", plan: PLAN, actual: [], left_out: 0, earned_value: null },
  ...change,
});

describe("the layout of a curve", () => {
  it("is none where there is neither a plan nor a report", () => {
    expect(curveLayout(curve({ plan: null }), BOX)).toBeUndefined();
    expect(curveLayout(curve({ plan: null, actual: [report(5, 30)] }), BOX)).toBeDefined();
  });

  it("puts 0 % on the axis and 100 % at the top, the plan from edge to edge", () => {
    const layout = curveLayout(curve({}), BOX);
    if (layout === undefined) throw new Error("nothing is drawn");
    const { plan, percents, left, right, bottom } = layout;
    expect(plan[0]).toEqual([left, bottom]);
    expect(plan.at(-1)).toEqual([right, percents.at(-1)?.y]);
    expect(percents[0]).toEqual({ percent: 0, y: bottom });
    // 40 % in the middle of the time.
    expect(plan[2]?.[0]).toBeCloseTo((left + right) / 2, 0);
  });

  it("draws the interval of each report, and an unknown one not at all", () => {
    const [whole, part] =
      curveLayout(curve({ actual: [report(5, 30), report(7, 40, 80)] }), BOX)?.reports ?? [];
    expect(whole).toMatchObject({ isOfPart: false, whole: undefined });
    expect(part?.isOfPart).toBe(true);
    const [low = 0, high = 0] = part?.seen ?? [];
    // Downwards on a screen.
    expect(low).toBeGreaterThan(part?.at[1] ?? Number.NaN);
    expect(high).toBeLessThan(part?.at[1] ?? Number.NaN);
    expect(part?.whole?.[0]).toBeGreaterThan(low);
  });

  it("draws no mark of a report that saw nothing of the project", () => {
    const layout = curveLayout(curve({ actual: [report(5, 0, 0), report(7, 40)] }), BOX);
    expect(layout?.reports.map(({ id }) => id)).toEqual(["rpt_7"]);
  });

  it("draws a forecast from the newest report to 100 %, and one that is too far only as cut", () => {
    const actual = [report(7, 30)];
    const near = curveLayout(
      curve({
        actual,
        earned_value: forecast("2026-03-16T00:00:00.000Z", [
          "2026-03-14T00:00:00.000Z",
          "2026-05-30T00:00:00.000Z",
        ]),
      }),
      BOX,
    );
    expect(near?.forecast?.from).toEqual(near?.reports[0]?.at);
    expect(near?.forecast?.to[1]).toBe(near?.percents.at(-1)?.y);
    expect(near?.forecast?.late).toBe(near?.right);
    expect(near?.isForecastCut).toBe(true);
    const far = curveLayout(
      curve({ actual, earned_value: forecast("2027-03-16T00:00:00.000Z", null) }),
      BOX,
    );
    expect([far?.forecast, far?.isForecastCut]).toEqual([undefined, true]);
    const none = curveLayout(curve({ actual, earned_value: forecast(null, null) }), BOX);
    expect([none?.forecast, none?.isForecastCut]).toEqual([undefined, false]);
  });

  it("has as many dates as have room, whole days apart", () => {
    const wide = curveLayout(curve({}), BOX)?.dates ?? [];
    const narrow = curveLayout(curve({}), { width: 300, height: 300 })?.dates ?? [];
    expect(wide.length).toBeGreaterThan(narrow.length);
    expect(narrow.length).toBeGreaterThanOrEqual(2);
    for (const { ms } of [...wide, ...narrow]) expect(ms % 86_400_000).toBe(0);
  });

  it("is a path that begins where its first place is", () => {
    expect(linePath([])).toBe("");
    expect(
      linePath([
        [1, 2],
        [3, 4],
      ]),
    ).toBe("M1 2L3 4");
  });
});

describe("what was never seen", () => {
  it("a zone that was only declared as 0 was never seen; one that somebody or a flight says 0 of was", () => {
    expect(isUnseen({ method: "declared", progress: 0 })).toBe(true);
    expect(isUnseen({ method: "declared", progress: 5 })).toBe(false);
    expect(isUnseen({ method: "manual", progress: 0 })).toBe(false);
  });

  it("a project of which nothing was seen has no percent, and is not 0 % done", () => {
    expect([knownPercent(0, 0), knownPercent(0, 10), knownPercent(43.8, 100)]).toEqual([
      undefined,
      0,
      43.8,
    ]);
  });
});

describe("a percent that somebody typed", () => {
  it.each([
    ["40", 40],
    [" 12,5 % ", 12.5],
    ["0", 0],
    ["100", 100],
  ])("%j is %d", (text, percent) => expect(readPercent(text)).toBe(percent));

  it.each(["", "-1", "100.1", "4o", "1e1"])("%j is none", (text) =>
    expect(readPercent(text)).toBeUndefined());
});
