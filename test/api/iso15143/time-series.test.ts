import { describe, expect, it } from "vitest";
import type { AlertId, AssetId, ProjectId } from "../../../domain/ids.ts";
import type { AlertUpsert } from "../../../storage/ports/equipment/alerts.ts";
import type { SeriesQuery, TelemetryStore } from "../../../storage/ports/telemetry-store.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../support/api-app.ts";
import { openMemoryTelemetryStore } from "../../support/memory-telemetry-store.ts";
import { sharedTestApp } from "../../support/shared-app.ts";
import { schemaProblems } from "./schema-check.ts";
import { childrenOf, readXml, textAt, type XmlNode } from "./xml-tree.ts";

const JSON_TYPE = { accept: "application/json" };
const MACHINE = "/iso15143-3/Fleet/Equipment/m1";
/** 10:00:00 to 12:00:00 of the test's day. */
const RANGE = "2026-03-05T10:00:00Z/2026-03-05T12:00:00Z";
const TEN_MS = NOON_MS - 7_200_000;

async function withMachine(t: TestApp): Promise<void> {
  await t.asset({ project_id: await t.project({ id: "p1" as ProjectId }), id: "m1" as AssetId });
}

function write(t: TestApp, rows: readonly (readonly [number, Record<string, number>])[]) {
  const point = { assetId: "m1" as AssetId, projectId: "p1" as ProjectId, seq: -1, payloadHash: 0 };
  const points = rows.map(([fixTimeMs, fields]) => ({ ...point, fixTimeMs, fields }));
  return t.telemetry.write(points, { journalId: "j", sequence: 1 });
}

/** One reading every 10 s from 10:00:00 on. */
const hours = (count: number): (readonly [number, Record<string, number>])[] =>
  Array.from({ length: count }, (_, i) => [TEN_MS + i * 10_000, { engine_hours: 100 + i / 100 }]);

const link = (root: XmlNode, rel: string): string | undefined => {
  const found = childrenOf(root, "Links").find((one) => textAt(one, "rel") === rel);
  return found && textAt(found, "href");
};

