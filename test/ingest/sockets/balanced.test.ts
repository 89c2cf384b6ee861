import { once } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWebSocketStream, WebSocket } from "ws";
import type { ConnectionReport } from "../../../ingest/broker/connection-outcome.ts";
import type { DeviceReport } from "../../../ingest/device-log/connections/noted-connections.ts";
import { OsmandServer } from "../../../ingest/osmand/server.ts";
import { TeltonikaServer } from "../../../ingest/teltonika/server.ts";
import { createClosers } from "../../../roles/process/closers.ts";
import type { Start } from "../../../roles/process/common.ts";
import { listenHttp } from "../../../roles/process/listen.ts";
import type { TlsFailure } from "../../../tls/failure.ts";
import { ProxyProtocol } from "../../../tls/proxy-protocol/proxy-protocol.ts";
import { openTestApp } from "../../support/api-app.ts";
import { type BrokerUnderTest, openBrokerUnderTest } from "../../support/open-broker.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { connectOf, publishOf, type RawClient, rawClientOver } from "../../support/raw-mqtt.ts";
import {
  certificateOf,
  createTlsFolder,
  openFolderTls,
  type TlsFolder,
} from "../../support/tls-folder.ts";
import { until } from "../../support/until.ts";

/** Every address of 127/8 is this machine's; only the balancer's is trusted. */
const BALANCER = "127.0.0.2";
const CLIENT = "203.0.113.9";
const V1 = Buffer.from(`PROXY TCP4 ${CLIENT} 192.0.2.1 51234 1883\r\n`);
const V2 = Buffer.from("0d0a0d0a000d0a515549540a2111000ccb007109c0000201c822075b", "hex");
const LOCAL = Buffer.from("0d0a0d0a000d0a515549540a20000000", "hex");

const log = pino({ level: "silent" });
let folder: TlsFolder;
let world: BrokerUnderTest;
let proxyProtocol: ProxyProtocol;
let warnings: unknown[];
const reports: ConnectionReport[] = [];
const sockets: Socket[] = [];

beforeAll(async () => {
  folder = await createTlsFolder();
});
afterAll(() => folder.remove());
beforeEach(async () => {
  warnings = [];
  reports.length = 0;
  proxyProtocol = new ProxyProtocol({
    from: ["10.1.0.0/16", `${BALANCER}/32`, "fd00::/8"],
    log: { warn: (what: unknown) => void warnings.push(what) },
    headerMs: 300,
  });
  world = await openBrokerUnderTest({
    proxyProtocol,
    settings: { mqttWsPort: 0, mqttWssPort: 0, ...certificateOf(folder) },
    onConnection: (report) => reports.push(report),
  });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await world.close();
});

/** A connection from that address of this machine. */
function open(port: number | undefined, localAddress = BALANCER): Socket {
  const socket = connectTcp({ port: port ?? 0, host: "127.0.0.1", localAddress, noDelay: true });
  socket.on("error", () => undefined);
  sockets.push(socket);
  return socket;
}

async function closed(socket: Socket): Promise<void> {
  socket.resume();
  await until("the connection is closed", () => socket.destroyed, PATIENT_MS);
}

async function logIn(client: RawClient): Promise<void> {
  client.send(connectOf("a1"));
  expect((await client.hear("connack")).returnCode).toBe(0);
  client.send(publishOf("a1", 1));
  await client.hear("puback");
}

/** Bytes that have left before anything else can. */
const written = (socket: Socket, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => socket.write(bytes, () => resolve()));

/** The answer of a server that closes behind it. */
async function textOf(socket: Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket) text += chunk;
  return text;
}

const accepted = () => reports.find(({ outcome }) => outcome === "accepted");

