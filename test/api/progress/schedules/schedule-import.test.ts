import { Readable } from "node:stream";
import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ScheduleDetail } from "../../../../api/progress/schedules/schedule-schemas.ts";
import type { ProjectId } from "../../../../domain/ids.ts";
import { MAX_SCHEDULE_BYTES } from "../../../../domain/sites/schedule.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { putSchedule, schedulePath, TWO_ZONES_CSV } from "../../../support/schedule-files/site.ts";

const detail = Compile(ScheduleDetail);

let t: TestApp;
let project: ProjectId;
beforeAll(async () => {
  t = await openTestApp();
  project = await t.project({ time_zone: "Europe/Berlin" });
});
afterAll(() => t[Symbol.asyncDispose]());

describe("PUT /projects/{project_id}/schedule", () => {
  it("PUT /projects/{project_id}/schedule answers 201 with the revision, what it plans now, and what of it is of no zone", async () => {
    const own = await t.project({ time_zone: "Europe/Berlin" });
    const response = await putSchedule(t, own, TWO_ZONES_CSV, { "content-type": "text/csv" });
    const created = response.json();
    expect(response.statusCode).toBe(201);
    expect(detail.Check(created)).toBe(true);
    expect(created).toEqual({
      id: expect.stringMatching(/^sch_[0-9A-Za-z]{16}$/),
      project_id: own,
      revision: 1,
      format: "csv",
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      name: "Schedule",
      // Midnights in Berlin.
      start: "2026-03-01T23:00:00.000Z",
      finish: "2026-03-09T23:00:00.000Z",
      activities: 2,
      warnings: [],
      imported_by: "admin",
      imported_at: "2026-03-05T12:00:00.000Z",
      // 2026-03-05 13:00 in Berlin: 85 h of 96 h at 3 of 4, nothing of the other.
      planned_percent: 66.4,
      weight_basis: "cost",
      zones: [],
      unmatched_activities: 2,
      unmatched: [
        { code: "Slab", name: "Slab", wbs: "", zone_codes: ["North"] },
        { code: "Walls", name: "Walls", wbs: "", zone_codes: ["South"] },
      ],
      plan_warnings: [],
    });
  });

  it("PUT /projects/{project_id}/schedule makes no revision of the same file, and one of another", async () => {
    const first = await putSchedule(t, project, TWO_ZONES_CSV);
    const again = await putSchedule(t, project, TWO_ZONES_CSV);
    const other = await putSchedule(
      t,
      project,
      `${TWO_ZONES_CSV}South,Roof,2026-04-01,2026-04-02,,\n`,
    );
    expect([first, again, other].map((answer) => answer.statusCode)).toEqual([201, 200, 201]);
    expect([first, again, other].map((answer) => answer.json().revision)).toEqual([1, 1, 2]);
    expect(again.json().id).toBe(first.json().id);
  });

  it("a refused schedule lists up to eight problems with their lines", async () => {
    const rows = Array.from({ length: 20 }, () => "North,Slab,2026-02-30,soon,,");
    const text = `zone,task,start,finish,weight,curve\n${rows.join("\n")}\n`;
    const response = await putSchedule(t, project, text);
    const { code, message, details } = response.json().error;
    expect([response.statusCode, code]).toEqual([400, "invalid_request"]);
    expect(message).toMatch(/^The schedule cannot be read: line 2, .* \(and 7 more\)$/);
    expect(details).toHaveLength(8);
    expect(details[0]).toEqual({
      parameter: "line 2, finish",
      message: expect.stringMatching(/^must be a date such as 2026-03-31 .*, not "soon"$/),
    });
    expect(details[7].parameter).toBe("line 5, start");
  });

  it.each([
    ["nothing", ""],
    ["JSON", '{"zone": "North"}'],
    ["a spreadsheet", Buffer.from("504b030414000600", "hex")],
    ["a document type", '<!DOCTYPE p [<!ENTITY a "b">]><Project/>'],
  ])("PUT /projects/{project_id}/schedule refuses %s with 400", async (_, payload) => {
    const response = await putSchedule(t, project, payload, { "content-type": "application/json" });
    expect([response.statusCode, response.json().error.code]).toEqual([400, "invalid_request"]);
  });

  it("PUT /projects/{project_id}/schedule takes a body without any content type, and one that comes in pieces", async () => {
    const own = await t.project();
    const pieces = Readable.from([...TWO_ZONES_CSV].map((letter) => Buffer.from(letter)));
    const whole = await putSchedule(t, own, TWO_ZONES_CSV, {});
    const inPieces = await putSchedule(t, own, pieces);
    expect([whole.statusCode, inPieces.statusCode]).toEqual([201, 200]);
  });

  it("PUT /projects/{project_id}/schedule refuses a request without a body", async () => {
    const response = await t.send("PUT", schedulePath(project), ADMIN_KEY);
    expect([response.statusCode, response.json().error.message]).toEqual([
      400,
      "The body must be the file of the schedule",
    ]);
  });

  it("PUT /projects/{project_id}/schedule stops reading at 20 MiB", async () => {
    let sent = 0;
    const piece = Buffer.alloc(1024 ** 2, "a");
    async function* endless() {
      for (; sent < 40; sent++) yield piece;
    }
    const response = await putSchedule(t, project, Readable.from(endless()));
    expect([response.statusCode, response.json().error]).toMatchObject([
      400,
      { code: "payload_too_large", message: "A schedule has at most 20 MiB" },
    ]);
    expect(sent).toBeLessThan(MAX_SCHEDULE_BYTES / piece.byteLength + 4);
  });

  it("PUT /projects/{project_id}/schedule takes format and name from the query", async () => {
    const own = await t.project();
    // Control characters, which no store takes, are blanks.
    const query = "?name=Baseline%00B";
    const named = await putSchedule(t, own, TWO_ZONES_CSV, {}, query);
    const wrong = await putSchedule(t, own, TWO_ZONES_CSV, {}, "?format=xer");
    const unknown = await putSchedule(t, own, TWO_ZONES_CSV, {}, "?format=mpp");
    expect(named.json().name).toBe("Baseline B");
    expect(wrong.json().error.details).toEqual([
      { parameter: "line 1", message: "must begin with ERMHDR" },
    ]);
    expect(unknown.json().error.code).toBe("invalid_parameter");
  });

  it("PUT /schedule is not found in another tenant's project, and stores nothing there", async () => {
    const theirs = await t.project();
    const key = await t.key({ scopes: ["progress:write"], project_ids: [project] });
    const response = await putSchedule(t, theirs, TWO_ZONES_CSV, {}, "", key);
    const reader = await t.key({ scopes: ["progress:read"], project_ids: [theirs] });
    const refused = await putSchedule(t, theirs, TWO_ZONES_CSV, {}, "", reader);
    expect([response.statusCode, refused.statusCode]).toEqual([404, 403]);
    expect(await t.records.schedules.summary(theirs)).toBeUndefined();
  });

  it("PUT /projects/{project_id}/schedule gives revisions that come at once a number each", async () => {
    const own = await t.project();
    const files = [1, 2, 3].map((i) => `${TWO_ZONES_CSV}South,Roof ${i},2026-04-01,2026-04-02,,\n`);
    const answers = await Promise.all(files.map((file) => putSchedule(t, own, file)));
    expect(answers.map((answer) => answer.statusCode)).toEqual([201, 201, 201]);
    expect(answers.map((answer) => answer.json().revision).toSorted()).toEqual([1, 2, 3]);
  });
});
