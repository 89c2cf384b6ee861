import { Agent, request as httpRequest, type RequestOptions } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AssetEntry } from "../../../ingest/directories/asset-directory.ts";
import { createIntake, type Intake } from "../../../ingest/intake/intake.ts";
import { type OsmandOptions, OsmandServer } from "../../../ingest/osmand/server.ts";
import {
  assetEntry,
  type FixedDirectory,
  fixedDirectory,
  PEPPER,
} from "../../support/fixed-directory.ts";
import { type ManualJournal, manualJournal } from "../../support/manual-journal.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const T = NOW / 1_000;
const QUERY = `id=356307042441013&timestamp=${T}&lat=52.5&lon=13.4&speed=10`;
const CLIENT = {
  location: {
    timestamp: "2026-11-20T12:00:00.000Z",
    coords: { latitude: 52.5, longitude: 13.4, speed: 5 },
  },
  device_id: "356307042441013",
};

let nowMs: number;
let journal: ManualJournal;
let directory: FixedDirectory;
let intake: Intake;
let server: OsmandServer | undefined;
let agent: Agent;

beforeEach(async () => {
  nowMs = NOW;
  journal = manualJournal();
  directory = fixedDirectory([entry("a1", "356307042441013"), entry("a2", "phone-2")]);
  const settings = { retentionDays: 90, deviceReadingsPerS: 20, deviceBurstReadings: 5_000 };
  intake = await createIntake({ journal, directory, pepper: PEPPER, settings, now: () => nowMs });
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
});

afterEach(async () => {
  agent.destroy();
  await server?.close();
  server = undefined;
  intake.close();
});

function entry(assetId: string, hardwareId: string): AssetEntry {
  const { asset, ...rest } = assetEntry(assetId);
  return { ...rest, asset: { ...asset, hardware_id: hardwareId } };
}

async function open(times: OsmandOptions["times"] = {}): Promise<OsmandServer> {
  const log = { error: () => undefined };
  const base = { host: "127.0.0.1", port: 0, intake, directory, log, now: () => nowMs };
  server = await OsmandServer.open({ ...base, times });
  return server;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Waits for a condition. */
const met = (look: () => boolean): Promise<boolean> => until(String(look), look, PATIENT_MS);

/** Sends one request; `body` makes it a POST. */
function send(path: string, body?: string | Buffer, more: RequestOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: "127.0.0.1",
        port: server?.port,
        path,
        method: body === undefined ? "GET" : "POST",
        agent: false,
        ...more,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const { statusCode = 0, headers } = response;
          resolve({ status: statusCode, text: Buffer.concat(chunks).toString(), headers });
        });
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

/** Waits until that many messages are offered to the journal, then makes them durable. */
async function commit(received = 1): Promise<void> {
  await met(() => intake.stats()["received"] === received);
  journal.commit();
}

const readings = () =>
  journal
    .entries()
    .flatMap((one) =>
      one.type === "readings" ? one.batch.readings.map(({ fields }) => fields) : [],
    );

