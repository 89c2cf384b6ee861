import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../support/api-app.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { chunked, exchangeRaw } from "../../support/raw-http.ts";

/** What must never be read as a request: the bodies consist of it. */
const SMUGGLED = "GET /health/ready HTTP/1.1\r\nHost: smuggled\r\n\r\n";
const SECOND = "GET /health/live HTTP/1.1\r\nHost: test\r\n\r\n";

interface Route {
  readonly method: string;
  readonly path: string;
}

/** Every operation that is described, with ids that name nothing, and some paths that are not. */
async function routesOf({ app }: TestApp): Promise<Route[]> {
  const { paths } = (await app.inject("/openapi.json")).json() as { paths: object };
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations as object).map((method) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{[^}]+\}/g, "nothing"),
    })),
  );
  const others = ["POST /api/v1/nothing", "PUT /nothing", "GET /files/nothing", "GET /docs/json"];
  return [
    ...described,
    ...others.map((line) => {
      const [method = "", path = ""] = line.split(" ");
      return { method, path };
    }),
  ];
}

async function listen({ app }: TestApp): Promise<number> {
  await app.listen({ port: 0, host: "127.0.0.1" });
  return (app.server.address() as AddressInfo).port;
}

function smuggling(bytes: number): Buffer {
  return Buffer.from(SMUGGLED.repeat(Math.ceil(bytes / SMUGGLED.length))).subarray(0, bytes);
}

