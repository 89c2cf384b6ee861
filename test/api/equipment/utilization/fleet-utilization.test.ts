import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../../domain/ids.ts";
import { newDayUsage, packUsage } from "../../../../ingest/track/day-usage.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";

const PATH = "/api/v1/equipment/utilization";
const RANGE = "from=2026-03-01&to=2026-03-03";

interface Row {
  readonly asset_id?: string;
  readonly type?: string;
  readonly day?: string;
  readonly assets: number;
  readonly asset_days: number;
  readonly working_s: number | null;
  readonly distance_m: number | null;
  readonly utilization: number | null;
  readonly figures: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

function day(t: TestApp, asset: string, date: string, workingS: number, change: object = {}): void {
  t.records.rows.days.push({
    assetId: asset as AssetId,
    projectId: "p1" as ProjectId,
    day: date,
    workingS,
    overtimeS: 60,
    engineOnS: workingS * 2,
    distanceM: 1_000.5,
    ...change,
  });
}

/** p1: e1 and e2 excavators, t1 a truck that never reported; p2: x1. */
let t: TestApp;
beforeAll(async () => {
  t = await openTestApp();
  for (const id of ["p1", "p2"]) await t.project({ id: id as ProjectId });
  const assets = { e1: "excavator", e2: "excavator", t1: "=truck", x1: "excavator" };
  for (const [id, type] of Object.entries(assets)) {
    const project_id = (id === "x1" ? "p2" : "p1") as ProjectId;
    await t.asset({ id: id as AssetId, project_id, type, name: `Machine ${id}` });
  }
  day(t, "e1", "2026-03-01", 8_640);
  day(t, "e1", "2026-03-02", 17_280);
  day(t, "e2", "2026-03-02", 4_320);
  // Readings came, and said nothing of work.
  day(t, "e2", "2026-03-03", 0, { usage: packUsage(newDayUsage()) });
  day(t, "e1", "2026-03-04", 999);
  day(t, "x1", "2026-03-02", 3_600);
});
afterAll(() => t[Symbol.asyncDispose]());

async function read(query: string, key = ADMIN_KEY): Promise<readonly Row[]> {
  const answer = await t.get(`${PATH}?${query}`, key);
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
  return answer.json().data;
}

const keyOf = (project: string) => t.key({ project_ids: [project as ProjectId] });

describe("GET /utilization", () => {
  it("GET /utilization adds up what each asset's own utilisation says, and knows nothing of one that never reported", async () => {
    const rows = await read(`project_id=p1&${RANGE}`);
    expect(rows.map(({ asset_id, asset_days }) => [asset_id, asset_days])).toEqual([
      ["e1", 2],
      ["e2", 2],
      ["t1", 0],
    ]);
    for (const row of rows) {
      const own: { data: Row[] } = (
        await t.get(`/api/v1/equipment/assets/${row.asset_id}/utilization?${RANGE}`, ADMIN_KEY)
      ).json();
      const known = own.data.map(({ working_s }) => working_s).filter((value) => value !== null);
      const sum = known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
      expect([row.asset_id, row.working_s]).toEqual([row.asset_id, sum]);
      expect(row.figures["working"]?.["known_days"]).toBe(known.length);
    }
    const [, , silent] = rows;
    expect(silent).toEqual({
      ...{ asset_id: "t1", asset_name: "Machine t1", type: "=truck", assets: 1, asset_days: 0 },
      ...{
        utilization: null,
        working_s: null,
        overtime_s: null,
        engine_on_s: null,
        distance_m: null,
      },
      figures: expect.objectContaining({
        working: {
          ...{ value: null, lower: null, upper: null, known_days: 0, basis: "none" },
          parts: { observed: 0, meter: 0, bridged: 0 },
        },
      }),
    });
  });

  it("GET /utilization has the same share of the shift as the asset's own for one day", async () => {
    const range = "from=2026-03-01&to=2026-03-01";
    const [row] = await read(`project_id=p1&${range}`);
    const own = (await t.get(`/api/v1/equipment/assets/e1/utilization?${range}`, ADMIN_KEY)).json();
    expect(row?.utilization).toBe(10);
    expect(row?.utilization).toBe(own.data[0].utilization);
  });

  it("GET /utilization by type, by day, and by both", async () => {
    const short = (rows: readonly Row[]) =>
      rows.map(({ type, day, assets, asset_days, working_s }) => [
        type,
        day,
        assets,
        asset_days,
        working_s,
      ]);
    expect(short(await read(`project_id=p1&${RANGE}&group=type`))).toEqual([
      ["=truck", undefined, 1, 0, null],
      ["excavator", undefined, 2, 4, 30_240],
    ]);
    expect(short(await read(`project_id=p1&${RANGE}&group=day`))).toEqual([
      [undefined, "2026-03-01", 1, 1, 8_640],
      [undefined, "2026-03-02", 2, 2, 21_600],
      [undefined, "2026-03-03", 1, 1, null],
    ]);
    expect(short(await read(`project_id=p1&${RANGE}&group=asset,day`))).toEqual([
      ["excavator", "2026-03-01", 1, 1, 8_640],
      ["excavator", "2026-03-02", 1, 1, 17_280],
      ["excavator", "2026-03-02", 1, 1, 4_320],
      ["excavator", "2026-03-03", 1, 1, null],
    ]);
  });

  it("GET /utilization adds bounds only where every day has some", async () => {
    const rows = await read(`project_id=p1&${RANGE}`);
    expect(rows[0]?.figures["working"]).toEqual({
      value: 25_920,
      lower: null,
      upper: null,
      known_days: 2,
      basis: "observed",
      parts: { observed: 25_920, meter: 0, bridged: 0 },
    });
    expect(rows[1]?.figures["working"]).toMatchObject({ value: 4_320, known_days: 1 });
  });

  it("GET /utilization says how much of a sum was observed, metered and bridged", async () => {
    const usage = (workingS: number, meterS: number, bridgedS: number) => {
      const made = newDayUsage();
      Object.assign(made.work, { meter: meterS * 1_000, bridged: bridgedS * 1_000 });
      // Bridged for most of the time, also on the day without any work.
      Object.assign(made.workCover, { seenMs: 3_600_000, bridgedMs: 7_200_000 });
      return { workingS, overtimeS: 0, usage: packUsage(made) };
    };
    day(t, "x1", "2026-02-10", 3_600, usage(3_600, 600, 1_000));
    day(t, "x1", "2026-02-11", 7_200, usage(7_200, 0, 6_000));
    day(t, "x1", "2026-02-12", 0, usage(0, 0, 0));
    const figuresOf = async (from: string, to: string) => {
      const [row] = await read(`project_id=p2&from=${from}&to=${to}`);
      return row?.figures["working"];
    };
    expect(await figuresOf("2026-02-10", "2026-02-10")).toMatchObject({
      basis: "observed",
      parts: { observed: 2_000, meter: 600, bridged: 1_000 },
    });
    expect(await figuresOf("2026-02-10", "2026-02-12")).toMatchObject({
      ...{ value: 10_800, known_days: 3, basis: "bridged" },
      parts: { observed: 3_200, meter: 600, bridged: 7_000 },
    });
    // Nothing was worked, and what says so is still known.
    expect(await figuresOf("2026-02-12", "2026-02-12")).toMatchObject({
      ...{ value: 0, basis: "bridged" },
      parts: { observed: 0, meter: 0, bridged: 0 },
    });
  });

  it("GET /utilization has today as it is live", async () => {
    t.live("x1" as AssetId, {
      today: { day: "2026-03-05", workingS: 120, overtimeS: 0, engineOnS: 120, distanceM: 5 },
    });
    const [row] = await read("project_id=p2");
    expect([row?.working_s, row?.asset_days]).toEqual([3_720, 2]);
  });

  it("GET /utilization shows a key its own fleet only", async () => {
    const key = await keyOf("p2");
    expect((await read(RANGE, key)).map(({ asset_id }) => asset_id)).toEqual(["x1"]);
    expect((await read(`${RANGE}&group=type`, key)).map(({ working_s }) => working_s)).toEqual([
      3_600,
    ]);
    expect((await t.get(`${PATH}?project_id=p1`, key)).statusCode).toBe(404);
    expect(await read(RANGE, await keyOf("p9"))).toEqual([]);
    const none = await t.key({ scopes: ["materials:read"] });
    expect((await t.get(PATH, none)).statusCode).toBe(403);
  });

  it("GET /utilization is read in pages, and as CSV without formulas", async () => {
    const answer = (await t.get(`${PATH}?${RANGE}&limit=2&offset=2`, ADMIN_KEY)).json();
    expect(answer.pagination).toEqual({ page: 2, limit: 2, total: 4, has_more: false });
    expect(answer.data.map((row: Row) => row.asset_id)).toEqual(["t1", "x1"]);
    const csv = await t.get(`${PATH}?${RANGE}&group=type`, ADMIN_KEY, { accept: "text/csv" });
    expect(csv.body.split("\r\n")[1]?.startsWith(",,'=truck,,1,0,,")).toBe(true);
  });

  it.each([
    ["from=2026-03-03&to=2026-03-02", "from"],
    ["from=2025-11-01&to=2026-03-02", "from"],
    ["from=2026-13-01", "from"],
    ["to=0000-01-01", "to"],
    ["group=", "group"],
    ["group=asset,asset", "group"],
    ["group=project", "group"],
    ["limit=1001", "limit"],
    ["project_id=p1'", "project_id"],
  ])("GET /utilization answers 400 to %s and names the parameter", async (query, parameter) => {
    const answer = await t.get(`${PATH}?${query}`, ADMIN_KEY);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.details[0].parameter.split(".")[0]).toBe(parameter);
  });
});