describe("MQTT through a balancer", () => {
  it.each([
    ["version 1", V1],
    ["version 2", V2],
  ])("a device has the address that a header of %s names", async (_version, header) => {
    const socket = open(world.broker.ports.mqtt);
    socket.write(header);
    await logIn(rawClientOver(socket));
    expect(accepted()).toMatchObject({ address: CLIENT, listener: "mqtt", assetId: "a1" });
    expect(proxyProtocol.counts).toEqual({ accepted: 1, malformed: 0, missing: 0 });
  });

  it.each([
    ["version 1", V1],
    ["version 2", V2],
  ])("a header of %s may come in pieces, each of them alone", async (_version, header) => {
    const socket = open(world.broker.ports.mqtt);
    await once(socket, "connect");
    for (const byte of header) {
      socket.write(Uint8Array.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await logIn(rawClientOver(socket));
    expect(accepted()).toMatchObject({ address: CLIENT });
  });

  it("a CONNECT that comes with the header in one piece is read", async () => {
    const socket = open(world.broker.ports.mqtt);
    const client = rawClientOver(socket);
    socket.cork();
    socket.write(V2);
    client.send(connectOf("a1"));
    client.send(publishOf("a1", 1));
    socket.uncork();
    await client.hear("puback");
    expect(accepted()).toMatchObject({ address: CLIENT });
  });

  it("a balancer's own connection has the balancer's address", async () => {
    const socket = open(world.broker.ports.mqtt);
    socket.write(LOCAL);
    await logIn(rawClientOver(socket));
    expect(accepted()).toMatchObject({ address: BALANCER });
  });

  it("a header from any other address is refused as bytes that are not MQTT", async () => {
    for (const header of [V1, V2]) {
      const socket = open(world.broker.ports.mqtt, "127.0.0.1");
      socket.write(header);
      await closed(socket);
    }
    expect(reports.map(({ outcome, address }) => [outcome, address])).toEqual([
      ["malformed", "127.0.0.1"],
      ["malformed", "127.0.0.1"],
    ]);
    expect(proxyProtocol.counts).toEqual({ accepted: 0, malformed: 0, missing: 0 });
    const direct = open(world.broker.ports.mqtt, "127.0.0.1");
    await logIn(rawClientOver(direct));
    expect(accepted()).toMatchObject({ address: "127.0.0.1" });
  });

  it("a second header is the client's own, and malformed", async () => {
    const socket = open(world.broker.ports.mqtt);
    socket.write(Buffer.concat([V1, V1]));
    await closed(socket);
    expect(reports).toMatchObject([{ outcome: "malformed", address: CLIENT }]);
  });

  it("a balancer's connection without a header is closed and counted, and logged once", async () => {
    for (let n = 0; n < 3; n += 1) {
      const socket = open(world.broker.ports.mqtt);
      rawClientOver(socket).send(connectOf("a1"));
      await closed(socket);
    }
    expect(proxyProtocol.counts).toEqual({ accepted: 0, malformed: 3, missing: 0 });
    expect(warnings).toMatchObject([{ address: BALANCER }]);
    expect(reports).toEqual([]);
  });

  it("a header that does not come, or not to its end, ends the connection", async () => {
    const silent = open(world.broker.ports.mqtt);
    const slow = open(world.broker.ports.mqtt);
    slow.write(V1.subarray(0, -1));
    const left = open(world.broker.ports.mqtt);
    left.end(V2.subarray(0, 13));
    await Promise.all([silent, slow, left].map(closed));
    const reset = open(world.broker.ports.mqtt);
    await written(reset, V2.subarray(0, 13));
    // The broker has it, when it has the next one.
    const direct = open(world.broker.ports.mqtt, "127.0.0.1");
    await logIn(rawClientOver(direct));
    reset.resetAndDestroy();
    await until("all are counted", () => proxyProtocol.counts.missing === 4, PATIENT_MS);
    expect(warnings).toEqual([]);
    expect(reports.map(({ address }) => address)).toEqual(["127.0.0.1"]);
  });

  it("a header that comes byte by byte has no more time than another", async () => {
    const socket = open(world.broker.ports.mqtt);
    const drip = setInterval(
      () => socket.write("PROXY UNKNOWN ".charAt(socket.bytesWritten) || "f"),
      10,
    );
    await closed(socket);
    clearInterval(drip);
    expect(proxyProtocol.counts).toEqual({ accepted: 0, malformed: 0, missing: 1 });
    expect(reports).toEqual([]);
  });

  it("wrong passwords of one client bar no other one behind the same balancer", async () => {
    const from = (address: string): Buffer =>
      Buffer.from(`PROXY TCP4 ${address} 192.0.2.1 51234 1883\r\n`);
    const guess = async (address: string) => {
      const socket = open(world.broker.ports.mqtt);
      socket.write(from(address));
      const client = rawClientOver(socket);
      client.send(connectOf("a1", { password: Buffer.from("wrong") }));
      return (await client.hear("connack")).returnCode;
    };
    for (let n = 0; n < 10; n += 1) expect(await guess("203.0.113.1")).toBe(4);
    expect(await guess("203.0.113.1")).toBe(5);
    expect(await guess("203.0.113.2")).toBe(4);
  });
});

describe("MQTT over TLS and WebSocket through a balancer", () => {
  const secured = (socket: Duplex) => {
    const secure = connectTls({ socket, ca: folder.authority.cert, host: "127.0.0.1" });
    secure.on("error", () => undefined);
    sockets.push(secure);
    return secure;
  };

  it.each([
    ["version 1", V1],
    ["version 2", V2],
  ])("a header of %s comes before the handshake", async (_version, header) => {
    const socket = open(world.broker.ports.mqtts);
    await written(socket, header);
    await logIn(rawClientOver(secured(socket)));
    expect(accepted()).toMatchObject({ address: CLIENT, listener: "mqtts" });
  });

  it("a handshake that comes with its header in one piece goes on", async () => {
    const socket = open(world.broker.ports.mqtts);
    let before: Buffer = V2;
    const joined = new Duplex({
      read: () => undefined,
      write(chunk: Buffer, _encoding, done) {
        socket.write(Buffer.concat([before, chunk]), () => done());
        before = Buffer.alloc(0);
      },
    });
    socket.on("data", (chunk) => joined.push(chunk));
    await logIn(rawClientOver(secured(joined)));
    expect(accepted()).toMatchObject({ address: CLIENT });
  });

  it("a handshake that fails is the client's own", async () => {
    const failures: TlsFailure[] = [];
    world.tls?.onFailure((failure) => failures.push(failure));
    const socket = open(world.broker.ports.mqtts);
    socket.write(Buffer.concat([V2, Buffer.from("this is not TLS")]));
    await closed(socket);
    const left = open(world.broker.ports.mqtts);
    left.write(V1);
    await until("the header is read", () => proxyProtocol.counts.accepted === 2, PATIENT_MS);
    left.resetAndDestroy();
    await until("both have failed", () => failures.length === 2, PATIENT_MS);
    expect(failures).toMatchObject([{ address: CLIENT }, { address: CLIENT, reason: "cut" }]);
  });

  it("a header within TLS, or without one where it is due, is refused", async () => {
    const direct = secured(open(world.broker.ports.mqtts, "127.0.0.1"));
    direct.write(V1);
    await closed(direct);
    expect(reports).toMatchObject([{ outcome: "malformed", address: "127.0.0.1" }]);
    const missing = open(world.broker.ports.mqtts);
    secured(missing);
    await until("it is counted", () => proxyProtocol.counts.malformed === 1, PATIENT_MS);
  });

  it("a WebSocket has the address of its client, with TLS and without", async () => {
    for (const listener of ["ws", "wss"] as const) {
      reports.length = 0;
      const socket = open(world.broker.ports[listener]);
      await written(socket, V2);
      const through = listener === "ws" ? socket : secured(socket);
      const client = new WebSocket("ws://127.0.0.1/mqtt", "mqtt", {
        createConnection: () => through,
      });
      await once(client, "open");
      await logIn(rawClientOver(createWebSocketStream(client) as unknown as Socket));
      expect(accepted()).toMatchObject({ address: CLIENT, listener });
      client.terminate();
    }
  });
});

describe("other listeners through a balancer", () => {
  it("a tracker's and a phone's address are those of their headers", async () => {
    const devices: DeviceReport[] = [];
    const parts = {
      ...{ host: "127.0.0.1", port: 0, log, proxyProtocol },
      ...{ intake: world.intake, directory: world.directory },
      onConnection: (report: DeviceReport) => void devices.push(report),
    };
    const teltonika = await TeltonikaServer.open(parts);
    const osmand = await OsmandServer.open(parts);
    try {
      const tracker = open(teltonika.port);
      tracker.write(Buffer.concat([V2, Buffer.of(0, 15), Buffer.from("356307042441013")]));
      await closed(tracker);
      const phone = open(osmand.port);
      phone.write(V1);
      phone.write("GET /?id=nobody&lat=1&lon=2 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
      expect(await textOf(phone)).toContain("unknown id");
      expect(devices.map(({ listener, address }) => [listener, address])).toEqual([
        ["teltonika", CLIENT],
        ["osmand", CLIENT],
      ]);
      const stranger = open(osmand.port, "127.0.0.1");
      stranger.write(V1);
      expect(await textOf(stranger)).toContain("HTTP/1.1 400");
    } finally {
      await teltonika.close();
      await osmand.close();
    }
  });

  it("refused requests of one client are counted for no other one behind the same balancer, with TLS and without", async () => {
    const closers = createClosers();
    const test = await openTestApp();
    const tls = await openFolderTls(folder);
    closers.push(() => tls.close());
    const settings = { httpHost: "127.0.0.1", httpPort: 0, httpsPort: 0 } as Start["settings"];
    const urls = await listenHttp(test.app, { settings, closers, tls, proxyProtocol });
    /** What is left of a client's minute after one more refused request. */
    const ask = async (url: string | undefined, header: Buffer): Promise<string | undefined> => {
      const { port, protocol } = new URL(url ?? "");
      const socket = open(Number(port));
      await written(socket, header);
      const through =
        protocol === "http:"
          ? socket
          : connectTls({ socket, ca: folder.authority.cert, host: "127.0.0.1" });
      through.write("GET /api/v1/projects HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
      const text = await textOf(through);
      expect(text).toContain("HTTP/1.1 401");
      return /x-ratelimit-remaining: (\d+)/i.exec(text)?.[1];
    };
    try {
      const other = Buffer.from("PROXY TCP4 203.0.113.10 192.0.2.1 51234 1883\r\n");
      expect(await ask(urls.http, V2)).toBe("999");
      expect(await ask(urls.http, V1)).toBe("998");
      expect(await ask(urls.https, V1)).toBe("997");
      expect(await ask(urls.https, other)).toBe("999");
      const stranger = open(Number(new URL(urls.http ?? "").port), "127.0.0.1");
      stranger.write(V1);
      expect(await textOf(stranger)).toContain("HTTP/1.1 400");
    } finally {
      await closers.close();
      await test[Symbol.asyncDispose]();
    }
  });
});
