import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { provisionInflux } from "../../../../storage/telemetry/influx/provision.ts";
import { readInfluxSeries } from "../../../../storage/telemetry/influx/read-series.ts";
import type { InfluxTarget } from "../../../../storage/telemetry/influx/target.ts";
import { type HttpReceiver, openHttpReceiver } from "../../../support/http-receiver.ts";
import { PATIENT_MS } from "../../../support/patience.ts";
import { rowsOf, truck } from "../../../support/telemetry-points.ts";

const OPTIONS = { retentionDays: 90, timeoutMs: PATIENT_MS };

/** Without the path that the receiver adds for webhooks. */
const urlOf = ({ port }: HttpReceiver): string => `http://127.0.0.1:${port}`;

let server: HttpReceiver;
let target: InfluxTarget;

beforeEach(async () => {
  server = await openHttpReceiver();
  target = {
    url: urlOf(server),
    dialect: "v2",
    database: "sites",
    org: "acme",
    headers: { Authorization: "Token t" },
  };
});

afterEach(() => server[Symbol.asyncDispose]());

type Answer = readonly [status: number, body?: unknown, headers?: Record<string, string>];

/** Answers by path; a request with a body is a POST. */
function serve(answers: Readonly<Record<string, Answer | ((body: string) => Answer)>>): void {
  server.answer = (request, response) => {
    const { pathname } = new URL(request.path, urlOf(server));
    const method = request.body === "" ? "GET" : "POST";
    const entry = answers[`${method} ${pathname}`] ?? [404, { message: "no such path" }];
    const [status, body, headers = {}] = typeof entry === "function" ? entry(request.body) : entry;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
}

const posted = () =>
  server.received
    .filter(({ body }) => body !== "")
    .map(({ path, body }) => [path, JSON.parse(body) as unknown]);

const VERSION_2: Answer = [204, undefined, { "x-influxdb-version": "v2.7.12" }];
const BUCKET = { id: "b1", orgID: "o1", name: "sites" };

describe("readying InfluxDB 2", () => {
  it.each([
    ["404", [404, { code: "not found", message: 'bucket "sites" not found' }] as Answer],
    ["an empty list", [200, { buckets: [] }] as Answer],
  ])("readying InfluxDB 2 creates bucket, retention and mapping where the bucket is unknown (%s)", async (_, unknown) => {
    serve({
      "GET /ping": VERSION_2,
      "GET /api/v2/buckets": unknown,
      "GET /api/v2/orgs": [200, { orgs: [{ id: "o1", name: "acme" }] }],
      "POST /api/v2/buckets": [201, BUCKET],
      "GET /api/v2/dbrps": [200, { content: [] }],
      "POST /api/v2/dbrps": [201, {}],
    });
    await provisionInflux(target, OPTIONS);
    expect(posted()).toEqual([
      [
        "/api/v2/buckets",
        {
          orgID: "o1",
          name: "sites",
          retentionRules: [{ type: "expire", everySeconds: 90 * 86_400 }],
        },
      ],
      [
        "/api/v2/dbrps",
        {
          orgID: "o1",
          bucketID: "b1",
          database: "sites",
          retention_policy: "autogen",
          default: true,
        },
      ],
    ]);
    expect(server.received.every(({ headers }) => headers["authorization"] === "Token t")).toBe(
      true,
    );
  });

  it("readying InfluxDB 2 creates nothing where bucket and mapping are there", async () => {
    serve({
      "GET /ping": VERSION_2,
      "GET /api/v2/buckets": [200, { buckets: [BUCKET] }],
      "GET /api/v2/dbrps": [200, { content: [{ id: "d1", database: "sites" }] }],
    });
    await provisionInflux(target, OPTIONS);
    expect(posted()).toEqual([]);
  });

  it("readying InfluxDB 2 asks for no mapping where InfluxQL finds the bucket already", async () => {
    serve({
      "GET /ping": VERSION_2,
      "GET /api/v2/buckets": [200, { buckets: [BUCKET] }],
      "GET /query": [200, { results: [{ statement_id: 0 }] }],
      "GET /api/v2/dbrps": [403, { code: "forbidden" }],
    });
    await provisionInflux(target, OPTIONS);
    expect(posted()).toEqual([]);
  });

  it("readying InfluxDB 2 says what to run when the token may not create", async () => {
    serve({
      "GET /ping": VERSION_2,
      "GET /api/v2/buckets": [200, { buckets: [] }],
      "GET /api/v2/orgs": [200, { orgs: [{ id: "o1" }] }],
      "POST /api/v2/buckets": [403, { code: "forbidden", message: "insufficient permissions" }],
    });
    await expect(provisionInflux(target, OPTIONS)).rejects.toMatchObject({
      code: "SETTINGS_INVALID",
      message: expect.stringContaining("influx bucket create --name sites --org acme"),
    });
  });

  it("readying InfluxDB 2 says what to run when the token is one for other buckets, as 2.7 answers it", async () => {
    serve({
      "GET /ping": VERSION_2,
      "GET /api/v2/buckets": [404, { code: "not found", message: 'bucket "sites" not found' }],
      "GET /api/v2/orgs": [200, { orgs: [] }],
    });
    await expect(provisionInflux(target, OPTIONS)).rejects.toMatchObject({
      code: "SETTINGS_INVALID",
      message: expect.stringMatching(/INFLUX_BUCKET.*influx bucket create --name sites --org acme/),
    });
  });

  it("readying InfluxDB 2 names an unknown organisation", async () => {
    serve({
      "GET /ping": VERSION_2,
      "GET /api/v2/buckets": [404, { code: "not found", message: "organization not found" }],
      "GET /api/v2/orgs": [404, { code: "not found", message: "organization name not found" }],
    });
    await expect(provisionInflux(target, OPTIONS)).rejects.toMatchObject({
      code: "SETTINGS_INVALID",
      message: expect.stringContaining('"acme" (INFLUX_ORG)'),
    });
  });

  it("readying InfluxDB 2 is unavailable, and not misconfigured, while the server starts", async () => {
    serve({ "GET /ping": [503] });
    await expect(provisionInflux(target, OPTIONS)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
  });
});

describe("readying InfluxDB 3", () => {
  const VERSION_3: Answer = [200, { version: "3.2.1" }];

  it.each([
    200, 409,
  ])("readying InfluxDB 3 asks for a database with retention, and takes %i for there", async (status) => {
    serve({ "GET /ping": VERSION_3, "POST /api/v3/configure/database": [status, {}] });
    await provisionInflux(target, OPTIONS);
    expect(posted()).toEqual([
      ["/api/v3/configure/database", { db: "sites", retention_period: "90d" }],
    ]);
  });

  it("readying InfluxDB 3 says what to run when the token may not", async () => {
    serve({ "GET /ping": VERSION_3, "POST /api/v3/configure/database": [401, {}] });
    await expect(provisionInflux(target, OPTIONS)).rejects.toMatchObject({
      code: "SETTINGS_INVALID",
      message: expect.stringContaining("influxdb3 create database sites"),
    });
  });
});

describe("reading InfluxDB 2 and 3 with InfluxQL", () => {
  const query = { assetId: truck, fromMs: 1_000, toMs: 9_000 };

  it("reading InfluxDB 2 and 3 with InfluxQL binds the asset, quotes the fields and sends the token", async () => {
    serve({ "GET /query": [200, { results: [{ statement_id: 0 }] }] });
    await readInfluxSeries(target, { ...query, fields: ["a", "time"] }, { timeoutMs: PATIENT_MS });
    const [request] = server.received;
    expect(Object.fromEntries(new URL(request?.path ?? "", urlOf(server)).searchParams)).toEqual({
      db: "sites",
      epoch: "ms",
      params: '{"asset":"truck-1"}',
      q:
        'SELECT "a", "field_time" FROM "telemetry" WHERE "asset" = $asset ' +
        "AND time >= 1000ms AND time < 9000ms ORDER BY time ASC LIMIT 10000",
    });
    expect(request?.headers["authorization"]).toBe("Token t");
  });

  it("reading InfluxDB 2 and 3 with InfluxQL goes on from the last time of a full page and joins rows of one time", async () => {
    const pages = [
      [
        [1_000, 1, null],
        [2_000, 2, null],
      ],
      [
        [2_000, 2, null],
        [2_000, null, 5],
      ],
      [[2_001, 3, null]],
    ];
    server.answer = (_request, response) => {
      const values = pages.shift() ?? [];
      const body = { results: [{ series: [{ columns: ["time", "a", "field_asset"], values }] }] };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    const series = await readInfluxSeries(target, query, { timeoutMs: PATIENT_MS, pageRows: 2 });
    expect(rowsOf(series)).toEqual([
      { t: 1_000, a: 1 },
      { t: 2_000, a: 2, asset: 5 },
      { t: 2_001, a: 3 },
    ]);
  });

  it.each([
    [
      "an error of the statement",
      [200, { results: [{ error: "database not found: sites" }] }] as Answer,
    ],
    ["a refusal", [401, { code: "unauthorized", message: "unauthorized access" }] as Answer],
    ["an answer that is not JSON", [200, undefined] as Answer],
  ])("reading InfluxDB 2 and 3 with InfluxQL is STORE_UNAVAILABLE after %s", async (_, answer) => {
    serve({ "GET /query": answer });
    await expect(readInfluxSeries(target, query, { timeoutMs: PATIENT_MS })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
  });
});
