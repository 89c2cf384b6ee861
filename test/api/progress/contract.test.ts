import { type TSchema, Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProjectId } from "../../../domain/ids.ts";
import { report } from "../../contracts/records/progress-rows.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../support/api-app.ts";
import { CAPTURES, claimCapture, sendCapture, storeCapture } from "../../support/capture-site.ts";
import { inlined } from "../../support/inlined-api.ts";
import { REPORTS } from "../../support/report-site.ts";

interface Described {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: TSchema }>> }>
  >;
}

let t: TestApp;
let project_id: ProjectId;
let operations: ReadonlyMap<string, Described>;
beforeAll(async () => {
  t = await openTestApp({
    runTask: (async () => ({ map: Buffer.from("m"), model: Buffer.from("g") })) as never,
  });
  project_id = await t.project({ planned_start: "2026-01-01", planned_finish: "2026-12-31" });
  const document = inlined(JSON.parse(JSON.stringify(t.app.swagger()))) as {
    paths: Record<string, Record<string, Described>>;
  };
  operations = new Map(
    Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .map((operation) => [operation.operationId, operation]),
  );
});
afterAll(() => t[Symbol.asyncDispose]());

/** What the OpenAPI description says of a JSON answer. */
function described(operationId: string, status: number): TSchema {
  const schema =
    operations.get(operationId)?.responses[status]?.content?.["application/json"]?.schema;
  if (schema === undefined) throw new Error(`${operationId} ${status} is not described`);
  return schema;
}

interface Answer {
  readonly statusCode: number;
  json(): unknown;
}

/** The body of an answer that is as its operation's description says. */
function checked<T = Record<string, unknown>>(operationId: string, answer: Answer): T {
  const body = answer.json();
  const problems = Compile(described(operationId, answer.statusCode)).Errors(body);
  expect([operationId, answer.statusCode, problems]).toEqual([operationId, answer.statusCode, []]);
  return body as T;
}

/** The contract's fields of each of its answers (the contract, Resources and their fields). */
const CONTRACT = {
  createCapture: ["id", "status", "estimated_completion", "images_count"],
  listReports: [
    ...["id", "project_id", "capture_date", "progress_percentage", "status"],
    ...["comparison", "zones_completed", "total_zones"],
  ],
  getReport: [
    ...["id", "project_id", "capture_date", "progress_percentage", "status"],
    ...["zones", "images"],
  ],
};

describe("answers about progress", () => {
  it("answers about progress are as the OpenAPI description says, in every state of a capture", async () => {
    const created = checked("createCapture", await sendCapture(t, { project_id }));
    expect(Object.keys(created)).toEqual(CONTRACT.createCapture);
    const read = async (id: unknown) =>
      checked("getCapture", await t.get(`${CAPTURES}/${String(id)}`, ADMIN_KEY))["status"];
    expect(await read(created["id"])).toBe("processing");
    const failure = { code: "IMAGES_UNUSABLE", message: "is dark" };
    await t.records.jobs.fail(await claimCapture(t), failure, undefined);
    expect(await read(created["id"])).toBe("failed");
    const { id } = await storeCapture(t, project_id);
    checked("cancelCapture", await t.send("DELETE", `${CAPTURES}/${id}`, ADMIN_KEY));
    checked("listCaptures", await t.get(CAPTURES, ADMIN_KEY));
  });

  it("answers about progress are as the OpenAPI description says, of reports and their corrections", async () => {
    const zone = { zone_id: "z1", name: "Pit", progress: 40, status: "in_progress" };
    const figures = {
      ...{ method: "declared", interval_95: null, observed_fraction: 0, raw_progress: null },
      ...{ as_of: "2026-03-01T00:00:00.000Z", planned: null, weight: 1 },
      ...{ regression_suspected: false, no_estimate: null, notes: [], evidence: {} },
    };
    const stored = report("rpt_1", { project_id, zones: [{ ...zone, ...figures }] as never });
    t.records.rows.reports.push({ report: stored, supersededBy: undefined });
    const list = checked<{ data: object[] }>(
      "listReports",
      await t.get(`${REPORTS}?project_id=${project_id}`, ADMIN_KEY),
    );
    expect(Object.keys(list)).toEqual(["data", "pagination"]);
    expect(list.data.map(Object.keys)).toEqual([CONTRACT.listReports]);
    const detail = checked("getReport", await t.get(`${REPORTS}/rpt_1`, ADMIN_KEY));
    expect(Object.keys(detail).slice(0, CONTRACT.getReport.length)).toEqual(CONTRACT.getReport);
    checked("getReportPage", await t.get(`${REPORTS}/rpt_1/report`, ADMIN_KEY));
    const zones = [{ zone_id: "z1", progress: 55 }];
    const path = `${REPORTS}/rpt_1/corrections`;
    const corrected = await t.send("POST", path, ADMIN_KEY, { zones });
    expect(corrected.statusCode).toBe(201);
    checked("correctReport", corrected);
    expect((await t.send("POST", path, ADMIN_KEY, { zones })).statusCode).toBe(409);
  });

  it("answers about progress are refused with the error body of the description", async () => {
    const reader = await t.key({ scopes: ["equipment:read"] });
    const gone = "absent";
    for (const [operationId, key, url, status] of [
      ["listReports", undefined, REPORTS, 401],
      ["listReports", reader, REPORTS, 403],
      ["listReports", ADMIN_KEY, REPORTS, 400],
      ["listReports", ADMIN_KEY, `${REPORTS}?project_id=${gone}`, 404],
      ["getReport", ADMIN_KEY, `${REPORTS}/${gone}`, 404],
      ["getCapture", ADMIN_KEY, `${CAPTURES}/${gone}`, 404],
    ] as const) {
      const answer = await t.get(url, key);
      expect(answer.statusCode).toBe(status);
      checked(operationId, answer);
    }
    t.records.away = true;
    const broken = await t.get(`${REPORTS}/rpt_1`, ADMIN_KEY);
    t.records.away = false;
    expect(checked<{ error: object }>("getReport", broken).error).toMatchObject({
      code: "internal_error",
      message: "Internal server error",
    });
  });
});

describe("the description of the contract's answers", () => {
  it.each(
    Object.entries(CONTRACT),
  )("the description of the contract's answers requires every field of %s, never null", (id, fields) => {
    const schema = described(id, id === "createCapture" ? 201 : 200) as {
      properties?: { data?: { items: object } };
    };
    const item = (schema.properties?.data?.items ?? schema) as {
      readonly required: readonly string[];
      readonly properties: Readonly<Record<string, TSchema>>;
    };
    expect(item.required).toEqual(expect.arrayContaining(fields));
    for (const field of fields) {
      expect([field, Compile(item.properties[field] ?? Type.Null()).Check(null)]).toEqual([
        field,
        false,
      ]);
    }
  });

  it("the description of the contract's answers has what list and detail do not share in one of them alone", () => {
    const item = described("listReports", 200) as never as {
      properties: { data: { items: { properties: object } } };
    };
    const detail = described("getReport", 200) as never as { properties: object };
    const listed = Object.keys(item.properties.data.items.properties);
    const whole = Object.keys(detail.properties);
    expect(listed).toEqual(CONTRACT.listReports);
    for (const name of ["comparison", "zones_completed", "total_zones"]) {
      expect(whole).not.toContain(name);
    }
    expect(whole).toEqual(expect.arrayContaining(CONTRACT.getReport));
  });
});
