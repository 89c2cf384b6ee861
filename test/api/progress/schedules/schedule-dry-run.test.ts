import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ScheduleDryRun } from "../../../../api/progress/schedules/schedule-schemas.ts";
import type { ProjectId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";
import {
  addZone,
  putSchedule,
  schedulePath,
  TWO_ZONES_CSV,
} from "../../../support/schedule-files/site.ts";

const answer = Compile(ScheduleDryRun);

let t: TestApp;
let project: ProjectId;
beforeAll(async () => {
  t = await openTestApp();
  project = await t.project();
  await addZone(t, project, "North");
});
afterAll(() => t[Symbol.asyncDispose]());

const dryRun = (payload: string, query = "?dry_run=true") =>
  t.app.inject({
    method: "POST",
    url: `${schedulePath(project)}${query}`,
    headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "text/csv" },
    payload,
  });

describe("POST /progress/projects/{project_id}/schedule?dry_run=true", () => {
  it("says what would be matched, by group, and stores nothing", async () => {
    const response = await dryRun(TWO_ZONES_CSV);
    expect(response.statusCode).toBe(200);
    expect(answer.Check(response.json())).toBe(true);
    expect(response.json()).toMatchObject({
      ...{ revision: 1, is_newest: false, activities: 2, unmatched_activities: 1 },
      zones: [{ zone_id: `${project}-north`, activities: 1 }],
      unmatched: [{ code: "Walls" }],
      groups: [
        { by: "code", value: "South", activities: 1, unmatched: 1, zone_ids: [], example: "Walls" },
        { by: "code", value: "North", unmatched: 0, zone_ids: [`${project}-north`] },
      ],
      groups_total: 2,
    });
    expect((await t.get(schedulePath(project), ADMIN_KEY)).statusCode).toBe(404);
  });

  it("knows the file of the newest revision again", async () => {
    await putSchedule(t, project, TWO_ZONES_CSV);
    expect((await dryRun(TWO_ZONES_CSV)).json()).toMatchObject({ revision: 2, is_newest: true });
    const other = await dryRun(`${TWO_ZONES_CSV}South,Roof,2026-04-01,2026-04-02,,\n`);
    expect(other.json()).toMatchObject({ revision: 2, is_newest: false });
  });

  it.each(["", "?dry_run=false"])("refuses to import (%s)", async (query) => {
    const response = await dryRun(TWO_ZONES_CSV, query);
    expect([response.statusCode, response.json().error.details[0].parameter]).toEqual([
      400,
      "dry_run",
    ]);
  });

  it("names what is wrong with a file as an import does", async () => {
    const response = await dryRun("zone,task,start,finish\nNorth,Slab,soon,2026-03-09\n");
    expect([response.statusCode, response.json().error.details[0].parameter]).toEqual([
      400,
      "line 2, start",
    ]);
  });
});
