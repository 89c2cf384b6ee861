import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VisitList } from "../../../../api/equipment/geofences/visit-schemas.ts";
import type { AssetId, GeofenceId, ProjectId, VisitId } from "../../../../domain/ids.ts";
import type { Visit, VisitEnd } from "../../../../storage/ports/equipment/visits.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";

const VISITS = "/api/v1/equipment/visits";
const GEOFENCES = "/api/v1/equipment/geofences";
const MINUTE_MS = 60_000;

const visitList = Compile(VisitList);

function end(minutesBeforeNoon: number, change: Partial<VisitEnd> = {}): VisitEnd {
  return {
    atMs: NOON_MS - minutesBeforeNoon * MINUTE_MS,
    location: { latitude: 53.5, longitude: 9.9 },
    accuracyM: 2.5,
    cause: "crossing",
    ...change,
  };
}

/** Puts a visit of asset a1 in fence f1 of project p1 into the store. */
function put(t: TestApp, id: string, visit: Partial<Visit>): void {
  t.records.rows.visits.set(id as VisitId, {
    id: id as VisitId,
    assetId: "a1" as AssetId,
    projectId: "p1" as ProjectId,
    geofenceId: "f1" as GeofenceId,
    ordinal: t.records.rows.visits.size,
    entered: end(60),
    exited: undefined,
    inferred: false,
    withdrawn: false,
    published: {
      entered: 1,
      exited: 0,
      exitWithdrawn: false,
      enterAlerted: false,
      exitAlerted: false,
    },
    ...visit,
  });
}

/** v1 in f1 from 11:00 to 11:30, v2 in f1 since 11:50, v3 of a2 in f2 of p2 from 10:00 to 10:10. */
async function withVisits(t: TestApp): Promise<void> {
  await t.project({ id: "p1" as ProjectId });
  await t.project({ id: "p2" as ProjectId });
  const polygon = [
    [53, 9],
    [53, 9.1],
    [53.1, 9],
  ];
  const yard = { name: "Yard", polygon };
  await t.send("POST", GEOFENCES, ADMIN_KEY, { ...yard, id: "f1", project_id: "p1" });
  await t.send("POST", GEOFENCES, ADMIN_KEY, { ...yard, id: "f2", project_id: "p2" });
  put(t, "v1", { exited: end(30, { accuracyM: 4, cause: "fence_changed" }) });
  put(t, "v2", { entered: end(10, { cause: "first_fix" }) });
  put(t, "v3", {
    assetId: "a2" as AssetId,
    projectId: "p2" as ProjectId,
    geofenceId: "f2" as GeofenceId,
    entered: end(120),
    exited: end(110),
    inferred: true,
  });
  put(t, "v4", { withdrawn: true, exited: end(50) });
}

/** For tests that change nothing. */
let unchanged: TestApp;
beforeAll(async () => {
  unchanged = await openTestApp();
  await withVisits(unchanged);
});
afterAll(() => unchanged[Symbol.asyncDispose]());

const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

describe("a visit", () => {
  it("a visit has both its ends with cause, place and accuracy, and its duration in seconds", async () => {
    await using t = await openTestApp();
    await withVisits(t);
    const body = (await t.get(`${VISITS}?to=2026-03-05T11:50:00Z&limit=1`, ADMIN_KEY)).json();
    expect(body).toEqual({
      data: [
        {
          id: "v1",
          project_id: "p1",
          asset_id: "a1",
          geofence_id: "f1",
          entered_at: "2026-03-05T11:00:00.000Z",
          exited_at: "2026-03-05T11:30:00.000Z",
          duration_s: 1_800,
          inferred: false,
          entry: {
            cause: "crossing",
            location: { latitude: 53.5, longitude: 9.9 },
            accuracy_meters: 2.5,
          },
          exit: {
            cause: "fence_changed",
            location: { latitude: 53.5, longitude: 9.9 },
            accuracy_meters: 4,
          },
        },
      ],
      pagination: { page: 1, limit: 1, total: 2, has_more: true },
    });
    expect(visitList.Check(body)).toBe(true);
  });

  it("a visit that lasts has no end, and a duration until now", async () => {
    await using t = await openTestApp();
    await withVisits(t);
    const [visit] = (await t.get(VISITS, ADMIN_KEY)).json().data;
    expect(visit).toMatchObject({ id: "v2", duration_s: 600, entry: { cause: "first_fix" } });
    expect(visit).not.toHaveProperty("exited_at");
    expect(visit).not.toHaveProperty("exit");
  });

  it("a visit that begins ahead of the server's clock has lasted 0 s", async () => {
    await using t = await openTestApp();
    await withVisits(t);
    put(t, "v5", { entered: end(-2) });
    expect((await t.get(VISITS, ADMIN_KEY)).json().data[0]).toMatchObject({
      id: "v5",
      duration_s: 0,
    });
  });
});

