import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ArchiveLane, sendPoints } from "../../../../storage/ports/telemetry-archive.ts";
import { openInfluxArchive } from "../../../../storage/telemetry/influx/open.ts";
import type { InfluxTarget } from "../../../../storage/telemetry/influx/target.ts";
import { influxTarget } from "../../../../storage/telemetry/influx/target.ts";
import {
  answering,
  type HttpReceiver,
  openHttpReceiver,
  type Received,
} from "../../../support/http-receiver.ts";
import { PATIENT_MS } from "../../../support/patience.ts";
import { point } from "../../../support/telemetry-points.ts";

// The writes of InfluxDB 2 and 3 against a server that answers as their public API documents.

/** Without the path that the receiver adds for webhooks. */
const urlOf = ({ port }: HttpReceiver): string => `http://127.0.0.1:${port}`;

let server: HttpReceiver;
let lane: ArchiveLane;
const stored = new Set<string>();

const settings = (url: string) => ({
  influxUrl: url,
  influxToken: "secret-token",
  influxOrg: "Acme & Sons",
  influxBucket: "sites",
  influxDatabase: undefined,
  influxUsername: undefined,
  influxPassword: undefined,
});

function open(target: InfluxTarget | undefined, writeMs = PATIENT_MS): ArchiveLane {
  if (target === undefined) throw new Error("no target");
  const timeouts = { writeMs, readMs: PATIENT_MS, prepareMs: PATIENT_MS };
  return openInfluxArchive(target, { retentionDays: 90, timeouts }).openLane();
}

beforeEach(async () => {
  stored.clear();
  server = await openHttpReceiver();
  lane = open(influxTarget(settings(urlOf(server))));
});

afterEach(async () => {
  lane.close();
  await server[Symbol.asyncDispose]();
});

const points = (count: number) =>
  Array.from({ length: count }, (_, i) => point(1_000 + i, { number: i }));
const linesOf = (request: Received): string[] => request.body.split("\n");
const numbersStored = () =>
  [...stored].map((line) => Number(/number=(\d+)/.exec(line)?.[1])).sort((a, b) => a - b);
const upTo = (count: number, without: readonly number[] = []) =>
  Array.from({ length: count }, (_, i) => i).filter((i) => !without.includes(i));

/** Answers with `status` where a line carries a bad number; stores all of a request, or with `partial` the good ones. */
function refuse(
  bad: readonly number[],
  status: number,
  body: string,
  { partial }: { readonly partial: boolean },
): void {
  const isBad = (line: string) => bad.some((number) => line.includes(`number=${number} `));
  server.answer = (request, response) => {
    const lines = linesOf(request);
    const refused = lines.some(isBad);
    for (const line of lines) if (!refused || (partial && !isBad(line))) stored.add(line);
    response
      .writeHead(refused ? status : 204, { "content-type": "application/json" })
      .end(refused ? body : undefined);
  };
}