describe("a time series", () => {
  it.each([
    [
      "Locations",
      "Location",
      { latitude: 1.5, longitude: -2, altitude_meters: 30 },
      ["1.5", "-2", "30", "metre"],
    ],
    ["Locations", "Location", { latitude: 1e-7, longitude: 0 }, ["0.0000001", "0"]],
    ["CumulativeOperatingHours", "CumulativeOperatingHours", { engine_hours: 8376.2 }, ["8376.2"]],
    ["CumulativeIdleHours", "CumulativeIdleHours", { idle_hours: 38.25 }, ["38.25"]],
    ["FuelUsed", "FuelUsed", { fuel_used_liters: 149_529 }, ["litre", "149529"]],
    ["FuelRemaining", "FuelRemaining", { fuel_level_percent: 63 }, ["63"]],
    ["DEFRemaining", "DEFRemaining", { def_level_percent: 0 }, ["0"]],
    ["Distance", "Distance", { odometer_km: 70_439.5 }, ["kilometre", "70439.5"]],
    ["EngineStatus", "EngineStatus", { engine_on: 0 }, ["1", "false"]],
    ["CumulativeLoadCount", "CumulativeLoadCount", { load_count: 13_000 }, ["13000"]],
    ["FuelUsedLast24", "FuelUsedLast24", { fuel_used_last_24_h_liters: 96.5 }, ["litre", "96.5"]],
    ["CumulativePowerTakeOffHours", "CumulativePowerTakeOffHours", { pto_hours: 3 }, ["3"]],
    [
      "AverageLoadFactorLast24",
      "AverageLoadFactorLast24",
      { load_factor_last_24_h_percent: 44 },
      ["44"],
    ],
    [
      "CumulativePayloadTotals",
      "CumulativePayloadTotals",
      { payload_total_kg: 596_361_594 },
      ["kilogram", "596361594"],
    ],
    [
      "CumulativeActiveRegenerationHours",
      "CumulativeActiveRegenerationHours",
      { regeneration_hours: 1.5 },
      ["1.5"],
    ],
    [
      "CumulativeIdleNonOperatingHours",
      "CumulativeIdleNonOperatingHours",
      { idle_non_operating_hours: 7 },
      ["7"],
    ],
    ["location", "Location", { latitude: 1, longitude: 2 }, ["1", "2"]],
    // As other makers' servers have it in their paths.
    ["CumulativeFuelUsed", "FuelUsed", { fuel_used_liters: 7 }, ["litre", "7"]],
    ["fuelRemainingRatio", "FuelRemaining", { fuel_level_percent: 63 }, ["63"]],
    ["DEFRemainingRatio", "DEFRemaining", { def_level_percent: 8 }, ["8"]],
    ["EngineCondition", "EngineStatus", { engine_on: 1 }, ["1", "true"]],
    [
      "FuelUsedInThePreceding24Hours",
      "FuelUsedLast24",
      { fuel_used_last_24_h_liters: 96.5 },
      ["litre", "96.5"],
    ],
  ])("a time series of %s has %s elements", async (series, name, fields, texts) => {
    await using t = await openTestApp();
    await withMachine(t);
    // Others at the same time must not show.
    await write(t, [[TEN_MS, { heading: 5, ...fields }]]);
    const answer = await t.get(`${MACHINE}/${series}/${RANGE}/1`, ADMIN_KEY);
    expect(answer.headers["content-type"]).toBe("application/xml; charset=utf-8");
    expect(schemaProblems(answer.body)).toEqual([]);
    const root = readXml(answer.body);
    expect(root.name).toBe(`${name}Messages`);
    const [section, ...more] = childrenOf(root, name);
    expect(more).toEqual([]);
    expect(section?.attributes).toEqual({ datetime: "2026-03-05T10:00:00Z" });
    expect(section?.children.map(({ text }) => text)).toEqual(texts);
  });

  it("a time series is JSON when asked for, with its links", async () => {
    await using t = await openTestApp();
    await withMachine(t);
    await write(t, [[TEN_MS + 1_500, { load_count: 7 }]]);
    const url = `${MACHINE}/CumulativeLoadCount/${RANGE}/1`;
    const href = url.replaceAll(":", "%3A");
    expect((await t.get(url, ADMIN_KEY, JSON_TYPE)).json()).toEqual({
      CumulativeLoadCount: [{ datetime: "2026-03-05T10:00:01Z", Count: 7 }],
      links: ["self", "first", "last"].map((rel) => ({ rel, href })),
    });
  });

  it("a time series has both ends in it, the last second whole", async () => {
    await using t = await openTestApp();
    await withMachine(t);
    const times = [TEN_MS - 1, TEN_MS, NOON_MS + 999, NOON_MS + 1_000];
    await write(
      t,
      times.map((timeMs, i) => [timeMs, { load_count: i }]),
    );
    const answer = await t.get(`${MACHINE}/CumulativeLoadCount/${RANGE}/1`, ADMIN_KEY, JSON_TYPE);
    expect(answer.json().CumulativeLoadCount).toEqual([
      { datetime: "2026-03-05T10:00:00Z", Count: 1 },
      { datetime: "2026-03-05T12:00:00Z", Count: 2 },
    ]);
  });

  it("a time series lists the engine's changes, not its readings", async () => {
    await using t = await openTestApp();
    await withMachine(t);
    const states = [0, 0, 1, 1, 1, 0, 1];
    await write(
      t,
      states.map((engine_on, i) => [TEN_MS + i * 60_000, { engine_on }]),
    );
    const answer = await t.get(`${MACHINE}/EngineStatus/${RANGE}/1`, ADMIN_KEY, JSON_TYPE);
    const listed = answer.json().EngineStatus as { datetime: string; Running: boolean }[];
    expect(listed.map(({ datetime, Running }) => [datetime.slice(11, 16), Running])).toEqual([
      ["10:00", false],
      ["10:02", true],
      ["10:05", false],
      ["10:06", true],
    ]);
  });

  it("a time series comes in pages of 100 that its links lead through, every reading once", async () => {
    const store = openMemoryTelemetryStore();
    const asked: SeriesQuery[] = [];
    const telemetry: TelemetryStore = {
      ...store,
      read: (query) => {
        asked.push(query);
        return store.read(query);
      },
    };
    await using t = await openTestApp({ telemetry });
    await withMachine(t);
    await write({ ...t, telemetry: store }, hours(250));
    const first = `${MACHINE}/CumulativeOperatingHours/2026-03-04T12%3A00%3A00Z/2026-03-05T12%3A00%3A00Z/1`;
    const seen: (string | undefined)[] = [];
    const reads: number[] = [];
    let url: string | undefined = first;
    while (url !== undefined) {
      asked.length = 0;
      const answer = await t.get(url, ADMIN_KEY);
      reads.push(asked.length);
      expect(schemaProblems(answer.body)).toEqual([]);
      const root = readXml(answer.body);
      expect([link(root, "self"), link(root, "first")]).toEqual([url, first]);
      expect(link(root, "last")).toBe(first.replace(/1$/, "3"));
      seen.push(...childrenOf(root, "CumulativeOperatingHours").map((one) => textAt(one, "Hour")));
      url = link(root, "next");
    }
    expect(seen).toEqual(hours(250).map(([, { engine_hours }]) => String(engine_hours)));
    // The range is gone over once, in slices of 6 h; then each page is one read.
    expect(reads).toEqual([5 + 1, 1, 1]);
    expect((await t.get(first.replace(/1$/, "4"), ADMIN_KEY)).statusCode).toBe(404);
  });

  it("a time series shows readings that came since after a minute, and those of a known page at once", async () => {
    await using t = await openTestApp();
    await withMachine(t);
    await write(t, hours(100));
    const page = async (number: number) => {
      const url = `${MACHINE}/CumulativeOperatingHours/${RANGE}/${number}`;
      const answer = await t.get(url, ADMIN_KEY, JSON_TYPE);
      return answer.statusCode === 200 ? answer.json().CumulativeOperatingHours.length : undefined;
    };
    expect([await page(1), await page(2)]).toEqual([100, undefined]);
    await write(t, [[TEN_MS + 5_000, { engine_hours: 100 }]]);
    expect([await page(1), await page(2)]).toEqual([101, undefined]);
    t.clock.ms += 60_000;
    expect([await page(1), await page(2)]).toEqual([100, 1]);
  });

  it("a time series asks the store anew after it was away", async () => {
    const store = openMemoryTelemetryStore();
    let isAway = true;
    const read: TelemetryStore["read"] = (query) =>
      isAway ? Promise.reject(new Error("away")) : store.read(query);
    await using t = await openTestApp({ telemetry: { ...store, read } });
    await withMachine(t);
    const url = `${MACHINE}/FuelUsed/${RANGE}/1`;
    const failed = await t.get(url, ADMIN_KEY);
    isAway = false;
    const answer = await t.get(url, ADMIN_KEY);
    expect([failed.statusCode, textAt(readXml(failed.body), "code")]).toEqual([
      500,
      "internal_error",
    ]);
    expect([answer.statusCode, schemaProblems(answer.body)]).toEqual([200, []]);
  });

  it("a time series is found by the hardware's name, which its links keep", async () => {
    await using t = await openTestApp();
    await t.asset({ project_id: await t.project(), hardware_id: "group/edge/7" });
    const path = `/iso15143-3/Fleet/Equipment/group%2Fedge%2F7/FuelUsed/${RANGE}/1`;
    const answer = await t.get(path, ADMIN_KEY);
    expect(schemaProblems(answer.body)).toEqual([]);
    expect(link(readXml(answer.body), "self")).toBe(path.replaceAll(":", "%3A"));
  });
});

