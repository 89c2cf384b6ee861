import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AssetId, ProjectId, WorkZoneId } from "../../../domain/ids.ts";
import type { ProgressReport } from "../../../domain/sites/progress-report.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../support/api-app.ts";
import { fenceFile, polygonFeature } from "../../support/fence-file.ts";
import { putReport, REPORTS } from "../../support/report-site.ts";

const ASSETS = "/api/v1/equipment/assets";
const VARY = "Accept, Authorization, Cookie, accept-encoding";

/** A zone of a report. */
const ZONE: ProgressReport["zones"][number] = {
  ...{ zone_id: "zon_1" as WorkZoneId, progress: 100, status: "complete", method: "dsm_volume" },
  ...{ interval_95: [97.5, 100], observed_fraction: 0.97, raw_progress: 99.1, planned: 90 },
  ...{ as_of: "2026-03-05T09:30:00.000Z", weight: 3, regression_suspected: false },
  ...{ no_estimate: null, notes: [], evidence: { captures: ["cap_9"], lod_m: 0.083, model: null } },
  name: "Zone",
};

let t: TestApp;
let plain: string;
beforeAll(async () => {
  t = await openTestApp();
  const project_id = await t.project({ id: "p1" as ProjectId });
  for (let i = 0; i < 20; i += 1) await t.asset({ project_id, id: `ast_${i}` as AssetId });
  plain = (await t.get(ASSETS, ADMIN_KEY)).body;
});
afterAll(() => t[Symbol.asyncDispose]());

type Answer = Awaited<ReturnType<TestApp["get"]>>;

const asking = (encodings: string, url = ASSETS, headers = {}) =>
  t.get(url, ADMIN_KEY, { "accept-encoding": encodings, ...headers });

/** The text of an answer, whatever it was sent as. */
function textOf({ headers, rawPayload }: Answer): string {
  const encoding = headers["content-encoding"];
  if (encoding === "br") return brotliDecompressSync(rawPayload).toString();
  return (encoding === "gzip" ? gunzipSync(rawPayload) : rawPayload).toString();
}