function head({ method, path }: Route, headers: Record<string, string | number>): string {
  const lines = Object.entries({ host: "test", ...headers }).map(([n, v]) => `${n}: ${v}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

const JSON_TYPE = { "content-type": "application/json" };
const MINUTE_MS = 60_000;
const SOME = 200_000;
const TOO_MANY = 1_200_000;

/** Requests whose body is refused: headers, and how many bytes follow. */
const KINDS: Record<string, (key: string) => [Record<string, string>, number]> = {
  "without a key": () => [JSON_TYPE, SOME],
  "without the scope": (key) => [{ ...JSON_TYPE, authorization: `Bearer ${key}` }, SOME],
  "of a type that nobody takes": () => [
    { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "text/weird" },
    SOME,
  ],
  "of JSON above the limit": () => [
    { ...JSON_TYPE, authorization: `Bearer ${ADMIN_KEY}` },
    TOO_MANY,
  ],
};

describe("a refused body", () => {
  let t: TestApp;
  let port: number;
  let routes: readonly Route[];
  beforeAll(async () => {
    t = await openTestApp();
    port = await listen(t);
    routes = await routesOf(t);
  });
  beforeEach(() => {
    // No test takes from the requests that another one may send in its minute.
    t.clock.ms += MINUTE_MS;
  });
  afterAll(() => t[Symbol.asyncDispose]());

  for (const framing of ["Content-Length", "chunked", "Expect: 100-continue"] as const) {
    for (const [name, make] of Object.entries(KINDS)) {
      it(`${name} is read to its end on every route, or the connection is closed: ${framing}`, async () => {
        const [headers, bytes] = make(await t.key({ scopes: [] }));
        const body = framing === "chunked" ? chunked(smuggling(bytes)) : smuggling(bytes);
        const framed = {
          ...headers,
          ...(framing === "chunked"
            ? { "transfer-encoding": "chunked" }
            : { "content-length": bytes }),
          ...(framing === "Expect: 100-continue" ? { expect: "100-continue" } : {}),
        };
        const hanging: string[] = [];
        for (const route of routes) {
          // Streams do not end.
          if (/\/(?:events\/stream|live)$/.test(route.path)) continue;
          const { statuses, received, isClosed } = await exchangeRaw(
            port,
            [head(route, framed), body, SECOND],
            (found) => found.length > 1,
            PATIENT_MS,
          );
          const isAnswered = statuses.length === 2 && received.endsWith('{"status":"ok"}');
          const isCut = isClosed && statuses.length <= 1;
          if (!isAnswered && !isCut) {
            hanging.push(`${route.method} ${route.path} ${statuses.join(" ")} closed ${isClosed}`);
          }
        }
        expect(hanging).toEqual([]);
      });
    }
  }
});

it("the API lets a client go on after a schedule of 22 MB, which is more than a schedule may have", async () => {
  await using t = await openTestApp();
  const port = await listen(t);
  const project = await t.project();
  const route = { method: "PUT", path: `/api/v1/progress/projects/${project}/schedule` };
  const bytes = 22_000_000;
  const headers = { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "text/csv" };
  for (const framed of [
    [head(route, { ...headers, "content-length": bytes }), smuggling(bytes)],
    [head(route, { ...headers, "transfer-encoding": "chunked" }), chunked(smuggling(bytes))],
  ]) {
    const isEnough = (found: readonly number[]) => found.length > 1;
    const exchange = await exchangeRaw(port, [...framed, SECOND], isEnough, PATIENT_MS);
    expect(exchange.statuses).toEqual([400, 200]);
    expect(exchange.received).toContain('"code":"payload_too_large"');
    expect(exchange.received).toMatch(/\{"status":"ok"\}$/);
  }
});

it("the API closes the connection of a client that stops in the middle of a refused body", async () => {
  await using t = await openTestApp();
  const port = await listen(t);
  const headers = { "content-type": "text/csv", "content-length": 22_000_000 };
  const lines = [
    "PUT /api/v1/progress/projects/nothing/schedule",
    "POST /api/v1/progress/images",
    "POST /api/v1/materials/stockpiles/nothing/measure",
    "DELETE /api/v1/projects/nothing",
    "GET /api/v1/nothing",
  ];
  const exchanges = lines.map(async (line) => {
    const [method = "", path = ""] = line.split(" ");
    const sent = [head({ method, path }, headers), smuggling(SOME)];
    const { statuses, isClosed } = await exchangeRaw(port, sent, () => false, PATIENT_MS);
    return { line, statuses, isClosed };
  });
  expect(await Promise.all(exchanges)).toEqual(
    lines.map((line) => ({ line, statuses: [401], isClosed: true })),
  );
});

it("the API answers once when the rest of a refused body is not valid", async () => {
  await using t = await openTestApp();
  const port = await listen(t);
  const route = { method: "PUT", path: "/api/v1/nothing" };
  const sent = [head(route, { "transfer-encoding": "chunked" }), "3\r\nabc\r\n", "no chunk\r\n"];
  const socket = connect(port, "127.0.0.1");
  let received = "";
  const closed = once(socket, "close");
  socket.on("data", (data) => {
    // Only after the answer: before it, the request itself is not valid, which is answered.
    if (received === "") socket.write(sent[2] ?? "");
    received += data.toString();
  });
  socket.write(sent.slice(0, 2).join(""));
  await closed;
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401"]);
});

describe("Expect: 100-continue", () => {
  const expecting = { ...JSON_TYPE, expect: "100-continue" };
  const authorization = `Bearer ${ADMIN_KEY}`;
  const post = { method: "POST", path: "/api/v1/projects" };

  it.each<[string, Record<string, string>]>([
    ["no key", {}],
    ["a body above the limit", { authorization, "content-length": "2000000" }],
  ])("asks for no body of a request that is refused for %s, and closes", async (_why, headers) => {
    await using t = await openTestApp();
    const port = await listen(t);
    const sent = head(post, { ...expecting, "content-length": 100_000, ...headers });
    const exchange = await exchangeRaw(port, [sent], () => false, PATIENT_MS);
    expect(exchange.statuses).toHaveLength(1);
    expect(exchange.received).not.toContain("100 Continue");
    expect(exchange.received).toMatch(/\r\nconnection: close\r\n/i);
    expect(exchange.isClosed).toBe(true);
  });

  it("Expect: 100-continue asks for the body of a request that may be taken, and the connection goes on", async () => {
    await using t = await openTestApp();
    const port = await listen(t);
    const body = "{}";
    const sent = head(post, { ...expecting, authorization, "content-length": body.length });
    const isEnough = (found: readonly number[]) => found.length > 1;
    const exchange = await exchangeRaw(port, [sent, body, SECOND], isEnough, PATIENT_MS);
    expect(exchange.received).toMatch(/^HTTP\/1\.1 100 Continue\r\n/);
    expect(exchange.statuses).toEqual([400, 200]);
  });
});