describe("the fault codes of a machine", () => {
  const fault = (i: number, more: Partial<AlertUpsert> = {}): AlertUpsert => ({
    id: `alt_${i}` as AlertId,
    type: "equipment.fault.raised",
    severity: "critical",
    projectId: "p1" as ProjectId,
    assetId: "m1" as AssetId,
    message: "Excavator 7 reports engine oil pressure <low>",
    openedAtMs: TEN_MS + i * 1_000,
    resolvedAtMs: undefined,
    occurrences: 1,
    data: { spn: 100, fmi: 1, occurrence_count: 2, ...(i === 0 ? { source: 0 } : {}) },
    ...more,
  });

  function raise(t: TestApp, alerts: readonly AlertUpsert[]) {
    for (const alert of alerts) {
      t.records.rows.alerts.set(alert.id, {
        ...alert,
        state: "open",
        acknowledgedAtMs: undefined,
        acknowledgedBy: undefined,
        note: undefined,
      });
    }
  }

  it("have code, description, severity and, where it is known, source", async () => {
    await using t = await openTestApp();
    await withMachine(t);
    raise(t, [fault(1), fault(0), fault(2, { type: "equipment.asset.silent" })]);
    const answer = await t.get(`${MACHINE}/FaultCodes/${RANGE}/1`, ADMIN_KEY);
    expect(schemaProblems(answer.body)).toEqual([]);
    const root = readXml(answer.body);
    expect(root.name).toBe("FaultCodeMessages");
    const listed = childrenOf(root, "FaultCode").map(({ attributes, children }) => [
      attributes["datetime"],
      ...children.map(({ text }) => text),
    ]);
    const code = ["SPN 100 FMI 1", "Excavator 7 reports engine oil pressure <low>", "critical"];
    expect(listed).toEqual([
      ["2026-03-05T10:00:00Z", ...code, "J1939 address 0"],
      ["2026-03-05T10:00:01Z", ...code],
    ]);
    // Caterpillar's and Komatsu's name of the path.
    const same = await t.get(`${MACHINE}/faults/${RANGE}/1`, ADMIN_KEY);
    expect(childrenOf(readXml(same.body), "FaultCode")).toEqual(childrenOf(root, "FaultCode"));
  });

  it("the fault codes of a machine come oldest first in pages of 100, of the range and the key's projects only", async () => {
    await using t = await openTestApp();
    await withMachine(t);
    raise(
      t,
      Array.from({ length: 230 }, (_, i) => fault(i)),
    );
    raise(t, [
      fault(1_000, { projectId: "before" as ProjectId }),
      fault(1_001, { openedAtMs: TEN_MS - 1 }),
      fault(1_002, { openedAtMs: NOON_MS + 1_000 }),
      fault(1_003, { assetId: "m2" as AssetId }),
    ]);
    const key = await t.key({ project_ids: ["p1" as ProjectId] });
    const times: number[] = [];
    for (const page of [1, 2, 3]) {
      const answer = await t.get(`${MACHINE}/FaultCodes/${RANGE}/${page}`, key, JSON_TYPE);
      const { FaultCode } = answer.json() as { FaultCode: { datetime: string }[] };
      expect(FaultCode).toHaveLength(page < 3 ? 100 : 30);
      times.push(...FaultCode.map(({ datetime }) => Date.parse(datetime)));
    }
    expect(times).toEqual(Array.from({ length: 230 }, (_, i) => TEN_MS + i * 1_000));
    expect((await t.get(`${MACHINE}/FaultCodes/${RANGE}/4`, key)).statusCode).toBe(404);
  });
});

