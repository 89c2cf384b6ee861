import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { expectCheaperThanParsing } from "../support/body-cost.ts";
import { PATIENT_MS } from "../support/patience.ts";
import { chunked, exchangeRaw } from "../support/raw-http.ts";
import { openStatusApp, STATUS_ROLES, type StatusApp } from "../support/status-app.ts";

const HEADERS = [
  "content-security-policy",
  "cross-origin-resource-policy",
  "referrer-policy",
  "x-content-type-options",
  "x-frame-options",
];
const ROUTES = [
  "GET /health/live",
  "PUT /health/live",
  "POST /health/ready",
  "GET /metrics",
  "POST /nothing",
  "POST /api/v1/ingest/plumbline",
  "PUT /api/v1/ingest/plumbline",
];
/** What must never be read as a request: the bodies consist of it. */
const SMUGGLED = "GET /health/ready HTTP/1.1\r\nHost: smuggled\r\n\r\n";
const SECOND = "GET /health/live HTTP/1.1\r\nHost: test\r\n\r\n";

async function listen({ app }: StatusApp): Promise<number> {
  await app.listen({ port: 0, host: "127.0.0.1" });
  return (app.server.address() as AddressInfo).port;
}

const body = (bytes: number) =>
  Buffer.from(SMUGGLED.repeat(Math.ceil(bytes / SMUGGLED.length))).subarray(0, bytes);

describe.each(STATUS_ROLES)("the health server of ROLE=%s", (role) => {
  it.each([
    ["application/json", "content-length"],
    ["application/json", "chunked"],
    ["application/xml", "content-length"],
    ["application/xml", "chunked"],
  ])("the health server reads a refused body of %s to its end on every route, or closes: %s", async (type, framing) => {
    await using t = await openStatusApp(role);
    const port = await listen(t);
    const hanging: string[] = [];
    for (const route of ROUTES) {
      const sent = body(1_200_000);
      const [frame, framed] =
        framing === "chunked"
          ? ["transfer-encoding: chunked", chunked(sent)]
          : [`content-length: ${sent.length}`, sent];
      const head = `${route} HTTP/1.1\r\nhost: test\r\ncontent-type: ${type}\r\n${frame}\r\n\r\n`;
      const isEnough = (found: readonly number[]) => found.length > 1;
      const answer = await exchangeRaw(port, [head, framed, SECOND], isEnough, PATIENT_MS);
      const isAnswered = answer.statuses.length === 2 && answer.statuses[1] === 200;
      const isCut = answer.isClosed && answer.statuses.length === 1;
      if (!isAnswered && !isCut) hanging.push(`${route} ${answer.statuses.join(" ")}`);
    }
    expect(hanging).toEqual([]);
  });

  it("the health server answers once, and closes the connection of a client that stops in a refused body", async () => {
    await using t = await openStatusApp(role);
    const port = await listen(t);
    const head =
      "PUT /health/live HTTP/1.1\r\nhost: test\r\ncontent-type: application/xml\r\ncontent-length: 22000000\r\n\r\n";
    const answer = await exchangeRaw(port, [head, body(3_000_000)], () => false, PATIENT_MS);
    expect(answer).toMatchObject({ statuses: [405], isClosed: true });
    expect(answer.received).toContain('"code":"invalid_request"');
  });

  it.each([
    ["[", "arrays"],
    ['{"a":', "objects"],
  ])("the health server refuses 1 MiB of %s for less than parsing it would cost", async (piece) => {
    await using t = await openStatusApp(role);
    const payload = piece.repeat(Math.floor(1024 ** 2 / piece.length));
    await expectCheaperThanParsing(payload, async () => {
      const headers = { "content-type": "application/json" };
      const answer = await t.app.inject({ method: "POST", url: "/nope", headers, payload });
      expect([400, 404]).toContain(answer.statusCode);
    });
  });

  it.each([
    ["bytes that are not HTTP", "GARBAGE\r\n\r\n", 400],
    ["a path that cannot be decoded", "GET /%zz HTTP/1.1\r\nhost: t\r\n\r\n", 400],
    ["no Host", "GET /health/live HTTP/1.1\r\n\r\n", 400],
    ["a tunnel", "CONNECT example.org:443 HTTP/1.1\r\nhost: t\r\n\r\n", 400],
    ["20 KiB of headers", `GET / HTTP/1.1\r\nhost: t\r\nx: ${"y".repeat(20_000)}\r\n\r\n`, 400],
    ["an unknown path", "GET /nothing HTTP/1.1\r\nhost: t\r\n\r\n", 404],
    ["an expectation", "GET /health/live HTTP/1.1\r\nhost: t\r\nexpect: tea\r\n\r\n", 200],
    ["metrics", "GET /metrics HTTP/1.1\r\nhost: t\r\n\r\n", 200],
  ])("the health server answers %s with security headers and a request id", async (_what, sent, status) => {
    await using t = await openStatusApp(role);
    const port = await listen(t);
    const answer = await exchangeRaw(port, [sent], (all) => all.length > 0, PATIENT_MS);
    expect(answer.statuses).toEqual([status]);
    for (const name of [...HEADERS, "x-request-id"]) {
      expect(answer.received).toContain(`\r\n${name}: `);
    }
  });
});