describe("GET /visits", () => {
  it.each([
    ["", ["v2", "v1", "v3"]],
    ["?asset_id=a2", ["v3"]],
    ["?geofence_id=f1", ["v2", "v1"]],
    ["?project_id=p2", ["v3"]],
    // Overlap with the half-open range: v1 ends at 11:30 and v2 begins at 11:50.
    ["?from=2026-03-05T11:30:00Z", ["v2"]],
    ["?from=2026-03-05T11:29:59Z&to=2026-03-05T11:50:00Z", ["v1"]],
    ["?from=2026-03-05T10:00:00Z&to=2026-03-05T10:00:00.001Z", ["v3"]],
    ["?limit=1&offset=1", ["v1"]],
    // Visits outlive their asset and fence: an id that names nothing now is not an error.
    ["?asset_id=removed", []],
    ["?geofence_id=removed", []],
  ])("%s lists the visits, newest first, without withdrawn ones", async (query, expected) => {
    expect(idsOf((await unchanged.get(`${VISITS}${query}`, ADMIN_KEY)).json())).toEqual(expected);
  });

  it.each([
    ["from=yesterday", "from"],
    ["to=1969-12-31T00:00:00Z", "to"],
    ["from=2026-03-05T11:00:00Z&to=2026-03-05T10:00:00Z", "from"],
    ["asset_id=a%2Fb", "asset_id"],
    ["geofence_id=", "geofence_id"],
    ["asset_id=a1&asset_id=a2", "asset_id"],
    ["limit=0", "limit"],
  ])("GET /visits refuses ?%s with 400, also for a fence that is not there", async (query, parameter) => {
    const all = await unchanged.get(`${VISITS}?${query}`, ADMIN_KEY);
    expect(all.statusCode).toBe(400);
    expect(all.json().error.details[0].parameter).toBe(parameter);
    const isOwn = parameter !== "geofence_id";
    const one = await unchanged.get(`${GEOFENCES}/absent/visits?${query}`, ADMIN_KEY);
    expect(one.statusCode).toBe(isOwn ? 400 : 404);
  });

  it("GET /visits shows a key the visits of its projects only", async () => {
    await using t = await openTestApp();
    await withVisits(t);
    const key = await t.key({ project_ids: ["p2" as ProjectId] });
    const all = (await t.get(VISITS, key)).json();
    const foreign = (await t.get(`${VISITS}?asset_id=a1`, key)).json();
    expect(idsOf(all)).toEqual(["v3"]);
    expect(all.pagination.total).toBe(1);
    expect(foreign.data).toEqual([]);
    expect((await t.get(`${VISITS}?project_id=p1`, key)).statusCode).toBe(404);
  });

  it("GET /visits is CSV on request", async () => {
    await using t = await openTestApp();
    await withVisits(t);
    const { body } = await t.get(`${VISITS}?geofence_id=f1`, ADMIN_KEY, { accept: "text/csv" });
    expect(body.split("\r\n")).toEqual([
      "id,project_id,asset_id,geofence_id,entered_at,exited_at,duration_s,inferred,entry_cause,entry_latitude,entry_longitude,entry_accuracy_meters,exit_cause,exit_latitude,exit_longitude,exit_accuracy_meters",
      "v2,p1,a1,f1,2026-03-05T11:50:00.000Z,,600,false,first_fix,53.5,9.9,2.5,,,,",
      "v1,p1,a1,f1,2026-03-05T11:00:00.000Z,2026-03-05T11:30:00.000Z,1800,false,crossing,53.5,9.9,2.5,fence_changed,53.5,9.9,4",
      "",
    ]);
  });
});

describe("GET /geofences/{id}/visits", () => {
  it("GET /geofences/{id}/visits lists the visits in one fence", async () => {
    await using t = await openTestApp();
    await withVisits(t);
    const all = (await t.get(`${GEOFENCES}/f1/visits`, ADMIN_KEY)).json();
    const early = `${GEOFENCES}/f1/visits?to=2026-03-05T11:50:00Z`;
    expect(idsOf(all)).toEqual(["v2", "v1"]);
    expect(visitList.Check(all)).toBe(true);
    expect(idsOf((await t.get(early, ADMIN_KEY)).json())).toEqual(["v1"]);
    const other = await t.get(`${GEOFENCES}/f1/visits?asset_id=a2`, ADMIN_KEY);
    expect(other.json().data).toEqual([]);
  });

  it("GET /geofences/{id}/visits answers 404 for a fence that is absent or another tenant's", async () => {
    await using t = await openTestApp();
    await withVisits(t);
    const key = await t.key({ project_ids: ["p2" as ProjectId] });
    expect((await t.get(`${GEOFENCES}/f1/visits`, key)).statusCode).toBe(404);
    expect((await t.get(`${GEOFENCES}/absent/visits`, key)).statusCode).toBe(404);
    expect((await t.get(`${GEOFENCES}/f2/visits`, key)).statusCode).toBe(200);
  });
});