describe("a path that makes no sense", () => {
  const shared = sharedTestApp(async () => {
    const t = await openTestApp();
    await withMachine(t);
    return t;
  });

  it.each([
    ["Moods", RANGE, 404, "not_found", "The series are Locations, CumulativeOperatingHours"],
    ["Speeds", RANGE, 404, "not_found", "The series are Locations"],
    ["__proto__", RANGE, 404, "not_found", "The series are Locations"],
    [
      "FuelUsed",
      "yesterday/2026-03-05T12:00:00Z",
      400,
      "invalid_parameter",
      "start must be a time",
    ],
    ["FuelUsed", "2026-03-05/2026-03-06", 400, "invalid_parameter", "start must be a time"],
    [
      "FuelUsed",
      "2026-02-30T00:00:00Z/2026-03-05T12:00:00Z",
      400,
      "invalid_parameter",
      "start must",
    ],
    [
      "FuelUsed",
      "1969-03-05T12:00:00Z/2026-03-05T12:00:00Z",
      400,
      "invalid_parameter",
      "start must",
    ],
    [
      "FuelUsed",
      "2026-03-05T12:00:00Z/2026-03-05T25:00:00Z",
      400,
      "invalid_parameter",
      "end must be",
    ],
    [
      "FuelUsed",
      "2026-03-05T12:00:01Z/2026-03-05T12:00:00Z",
      400,
      "invalid_parameter",
      "start must not be after end",
    ],
    [
      "FuelUsed",
      "2026-02-01T00:00:00Z/2026-03-05T00:00:00Z",
      400,
      "invalid_parameter",
      "at most 31 days",
    ],
  ])("a path that makes no sense such as %s of %s is %i %s: %s", async (element, range, status, code, message) => {
    const { t } = shared;
    const answer = await t.get(`${MACHINE}/${element}/${range}/1`, ADMIN_KEY, JSON_TYPE);
    expect(answer.statusCode).toBe(status);
    expect(answer.json().error).toMatchObject({ code, message: expect.stringContaining(message) });
    const xml = await t.get(`${MACHINE}/${element}/${range}/1`, ADMIN_KEY);
    expect(schemaProblems(xml.body)).toEqual([]);
  });

  it("a range may be one second or 31 days, with an offset and parts of a second", async () => {
    await using t = await openTestApp();
    await withMachine(t);
    for (const range of [
      "2026-03-05T12:00:00Z/2026-03-05T12:00:00Z",
      "2026-02-02T00:00:00Z/2026-03-05T00:00:00Z",
      "2026-03-05T12:00:00.250%2B01:00/2026-03-05T12:00:00Z",
    ]) {
      const answer = await t.get(`${MACHINE}/FuelUsed/${range}/1`, ADMIN_KEY);
      expect([range, answer.statusCode, schemaProblems(answer.body)]).toEqual([range, 200, []]);
    }
  });
});
