import { describe, expect, it } from "vitest";
import { csvOf } from "../../console/format/csv.ts";
import { formatField, unitSymbol } from "../../console/format/field-units.ts";
import { formatHours } from "../../console/format/hours.ts";
import { readablePayload } from "../../console/pages/machine/device/payload.ts";
import {
  drawableFields,
  extremesOf,
  gapOf,
  samplesOf,
} from "../../console/pages/machine/readings.ts";
import { daysBetween, idleOf, lastDays } from "../../console/pages/machine/use-figures.ts";
import { fleetCsvRows } from "../../console/pages/utilisation/fleet-csv.ts";
import {
  daySums,
  type FleetRow,
  figureOf,
  heatLines,
  heatOf,
  highestOf,
} from "../../console/pages/utilisation/heat-table.ts";
import {
  type SourceMix,
  saidShares,
  sumOfMixes,
} from "../../console/pages/utilisation/source-mix.ts";

const known = (value: number, spread = 0) => ({
  value,
  lower: value - spread,
  upper: value + spread,
});
const UNKNOWN = { value: null, lower: null, upper: null };

describe("time with the engine on and no work", () => {
  it("is what work and overtime leave, with the bounds that this allows", () => {
    const figures = {
      engine_on: known(10_000, 100),
      working: known(6_000, 50),
      overtime: known(1_000),
    };
    expect(idleOf(figures)).toEqual({ value: 3_000, lower: 2_850, upper: 3_150 });
  });

  it("is unknown, not 0, where one of them is; and never less than nothing", () => {
    const figures = { engine_on: known(100), working: UNKNOWN, overtime: known(0) };
    expect(idleOf(figures)).toEqual(UNKNOWN);
    expect(idleOf({ ...figures, working: known(150) }).value).toBe(0);
  });
});

it("the last days end with today, and a range has all its dates", () => {
  const { from, to } = lastDays(3, Date.parse("2026-03-01T23:30:00Z"), ["America/New_York", "UTC"]);
  expect([from, to]).toEqual(["2026-02-27", "2026-03-01"]);
  expect(daysBetween(from, to)).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
});

it("today is the latest date of the zones, and a zone that the browser does not know is left out", () => {
  const nowMs = Date.parse("2026-03-01T23:30:00Z");
  expect(lastDays(2, nowMs, ["America/New_York", "Asia/Kolkata"]).to).toBe("2026-03-02");
  expect(lastDays(2, nowMs, ["America/New_York"])).toEqual({
    from: "2026-02-28",
    to: "2026-03-01",
  });
  expect(lastDays(2, nowMs, ["America/Denver"]).to).toBe("2026-03-01");
  expect(lastDays(1, nowMs, ["Mars/Olympus"]).to).toBe("2026-03-01");
});