describe("a write to InfluxDB 2 or 3", () => {
  it("a write to InfluxDB 2 or 3 posts lines with token, organisation, bucket and precision, and takes 204 for done", async () => {
    server.answer = answering(204);
    const receipt = await sendPoints(lane, [point(1_000, { speed_kmh: 3.5, engine_on: 1 })]);
    expect(receipt).toEqual({ written: 1, expired: 0, refused: [] });
    const [request] = server.received;
    const url = new URL(request?.path ?? "", urlOf(server));
    expect([url.pathname, Object.fromEntries(url.searchParams)]).toEqual([
      "/api/v2/write",
      { org: "Acme & Sons", bucket: "sites", precision: "ms", accept_partial: "false" },
    ]);
    expect(request?.headers["authorization"]).toBe("Token secret-token");
    expect(request?.body).toBe(
      "telemetry,asset=truck-1,project=site-1 speed_kmh=3.5,engine_on=1 1000",
    );
  });

  it("a write to InfluxDB 2 or 3 sends version 1 to /write with the database, our retention policy and a basic header", async () => {
    server.answer = answering(204);
    const user = { influxUsername: "plumb", influxPassword: "line" };
    const old = {
      ...settings(urlOf(server)),
      influxToken: undefined,
      influxBucket: undefined,
      ...user,
    };
    const v1 = open(influxTarget(old));
    await sendPoints(v1, points(1));
    v1.close();
    const [request] = server.received;
    expect(request?.path).toBe("/write?db=plumbline&rp=plumbline&precision=ms");
    expect(request?.headers["authorization"]).toBe(
      `Basic ${Buffer.from("plumb:line").toString("base64")}`,
    );
  });

  it("a write to InfluxDB 2 or 3 sends nothing for points without a finite value", async () => {
    expect(await sendPoints(lane, [point(1, {}), point(2, { a: Number.NaN })])).toEqual({
      written: 0,
      expired: 0,
      refused: [],
    });
    expect(server.received).toEqual([]);
  });

  it.each([
    [400, "unable to parse: invalid field format", true],
    [422, "failure writing points to database: partial write: field type conflict", true],
    [400, '{"error":"partial write of line protocol occurred"}', false],
    [201, '{"error":"partial write of line protocol occurred","data":[]}', true],
  ])("a write to InfluxDB 2 or 3 finds the two bad lines of 1,000 after a %i (%s)", async (status, body, partial) => {
    refuse([17, 901], status, body, { partial });
    const receipt = await sendPoints(lane, points(1_000));
    expect([receipt.written, receipt.expired]).toEqual([998, 0]);
    expect(receipt.refused.map(({ fixTimeMs, reason }) => [fixTimeMs - 1_000, reason])).toEqual([
      [17, `${status}: ${body}`],
      [901, `${status}: ${body}`],
    ]);
    expect(numbersStored()).toEqual(upTo(1_000, [17, 901]));
    expect(server.received.length).toBeLessThan(60);
  });

  it("a write to InfluxDB 2 or 3 halves what is too large until it fits, and keeps the size for the next part", async () => {
    server.answer = (request, response) => {
      const fits = linesOf(request).length <= 100;
      if (fits) for (const line of linesOf(request)) stored.add(line);
      response.writeHead(fits ? 204 : 413).end();
    };
    expect((await sendPoints(lane, points(1_000))).written).toBe(1_000);
    expect(numbersStored()).toEqual(upTo(1_000));
    const first = server.received.length;
    // After a whole batch the size is doubled again, so that a server that was reconfigured is noticed.
    await sendPoints(lane, points(200));
    const sizes = server.received.slice(first).map((request) => linesOf(request).length);
    expect([Math.max(...sizes), sizes.filter((size) => size <= 100).length]).toEqual([126, 4]);
  });

  it("a write to InfluxDB 2 counts the points that its retention has no room for, and puts none aside", async () => {
    // The words of 2.7.12: the count comes at the start, and again at the end of a long text.
    const violates =
      "telemetry,asset=truck-1,project=site-1 at 2026-10-19T18:28:27.123Z dropped because it violates a " +
      "Retention Policy Lower Bound at 2026-11-19T18:28:27.484305686Z";
    const message =
      "failure writing points to database: partial write: dropped 2 points outside retention policy of duration " +
      `240h0m0s - oldest point ${violates}, newest point ${violates} dropped=2 for database: b0bfa717e9a62a60 ` +
      "for retention policy: autogen";
    refuse([3, 7], 422, JSON.stringify({ code: "unprocessable entity", message }), {
      partial: true,
    });
    expect(await sendPoints(lane, points(10))).toEqual({ written: 8, expired: 2, refused: [] });
    expect([numbersStored(), server.received.length]).toEqual([upTo(10, [3, 7]), 1]);
  });

  it("a write to InfluxDB 2 or 3 gives up a line that is too large alone", async () => {
    server.answer = answering(413);
    const { written, refused } = await sendPoints(lane, points(2));
    expect([written, refused.map(({ line }) => line.slice(-4))]).toEqual([0, ["1000", "1001"]]);
  });

  it.each([
    [401, '{"code":"unauthorized","message":"unauthorized access"}', "hold"],
    [403, '{"code":"forbidden","message":"insufficient permissions for write"}', "hold"],
    [404, '{"code":"not found","message":"bucket \\"sites\\" not found"}', "hold"],
    [400, '{"error":"retention policy not found: plumbline"}', "hold"],
    [500, '{"code":"internal error","message":"timeout"}', "retry"],
    [503, "service unavailable", "retry"],
  ])("a write to InfluxDB 2 or 3 keeps the batch after a %i (%s): %s", async (status, body, kind) => {
    server.answer = (_request, response) => {
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    };
    await expect(sendPoints(lane, points(10))).rejects.toMatchObject({
      failure: { kind, reason: `${status}: ${body}` },
    });
    expect(server.received).toHaveLength(1);
  });

  it("a write to InfluxDB reports how long a 429 asks to wait", async () => {
    server.answer = answering(429, { "retry-after": "7" });
    await expect(sendPoints(lane, points(1))).rejects.toMatchObject({
      failure: { kind: "retry", retryAfterMs: 7_000 },
    });
  });

  it("a write to InfluxDB 2 or 3 ends a request that has no answer in time, connection and all", async () => {
    const slow = open(influxTarget(settings(urlOf(server))), 100);
    server.answer = () => undefined;
    await expect(sendPoints(slow, points(1))).rejects.toMatchObject({
      failure: { kind: "retry", reason: "no answer within 100 ms" },
    });
    await expect.poll(() => server.open.now).toBe(0);
    server.answer = answering(204);
    expect((await sendPoints(slow, points(1))).written).toBe(1);
    slow.close();
  });

  it("a write to InfluxDB 2 or 3 is retried while the server is unreachable", async () => {
    await server.pause();
    await expect(sendPoints(lane, points(1))).rejects.toMatchObject({
      failure: { kind: "retry", reason: expect.stringContaining("ECONNREFUSED") },
    });
    await server.resume();
  });
});