describe("osmand listener", () => {
  it.each([
    ["a query by GET", `/?${QUERY}`, undefined],
    ["a query by POST", `/?${QUERY}`, ""],
    ["a form by POST", "/", QUERY],
    ["an id in the query and the rest in the form", "/?id=356307042441013", QUERY.slice(19)],
    ["deviceid on another path", `/track?device${QUERY}`, undefined],
  ])("the OsmAnd listener takes %s", async (_name, path, body) => {
    await open();
    const answer = send(path, body);
    await commit();

    expect(await answer).toMatchObject({ status: 200, text: "" });
    expect(readings()).toEqual([{ latitude: 52.5, longitude: 13.4, speed_kmh: 18.52 }]);
  });

  it("the OsmAnd listener takes the JSON of Traccar Client in m/s, also when it is declared as a form", async () => {
    await open();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const answer = send("/", ` \n${JSON.stringify(CLIENT)}`, { headers });
    await commit();

    expect(await answer).toMatchObject({ status: 200 });
    expect(readings()).toEqual([{ latitude: 52.5, longitude: 13.4, speed_kmh: 18 }]);
  });

  it("the OsmAnd listener takes a position that a Traccar server forwards, by the id of its device", async () => {
    await open();
    const position = {
      valid: true,
      fixTime: "2026-11-20T12:00:00.000+0000",
      latitude: 1,
      longitude: 2,
    };
    const answer = send("/", JSON.stringify({ position, device: { id: 7, uniqueId: "phone-2" } }));
    await commit();

    expect(await answer).toMatchObject({ status: 200 });
    expect(journal.entries()).toMatchObject([{ batch: { assetId: "a2", projectId: "p1" } }]);
  });

  it("the OsmAnd listener answers only after the journal has the message", async () => {
    await open();
    let answered = false;
    const answer = send(`/?${QUERY}`).finally(() => {
      answered = true;
    });
    await met(() => intake.stats()["received"] === 1);
    // A second request on its own connection shows that the server is not just slow.
    expect(await send("/?id=nobody&lat=1&lon=2")).toMatchObject({ status: 400 });
    expect(answered).toBe(false);

    journal.commit();
    expect(await answer).toMatchObject({ status: 200 });
    expect(server?.stats()).toMatchObject({ osmand_accepted: 1, osmand_unknown_id: 1 });
  });

  it("the OsmAnd listener answers 503 while the journal takes nothing, and to what it refused in the end", async () => {
    await open();
    const waiting = send(`/?${QUERY}`);
    await met(() => intake.stats()["received"] === 1);
    journal.become("full");
    expect(await send(`/?${QUERY}`)).toMatchObject({
      status: 503,
      headers: { "retry-after": "10" },
    });
    nowMs += 10_001;

    expect(await waiting).toMatchObject({ status: 503 });
    expect(journal.records).toHaveLength(0);
  });

  it("the OsmAnd listener gives a message that waited for a full journal its 200 once that has room", async () => {
    await open();
    const waiting = send(`/?${QUERY}`);
    await met(() => intake.stats()["received"] === 1);
    journal.become("full");
    await met(() => intake.stats()["held_bytes"] !== 0);
    journal.become("open");
    await met(() => intake.stats()["held_bytes"] === 0);
    journal.commit();

    expect(await waiting).toMatchObject({ status: 200 });
  });

  it("the OsmAnd listener answers 400 to unknown ids of queries, 404 to those of JSON, 400 without any id", async () => {
    await open();
    const statuses = [
      await send("/?id=nobody&lat=1&lon=2"),
      await send("/", JSON.stringify({ ...CLIENT, device_id: "nobody" })),
      await send("/?lat=1&lon=2"),
      await send("/?id=&lat=1&lon=2"),
      await send("/", JSON.stringify({ location: {} })),
      await send("/", "{"),
      await send("/?id=%zz"),
      await send("/"),
    ].map(({ status }) => status);

    expect(statuses).toEqual([400, 404, 400, 400, 400, 400, 400, 400]);
    expect(intake.stats()["received"]).toBe(0);
  });

  it("the OsmAnd listener keeps what it cannot decode in the quarantine and answers 200, or it would come for ever", async () => {
    await open();
    const answer = send("/?id=phone-2&lat=91&lon=2");
    await commit();

    expect(await answer).toMatchObject({ status: 200 });
    expect(journal.entries()).toMatchObject([
      { type: "quarantined", message: { topic: "sites/p1/assets/a2/osmand" } },
    ]);
  });

  it("the OsmAnd listener answers 405 to other methods", async () => {
    await open();

    expect(await send(`/?${QUERY}`, undefined, { method: "DELETE" })).toMatchObject({
      status: 405,
      headers: { allow: "GET, POST" },
    });
  });

  it("the OsmAnd listener takes a body of 256 KiB and answers 413 to one byte more, declared or chunked", async () => {
    await open();
    const full = Buffer.from(QUERY.padEnd(256 * 1024, "&"));
    const answer = send("/", full);
    await commit();
    expect(await answer).toMatchObject({ status: 200 });

    const over = Buffer.concat([full, Buffer.from("&")]);
    expect(await send("/", over)).toMatchObject({ status: 413 });
    const headers = { "transfer-encoding": "chunked" };
    expect(await send("/", over, { headers })).toMatchObject({ status: 413 });
    expect(server?.stats()["osmand_oversized"]).toBe(2);
  });

  it("the OsmAnd listener cuts off a body without end", async () => {
    const { port } = await open();
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n");
    let closed = false;
    socket.on("close", () => {
      closed = true;
    });
    let sent = 0;
    const chunk = Buffer.alloc(64 * 1024, "a");
    const more = (): void => {
      while (!closed && sent < 64 * 1024 * 1024 && socket.write(chunk)) sent += chunk.length;
    };
    socket.on("drain", more);
    more();
    await met(() => closed);

    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it("the OsmAnd listener answers 16 simultaneous requests in their order, and cuts off a client that sends more", async () => {
    const opened = await open();
    const { port } = opened;
    const burst = async (count: number) => {
      const socket = connect(port, "127.0.0.1");
      let heard = "";
      let isClosed = false;
      socket.on("data", (chunk: Buffer) => {
        heard += chunk.toString();
      });
      socket.on("error", () => undefined);
      socket.on("close", () => {
        isClosed = true;
      });
      const ids = Array.from(
        { length: count },
        (_, i) => `GET /?id=${i} HTTP/1.1\r\nhost: a\r\n\r\n`,
      );
      socket.write(ids.join(""));
      const answers = () => heard.split("unknown id").length - 1;
      await met(() => isClosed || answers() === count);
      socket.destroy();
      return { answers: answers(), isClosed };
    };

    expect(await burst(16)).toEqual({ answers: 16, isClosed: false });
    expect(opened.stats()["osmand_hasty"]).toBe(0);
    // All in one packet, far more than are read.
    expect(await burst(1_000)).toEqual({ answers: 0, isClosed: true });
    expect(opened.stats()).toMatchObject({ osmand_hasty: 1, osmand_requests: 32 });
  });

  it("the OsmAnd listener answers 431 to an address over 16 KiB", async () => {
    await open();

    expect(await send(`/?${QUERY}&a=${"1".repeat(17_000)}`)).toMatchObject({ status: 431 });
  });

  it.each([
    ["says nothing", ""],
    ["sends its headers too slowly", "GET /?id=1 HTTP/1.1\r\nHost"],
    ["sends its body too slowly", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nid"],
  ])("the OsmAnd listener closes the connection of a sender that %s", async (_name, text) => {
    const { port } = await open({ headersMs: 50, requestMs: 100, checkMs: 20 });
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.resume();
    let closed = false;
    socket.on("close", () => {
      closed = true;
    });
    socket.write(text);
    await met(() => closed);

    expect(intake.stats()["received"]).toBe(0);
  });

  it("the OsmAnd listener keeps a connection and a session for the next message, and closes the session when idle", async () => {
    const { port } = await open({ idleMs: 20 });
    const ports: unknown[] = [];
    for (const received of [1, 2, 3]) {
      const request = send(`/?${QUERY}&n=${received}`, undefined, { agent, port });
      await met(() => intake.stats()["received"] === received);
      ports.push(...Object.values(agent.sockets).flatMap((s) => s?.map((one) => one.localPort)));
      journal.commit();
      expect(await request).toMatchObject({ status: 200 });
      expect(server?.stats()["osmand_sessions"]).toBe(1);
    }
    expect(new Set(ports).size).toBe(1);

    nowMs += 20;
    await met(() => server?.stats()["osmand_sessions"] === 0);
    const again = send(`/?${QUERY}&n=4`);
    await commit(4);
    expect(await again).toMatchObject({ status: 200 });
  });

  it("the OsmAnd listener keeps no more than 32 messages of one asset waiting, while others are taken", async () => {
    await open();
    const requests = Array.from({ length: 33 }, (_, i) => send(`/?${QUERY}&n=${i}`));
    await met(() => server?.stats()["osmand_unavailable"] === 1);
    const other = send("/?id=phone-2&lat=1&lon=2");
    await commit(33);

    expect(await other).toMatchObject({ status: 200 });
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(32);
    expect(statuses.filter((status) => status === 503)).toHaveLength(1);
  });

  it("the OsmAnd listener answers 503 when the asset goes before its message is taken, and 400 from then on", async () => {
    await open();
    const waiting = send(`/?${QUERY}`);
    await met(() => intake.stats()["received"] === 1);
    journal.become("full");
    await met(() => intake.stats()["held_bytes"] !== 0);
    directory.change("a1", undefined);
    journal.become("open");

    expect(await waiting).toMatchObject({ status: 503 });
    expect(await send(`/?${QUERY}`)).toMatchObject({ status: 400 });
    expect(server?.stats()["osmand_sessions"]).toBe(0);
  });

  it("the OsmAnd listener survives a sender that goes away in the middle of its body or before its answer", async () => {
    const { port } = await open();
    const half = connect(port, "127.0.0.1");
    half.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nid");
    await met(() => server?.stats()["osmand_requests"] === 1);
    half.destroy();
    const whole = connect(port, "127.0.0.1");
    whole.write(`GET /?${QUERY} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await met(() => intake.stats()["received"] === 1);
    whole.destroy();
    journal.commit();

    const answer = send(`/?${QUERY}&n=2`);
    await commit(2);
    expect(await answer).toMatchObject({ status: 200 });
    expect(readings()).toHaveLength(2);
  });

  it("the OsmAnd listener answers 503 to waiting requests when it is closed, and accepts no connection after that", async () => {
    const { port } = await open();
    const waiting = send(`/?${QUERY}`, undefined, { agent });
    await met(() => intake.stats()["received"] === 1);
    await server?.close();

    expect(await waiting).toMatchObject({ status: 503, headers: { connection: "close" } });
    await expect(send(`/?${QUERY}`, undefined, { port })).rejects.toThrow("ECONNREFUSED");
  });

  it("the OsmAnd listener names the setting of a port that is taken", async () => {
    const { port } = await open();
    const log = { error: () => undefined };

    await expect(
      OsmandServer.open({ host: "127.0.0.1", port, intake, directory, log }),
    ).rejects.toMatchObject({ code: "SETTINGS_INVALID", message: /^OSMAND_PORT \d+ / });
  });
});