describe("answers of text", () => {
  it.each([
    ["br", "br"],
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip;q=1.0, br;q=0.5", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["x-gzip", "gzip"],
    ["*", "gzip"],
  ])("are compressed for Accept-Encoding: %s by %s, and are the same text", async (sent, by) => {
    const answer = await asking(sent);
    expect([answer.statusCode, answer.headers["content-encoding"]]).toEqual([200, by]);
    expect(textOf(answer)).toBe(plain);
    expect(answer.rawPayload.length).toBeLessThan(plain.length / 2);
    expect(answer.headers["content-length"]).toBe(String(answer.rawPayload.length));
    expect(answer.headers["vary"]).toBe(VARY);
    expect(answer.headers["x-ratelimit-limit"]).toBe("10000");
  });

  it.each([
    ["", "nothing"],
    ["identity", "identity"],
    ["deflate, zstd", "others"],
    ["br;q=0, gzip;q=0", "both refused"],
    ["*;q=0", "all refused"],
    ["identity;q=0", "identity alone refused"],
    [";;;,,,===q", "separators"],
    ["br;q=-1, gzip;q=nothing", "qualities that are not numbers"],
    ["\u00ff\u00fe", "bytes beyond ASCII"],
    ["none, ".repeat(2_000), "12 KB of names"],
  ])("are sent as they are where Accept-Encoding has what we do not send (case %#)", async (sent) => {
    const answer = await asking(sent);
    expect([answer.statusCode, answer.body === plain]).toEqual([200, true]);
    expect(answer.headers).not.toHaveProperty("content-encoding");
    expect(answer.headers["vary"]).toBe(VARY);
  });

  it("are sent as they are where they are short", async () => {
    const short = await asking("br", `${ASSETS}?limit=1`);
    expect(short.rawPayload.length).toBeLessThan(1_024);
    expect(short.headers).not.toHaveProperty("content-encoding");
    const refused = await asking("br", `${ASSETS}?limit=x`);
    expect([refused.statusCode, refused.json().error.code]).toEqual([400, "invalid_parameter"]);
  });

  it("are compressed as CSV, too", async () => {
    const answer = await asking("br", ASSETS, { accept: "text/csv" });
    expect(answer.headers["content-encoding"]).toBe("br");
    expect(textOf(answer)).toBe((await t.get(ASSETS, ADMIN_KEY, { accept: "text/csv" })).body);
  });

  it("have no body for HEAD, and the length that GET has without compression", async () => {
    const answer = await t.app.inject({
      method: "HEAD",
      url: ASSETS,
      headers: { authorization: `Bearer ${ADMIN_KEY}`, "accept-encoding": "br" },
    });
    expect([answer.statusCode, answer.body]).toEqual([200, ""]);
    expect(answer.headers["content-length"]).toBe(String(Buffer.byteLength(plain)));
    expect(answer.headers).not.toHaveProperty("content-encoding");
    expect(answer.headers["vary"]).toBe(VARY);
  });

  it("have another entity tag for each compression, and each of them is answered with 304", async () => {
    putReport(t, "p1" as ProjectId, "rpt_long", "2026-03-01T00:00:00.000Z", {
      zones: Array.from({ length: 20 }, (_, i) => ({ ...ZONE, name: `Zone ${i}` })),
    });
    const url = `${REPORTS}/rpt_long`;
    const etag = String((await t.get(url, ADMIN_KEY)).headers.etag);
    for (const encoding of ["br", "gzip"]) {
      const first = await asking(encoding, url);
      const tag = String(first.headers.etag);
      expect([first.headers["content-encoding"], tag]).toEqual([
        encoding,
        etag.replace(/"$/, `-${encoding}"`),
      ]);
      for (const asked of ["", "br"]) {
        const again = await asking(asked, url, { "if-none-match": `"x", W/${tag}` });
        expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, "", tag]);
        expect(again.headers["vary"]).toBe(VARY);
      }
    }
    const other = await asking("br", url, { "if-none-match": etag.replace(/"$/, '-zstd"') });
    expect(other.statusCode).toBe(200);
  });

  it("are compressed the same when an Idempotency-Key repeats their request", async () => {
    const file = fenceFile(Array.from({ length: 20 }, () => polygonFeature({})));
    const url = "/api/v1/equipment/geofences/import?project_id=p1";
    const headers = { "idempotency-key": "once", "accept-encoding": "br" };
    const first = await t.send("POST", url, ADMIN_KEY, file, headers);
    const again = await t.send("POST", url, ADMIN_KEY, file, headers);
    expect([first.statusCode, first.headers["content-encoding"]]).toEqual([201, "br"]);
    expect([again.statusCode, again.headers["content-encoding"]]).toEqual([201, "br"]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(textOf(again)).toBe(textOf(first));
  });
});

describe("streams", () => {
  it("of a track stay streams when they are compressed", async () => {
    const assetId = "ast_0" as AssetId;
    t.live(assetId);
    const points = Array.from({ length: 20_000 }, (_, i) => ({
      ...{ assetId, projectId: "p1" as ProjectId, seq: -1, payloadHash: i },
      fixTimeMs: NOON_MS - 3_600_000 + i * 50,
      fields: { latitude: 53 + Math.sin(i) / 10, longitude: 10 + Math.cos(i * i) / 10 },
    }));
    await t.telemetry.write(points, { journalId: "j", sequence: 1 });
    const url = `${ASSETS}/${assetId}/location?history=true&hours=24`;
    const whole = await t.get(url, ADMIN_KEY);
    expect(whole.rawPayload.length).toBeGreaterThan(1_000_000);
    for (const encoding of ["br", "gzip"]) {
      const answer = await asking(encoding, url);
      expect(answer.headers["content-encoding"]).toBe(encoding);
      expect(answer.headers).not.toHaveProperty("content-length");
      expect(textOf(answer)).toBe(whole.body);
    }
  });

  it("of events and of a backup are not compressed", async () => {
    await t.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = t.app.server.address() as AddressInfo;
    for (const [path, type] of [
      ["/api/v1/events/stream", "text/event-stream"],
      ["/api/v1/live", "text/event-stream"],
      ["/api/v1/backup", "application/x-tar"],
    ]) {
      const headers = { authorization: `Bearer ${ADMIN_KEY}`, "accept-encoding": "gzip, br" };
      const sent = request({ port, host: "127.0.0.1", path, headers }).end();
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, type]);
      expect(answer.headers).not.toHaveProperty("content-encoding");
      answer.destroy();
    }
  });
});

it("files keep their bytes, ranges and tags, whatever is accepted", async () => {
  const content = Buffer.from("<svg>".repeat(1_000));
  await t.files.store.put("public/drawing.svg", content);
  const get = (headers: Record<string, string>) =>
    t.get("/files/public/drawing.svg", undefined, { "accept-encoding": "br, gzip", ...headers });
  const whole = await get({});
  expect(whole.rawPayload.equals(content)).toBe(true);
  const part = await get({ range: "bytes=5-9" });
  expect([part.statusCode, part.body, part.headers["content-range"]]).toEqual([
    206,
    "<svg>",
    "bytes 5-9/5000",
  ]);
  const etag = String(whole.headers.etag);
  expect((await get({ "if-none-match": etag })).headers.etag).toBe(etag);
  for (const { headers } of [whole, part]) expect(headers).not.toHaveProperty("content-encoding");
});

it("answers that show a secret, and the pages of the documentation, are not compressed", async () => {
  const project_ids = Array.from({ length: 60 }, (_, i) => `prj_of_a_long_name_${i}`);
  for (const id of project_ids) await t.project({ id: id as ProjectId });
  const body = { name: "many", scopes: ["equipment:read"], project_ids };
  const headers = { "accept-encoding": "br" };
  const made = await t.send("POST", "/api/v1/keys", ADMIN_KEY, body, headers);
  expect(made.statusCode).toBe(201);
  expect(made.rawPayload.length).toBeGreaterThan(1_024);
  expect(made.headers).not.toHaveProperty("content-encoding");
  const page = await t.get("/docs/static/swagger-ui.css", undefined, headers);
  expect(page.rawPayload.length).toBeGreaterThan(1_024);
  expect(page.headers).not.toHaveProperty("content-encoding");
});

it("a compressed body is refused as before: the API takes none", async () => {
  const answer = await t.app.inject({
    method: "POST",
    url: "/api/v1/projects",
    headers: {
      authorization: `Bearer ${ADMIN_KEY}`,
      "content-type": "application/json",
      "content-encoding": "gzip",
    },
    payload: Buffer.from("1f8b0800000000000003abae05004309bf2602000000", "hex"),
  });
  expect([answer.statusCode, answer.json().error.code]).toEqual([400, "invalid_request"]);
});
