import { describe, expect, it } from "vitest";
import { lineLook } from "../../console/parts/chart/looks.ts";
import { alignSeries, axisRange, sampleAt, tableRows } from "../../console/parts/chart/series.ts";
import { tickTimes } from "../../console/parts/chart/tick-times.ts";

const GAP_MS = 300_000;
const line = (...pairs: readonly (readonly [s: number, value: number | null])[]) => ({
  samples: pairs.map(([s, value]) => ({ ms: s * 1_000, value })),
});

describe("the lines of a chart", () => {
  it("are on one axis of times, and a time of another line does not break a line", () => {
    const aligned = alignSeries([line([0, 1], [10, 2]), line([5, 7])], GAP_MS);
    expect(aligned.timesMs).toEqual([0, 5_000, 10_000]);
    expect(aligned.values).toEqual([
      [1, undefined, 2],
      [undefined, 7, undefined],
    ]);
  });

  it("are broken over more than the gap, and joined over the gap itself", () => {
    expect(alignSeries([line([0, 1], [300, 2])], GAP_MS).values).toEqual([[1, 2]]);
    const { timesMs, values } = alignSeries([line([0, 1], [301, 2])], GAP_MS);
    expect(timesMs).toEqual([0, 1, 301_000]);
    expect(values).toEqual([[1, null, 2]]);
  });

  it("have a point of its own for a sample with a break on either side", () => {
    const { timesMs, alone } = alignSeries(
      [line([0, 1], [1, 2], [500, 3], [900, 4], [901, null], [902, 5])],
      GAP_MS,
    );
    expect(alone[0]?.map((place) => timesMs[place])).toEqual([500_000, 900_000, 902_000]);
  });

  it("have at a time the value of the nearer sample, and none in a gap, outside, or beside an unknown one", () => {
    const { samples } = line([0, 1], [10, 2], [400, 3], [410, null], [420, 4]);
    const at = (s: number) => sampleAt(samples, s * 1_000, GAP_MS)?.value;
    expect([0, 4, 6, 10, 400, 420].map(at)).toEqual([1, 1, 2, 2, 3, 4]);
    expect([-1, 11, 399, 401, 410, 419, 421].map(at)).toEqual(Array(7).fill(undefined));
    expect(sampleAt([], 0, GAP_MS)).toBeUndefined();
  });
});

describe("the axis of values", () => {
  it("begins at 0 where that costs at most half of its height", () => {
    expect(axisRange(5, 40)[0]).toBe(0);
    expect(axisRange(-40, -5)[1]).toBe(0);
    expect(axisRange(80, 90)[0]).toBeGreaterThan(79);
    expect(axisRange(80, 90)[0]).toBeLessThan(80);
  });

  it("has a height for one value, and for none", () => {
    expect(axisRange(7, 7)).toEqual([6, 8]);
    expect(axisRange(0, 0)).toEqual([0, 1]);
    expect(axisRange(null, null)).toEqual([0, 1]);
  });
});

describe("the labels of times", () => {
  const day = Date.UTC(2026, 2, 5);
  const hour = 3_600_000;

  it("are times of the zone, with the date below the first and below the first of a day", () => {
    const times = [day + 21 * hour, day + 22 * hour, day + 23 * hour];
    expect(tickTimes(times, hour, "en-GB", "Europe/Berlin")).toEqual([
      "22:00\n5 Mar",
      "23:00",
      "00:00\n6 Mar",
    ]);
  });

  it("have seconds where the step is less than a minute, and are dates where it is a day", () => {
    expect(tickTimes([day], 30_000, "en-GB", "UTC")).toEqual(["00:00:00\n5 Mar"]);
    expect(tickTimes([day, day + 24 * hour], 24 * hour, "de", "UTC")).toEqual([
      "5. März",
      "6. März",
    ]);
  });
});

describe("a chart as a table", () => {
  it("has the first and the last time and others evenly between, and counts all", () => {
    const pairs = Array.from({ length: 101 }, (_, s) => [s, s] as const);
    const { rows, total } = tableRows([line(...pairs)], 5);
    expect(total).toBe(101);
    expect(rows.map(({ ms }) => ms / 1_000)).toEqual([0, 25, 50, 75, 100]);
    expect(rows[1]?.values).toEqual([25]);
  });

  it("has no rows of breaks: a gap is nothing that was measured", () => {
    expect(tableRows([line([0, 1], [900, 2])], 60).rows.map(({ ms }) => ms)).toEqual([0, 900_000]);
    expect(tableRows([line()], 60)).toEqual({ rows: [], total: 0 });
  });
});

describe("the looks of lines", () => {
  it.each(["light", "dark"] as const)("twelve lines differ by colour or dashes (%s)", (theme) => {
    const looks = Array.from({ length: 12 }, (_, place) => JSON.stringify(lineLook(place, theme)));
    expect(new Set(looks).size).toBe(12);
  });
});