describe("the heat table", () => {
  const fleetFigure = (value: number | null, known_days: number) => ({
    ...(value === null ? UNKNOWN : known(value)),
    known_days,
    basis: value === null ? ("none" as const) : ("observed" as const),
    parts: { observed: value ?? 0, meter: 0, bridged: 0 },
  });
  const row = (asset: string, day: string, working: number | null): FleetRow => ({
    asset_id: asset,
    asset_name: `=${asset}`,
    type: "truck",
    day,
    assets: 1,
    asset_days: 1,
    utilization: null,
    working_s: working,
    overtime_s: 0,
    engine_on_s: 7_200,
    distance_m: 1_000,
    figures: {
      working: fleetFigure(working, working === null ? 0 : 1),
      overtime: fleetFigure(0, 1),
      engine_on: fleetFigure(7_200, 1),
      distance: fleetFigure(1_000, 1),
    },
  });
  const rows = [
    row("van-10", "2026-03-04", 3_600),
    row("van-10", "2026-03-05", null),
    row("van-2", "2026-03-05", 1_800),
  ];
  const lines = heatLines(rows, "asset", "working", (id) => id);

  it("has a line for each machine by name, and counts the numbers in names", () => {
    expect(lines.map(({ name }) => name)).toEqual(["=van-2", "=van-10"]);
  });

  it("tells a day without a report from one that is not known, and neither is 0", () => {
    const [van2, van10] = lines;
    expect(van2?.figureByDay.get("2026-03-04")).toBeUndefined();
    expect(van10?.figureByDay.get("2026-03-05")?.value).toBeNull();
  });

  it("adds up what is known, says of how many days, and has no bounds where a day has none", () => {
    expect(lines[1]?.sum).toEqual({
      value: 3_600,
      lower: null,
      upper: null,
      knownDays: 1,
      machineDays: 2,
      mix: { basis: "observed", parts: { observed: 3_600, meter: 0, bridged: 0 } },
    });
    const sums = daySums(lines, ["2026-03-03", "2026-03-04", "2026-03-05"]);
    expect(sums.has("2026-03-03")).toBe(false);
    expect(sums.get("2026-03-05")).toMatchObject({ value: 1_800, knownDays: 1, machineDays: 2 });
  });

  it("the sum of nothing known is unknown", () => {
    const [line] = heatLines([row("van-1", "2026-03-05", null)], "asset", "working", (id) => id);
    expect(line?.sum.value).toBeNull();
  });

  it("idle time is unknown where its parts are known of different days", () => {
    const [, unknown] = rows;
    if (unknown === undefined) throw new Error("no row");
    expect(figureOf(unknown, "idle")).toMatchObject({ value: null, knownDays: 0, machineDays: 1 });
  });

  it("idle time rests on what its three figures rest on", () => {
    const [first] = rows;
    if (first === undefined) throw new Error("no row");
    const parts = { observed: 10_800, meter: 0, bridged: 0 };
    expect(figureOf(first, "idle").mix).toEqual({ basis: "observed", parts });
  });

  it("a cell is as warm as its share of the highest, and cold where nothing is known", () => {
    const highest = highestOf(lines, 1_000);
    expect(highest).toBe(3_600);
    // A minute that is the most of all is not a day of work.
    expect(highestOf(lines, 7_200)).toBe(7_200);
    expect(heatOf(lines[0]?.figureByDay.get("2026-03-05"), highest)).toBe(0.5);
    expect(heatOf(lines[1]?.figureByDay.get("2026-03-05"), highest)).toBe(0);
    expect(heatOf(undefined, highest)).toBe(0);
  });

  it("its CSV has no formula, and an empty cell for what is not known", () => {
    const [head, first, second] = csvOf(fleetCsvRows(rows)).split("\r\n");
    expect(head).toMatch(/^day,asset_id,asset_name,type,project_id,asset_days,working_s,/);
    expect(first).toMatch(
      /^2026-03-04,van-10,'=van-10,truck,,1,3600,3600,3600,1,observed,3600,3600,3600,1,computed,/,
    );
    expect(second).toMatch(/^2026-03-05,van-10,'=van-10,truck,,1,,,,0,none,/);
  });
});

describe("what a figure of the fleet rests on", () => {
  const mix = (basis: SourceMix["basis"], observed: number, meter: number, bridged: number) => ({
    ...{ basis, parts: { observed, meter, bridged } },
  });

  it("is one source, or the shares that were not observed, none of them rounded to nothing", () => {
    expect(saidShares(mix("observed", 3_600, 0, 0))).toEqual([{ source: "observed" }]);
    expect(saidShares(mix("bridged", 0, 0, 3_600))).toEqual([{ source: "bridged" }]);
    expect(saidShares(mix("observed", 86_399, 0, 1))).toEqual([{ source: "bridged", percent: 1 }]);
    expect(saidShares(mix("bridged", 1, 0, 86_399))).toEqual([{ source: "bridged", percent: 99 }]);
    expect(saidShares(mix("observed", 50, 30, 20))).toEqual([
      { source: "meter", percent: 30 },
      { source: "bridged", percent: 20 },
    ]);
  });

  it("is known of a machine that stood all day, and of a sum of such days the least sure", () => {
    expect(saidShares(mix("bridged", 0, 0, 0))).toEqual([{ source: "bridged" }]);
    const sum = sumOfMixes([mix("observed", 0, 0, 0), mix("bridged", 0, 0, 0)]);
    expect(sum).toEqual(mix("bridged", 0, 0, 0));
    expect(sumOfMixes([mix("observed", 10, 0, 0), mix("bridged", 1, 0, 30)])).toEqual(
      mix("bridged", 11, 0, 30),
    );
  });
});

it("CSV quotes what has commas, quotes and breaks, and a negative number stays a number", () => {
  expect(csvOf([['a,"b"', -1, undefined, "-1", "@x"]])).toBe(`"a,""b""",-1,,'-1,'@x\r\n`);
});

describe("values of fields", () => {
  it("have the unit that their name says", () => {
    expect(formatField("speed_kmh", 12.34, "metric", "en")).toBe("12.3 km/h");
    expect(formatField("oil_pressure_kpa", 412.4, "metric", "en")).toBe("412 kPa");
    expect(formatField("fuel_level_percent", 55.55, "imperial", "de")).toBe("55,6 %");
    expect(formatField("latitude", 52.1234567, "imperial", "en")).toBe("52.123457°");
    expect(formatField("unheard_of", 1.23456, "imperial", "en")).toBe("1.235");
    expect(unitSymbol("coolant_temperature_c", "metric", "en")).toBe("°C");
    expect(unitSymbol("unheard_of", "metric", "en")).toBe("");
  });

  it("hours have a decimal, less is minutes, and a moment is not nothing", () => {
    expect(formatHours(27_000, "en")).toBe("7.5\u00a0h");
    expect(formatHours(27_000, "de")).toBe("7,5\u00a0h");
    expect(formatHours(3_590, "en")).toBe("1.0\u00a0h");
    expect(formatHours(200, "en")).toBe("3 min");
    expect(formatHours(20, "en")).toBe("< 1 min");
    expect(formatHours(0, "en")).toBe("0 min");
  });
});

describe("readings over time", () => {
  const rows = [
    { timestamp: "2026-03-05T12:00:00.000Z", speed_kmh: 3 },
    { timestamp: "2026-03-05T12:00:10.000Z" },
    { timestamp: "2026-03-05T12:00:20.000Z", speed_kmh: 1 },
  ] as unknown as Parameters<typeof samplesOf>[0];

  it("a row without the field says nothing of it", () => {
    const samples = samplesOf(rows, "speed_kmh", (value) => value);
    expect(samples.map(({ value }) => value)).toEqual([3, 1]);
    expect(extremesOf(samples)).toEqual({ min: 1, max: 3, last: 1 });
    expect(extremesOf([])).toBeUndefined();
  });

  it("places are not drawn, and what is looked at first is in front", () => {
    const latest = { latitude: 0, hdop: 0, speed_kmh: 0, fuel_level_percent: 0 };
    expect(drawableFields(latest)).toEqual(["speed_kmh", "fuel_level_percent", "hdop"]);
  });

  it("thinning is not taken for silence", () => {
    expect(gapOf(3_600_000, 1_000)).toBe(300_000);
    expect(gapOf(7 * 86_400_000, 1_000)).toBe(1_814_400);
  });
});

it("bytes of a message are shown as text only where one can read them", () => {
  expect(readablePayload(btoa('{"lat": 1}'))).toEqual({ encoding: "text", text: '{"lat": 1}' });
  expect(readablePayload(btoa("\u0000\u0001"))).toEqual({ encoding: "base64", text: "AAE=" });
  expect(readablePayload("/w==")).toEqual({ encoding: "base64", text: "/w==" });
});
