import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createWebSocketListener } from "../../../ingest/broker/websocket-listener.ts";
import { createIntake } from "../../../ingest/intake/intake.ts";
import { OsmandServer } from "../../../ingest/osmand/server.ts";
import { fixedDirectory, PEPPER } from "../../support/fixed-directory.ts";
import { manualJournal } from "../../support/manual-journal.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { exchangeRaw } from "../../support/raw-http.ts";

const HEADERS = [
  "content-security-policy",
  "cross-origin-resource-policy",
  "referrer-policy",
  "x-content-type-options",
  "x-frame-options",
];

let close: () => Promise<unknown> = async () => undefined;
afterEach(async () => {
  await close();
});

/** Opens a listener of devices that speak HTTP; yields its port. */
const OPEN: Record<"OsmAnd" | "WebSocket", () => Promise<number>> = {
  async OsmAnd() {
    const directory = fixedDirectory([]);
    const settings = { retentionDays: 90, deviceReadingsPerS: 20, deviceBurstReadings: 5_000 };
    const intake = await createIntake({
      journal: manualJournal(),
      directory,
      pepper: PEPPER,
      settings,
    });
    const log = { error: () => undefined };
    const server = await OsmandServer.open({ host: "127.0.0.1", port: 0, intake, directory, log });
    close = async () => {
      await server.close();
      intake.close();
    };
    return server.port;
  },
  async WebSocket() {
    const server = createWebSocketListener((transport) => transport.destroy());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    close = async () => {
      server.closeAllConnections();
      server.close();
    };
    return (server.address() as AddressInfo).port;
  },
};

const request = (line: string, ...headers: readonly string[]) =>
  [`${line} HTTP/1.1`, "host: t", ...headers, "", ""].join("\r\n");
const UPGRADE = ["connection: upgrade", "upgrade: websocket"];
const KEY = "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==";
const VERSION = "sec-websocket-version: 13";

/** What each listener is sent, and the status that it answers with. */
const ASKED: readonly (readonly [keyof typeof OPEN, string, string, number])[] = [
  ["OsmAnd", "no device", request("GET /"), 400],
  ["OsmAnd", "another method", request("PUT /"), 405],
  ["OsmAnd", "a body that is too long", request("POST /", "content-length: 300000"), 413],
  ["OsmAnd", "bytes that are not HTTP", "GARBAGE\r\n\r\n", 400],
  ["OsmAnd", "an address that is too long", request(`GET /?${"a".repeat(17_000)}`), 431],
  ["OsmAnd", "no Host", "GET / HTTP/1.1\r\n\r\n", 400],
  ["OsmAnd", "an expectation", request("GET /", "expect: tea"), 400],
  ["OsmAnd", "a tunnel", request("CONNECT example.org:443"), 400],
  ["WebSocket", "no upgrade", request("GET /mqtt"), 426],
  ["WebSocket", "another path", request("GET /other", ...UPGRADE, KEY, VERSION), 400],
  ["WebSocket", "another method", request("POST /mqtt", ...UPGRADE, KEY, VERSION), 405],
  [
    "WebSocket",
    "another protocol",
    request("GET /mqtt", "connection: upgrade", "upgrade: h2c"),
    400,
  ],
  ["WebSocket", "no key", request("GET /mqtt", ...UPGRADE, VERSION), 400],
  ["WebSocket", "an old version", request("GET /mqtt", ...UPGRADE, KEY), 400],
  ["WebSocket", "bytes that are not HTTP", "GARBAGE\r\n\r\n", 400],
  ["WebSocket", "headers that are too long", request("GET /", `x: ${"a".repeat(17_000)}`), 431],
  ["WebSocket", "no Host", "GET /mqtt HTTP/1.1\r\n\r\n", 400],
  ["WebSocket", "an expectation", request("GET /mqtt", "expect: tea"), 426],
  ["WebSocket", "a tunnel", request("CONNECT example.org:443"), 400],
];

it.each(ASKED)("%s answers %s with security headers", async (listener, _what, sent, status) => {
  const port = await OPEN[listener]();
  const answer = await exchangeRaw(port, [sent], (all) => all.length > 0, PATIENT_MS);
  expect(answer.statuses).toEqual([status]);
  for (const name of HEADERS) expect(answer.received).toContain(`\r\n${name}: `);
});

describe.each(["OsmAnd", "WebSocket"] as const)("a refused body at the %s listener", (listener) => {
  it("a refused body of a PUT or POST whose sender falls silent closes the connection, answered once", async () => {
    const port = await OPEN[listener]();
    const answers = await Promise.all(
      ["PUT", "POST"].map((method) => {
        const head = request(`${method} /mqtt`, "content-length: 22000000");
        return exchangeRaw(port, [head, Buffer.alloc(200_000)], () => false, PATIENT_MS);
      }),
    );
    for (const answer of answers) {
      expect(answer.isClosed).toBe(true);
      expect(answer.statuses).toHaveLength(1);
      expect(answer.statuses[0]).toBeGreaterThanOrEqual(400);
    }
  });

  it("a refused body lets the next request of its connection through", async () => {
    const port = await OPEN[listener]();
    const body = Buffer.alloc(400_000);
    const sent = [request("PUT /", `content-length: ${body.length}`), body, request("GET /mqtt")];
    const answer = await exchangeRaw(port, sent, (all) => all.length > 1, PATIENT_MS);
    expect(answer.statuses).toEqual(listener === "OsmAnd" ? [405, 400] : [426, 426]);
  });

  it("a refused body whose rest is not valid is answered once", async () => {
    const port = await OPEN[listener]();
    const socket = connect(port, "127.0.0.1");
    const closed = once(socket, "close");
    let received = "";
    socket.on("data", (data) => {
      // Only after the answer: before it, the request itself is not valid, which is answered.
      if (received === "") socket.write("no chunk\r\n");
      received += data.toString();
    });
    socket.write(`${request("PUT /", "transfer-encoding: chunked")}3\r\nabc\r\n`);
    await closed;
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual([
      `HTTP/1.1 ${listener === "OsmAnd" ? 405 : 426}`,
    ]);
  });
});

it("a peer that resets after a refused upgrade does not end the process", async () => {
  const port = await OPEN.WebSocket();
  const closes: Promise<unknown>[] = [];
  for (let i = 0; i < 20; i += 1) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    closes.push(once(socket, "close"));
    socket.write(request("GET /other", ...UPGRADE, KEY, VERSION), () => socket.resetAndDestroy());
  }
  await Promise.all(closes);
  const answer = await exchangeRaw(
    port,
    [request("GET /mqtt")],
    (all) => all.length > 0,
    PATIENT_MS,
  );
  expect(answer.statuses).toEqual([426]);
});
