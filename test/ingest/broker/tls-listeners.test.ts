import { once } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { connectAsync } from "mqtt";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { TlsFailure } from "../../../tls/failure.ts";
import type { TlsRun } from "../../../tls/tls.ts";
import type { BrokerUnderTest } from "../../support/open-broker.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { connectOf, publishOf, rawClientOver } from "../../support/raw-mqtt.ts";
import { issueServer, type TestAuthority } from "../../support/test-authority.ts";
import { openTlsBroker } from "../../support/tls-broker.ts";
import { createTlsFolder, type TlsFolder } from "../../support/tls-folder.ts";
import { until } from "../../support/until.ts";

let authority: TestAuthority;
let folder: TlsFolder;
let world: BrokerUnderTest;
const sockets: Socket[] = [];

beforeAll(async () => {
  folder = await createTlsFolder();
  ({ authority } = folder);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await world.close();
});
afterAll(() => folder.remove());

async function open(tlsRun: Partial<TlsRun> = {}): Promise<readonly TlsFailure[]> {
  const opened = await openTlsBroker(folder, { tlsRun });
  world = opened.world;
  return opened.failures;
}

const securePort = (): number => world.broker.ports.mqtts ?? 0;

/** A TCP connection to the TLS port that says nothing of its own. */
function openSilently(localAddress: string): Socket {
  const socket = connectTcp({ port: securePort(), host: "127.0.0.1", localAddress });
  socket.on("error", () => undefined);
  socket.resume();
  sockets.push(socket);
  return socket;
}

async function logIn(localAddress = "127.0.0.1") {
  const address = { port: securePort(), host: "127.0.0.1", localAddress };
  const socket = connectTls({ ...address, ca: authority.cert });
  sockets.push(socket);
  const client = rawClientOver(socket);
  client.send(connectOf("a1", { clientId: localAddress }));
  expect((await client.hear("connack")).returnCode).toBe(0);
  return client;
}

it("a port that is off is not listened on", async () => {
  await open();

  expect(Object.keys(world.broker.ports).toSorted()).toEqual(["mqtts", "wss"]);
});

describe("a handshake that is begun and not ended", () => {
  it("a handshake that is begun and not ended is closed when its time is over", async () => {
    const failures = await open({ handshakeMs: 100 });
    await once(openSilently("127.0.0.1"), "close");

    expect(failures).toMatchObject([
      { listener: "mqtts", address: "127.0.0.1", reason: "timeout" },
    ]);
  });

  it("a handshake that is begun and not ended keeps no device of another address waiting, nor for ever one of the same", async () => {
    const limits = { atOnce: 4, atOnceByAddress: 2, waiting: 4 };
    const failures = await open({ handshakeMs: 1_000, limits });
    // Two begin and three wait.
    const silent = Array.from({ length: 5 }, () => openSilently("127.0.0.2"));
    await Promise.all(silent.map((socket) => once(socket, "connect")));
    await logIn("127.0.0.3");
    expect(failures).toEqual([]);
    await logIn("127.0.0.2");

    await until("all are closed", () => silent.every(({ closed }) => closed), PATIENT_MS);
    expect(failures.map(({ reason }) => reason)).toEqual(Array(5).fill("timeout"));
  });

  it("a handshake that is begun and not ended is refused where too many wait already", async () => {
    const failures = await open({ limits: { atOnce: 2, atOnceByAddress: 1, waiting: 1 } });
    const silent = Array.from({ length: 3 }, () => openSilently("127.0.0.2"));
    await until("one is closed", () => silent.some(({ closed }) => closed), PATIENT_MS);

    expect(failures).toMatchObject([{ address: "127.0.0.2", reason: "too_many" }]);
  });

  it("a handshake that is begun and not ended is counted as cut when the peer leaves", async () => {
    const failures = await open();
    const socket = openSilently("127.0.0.1");
    await once(socket, "connect");
    socket.destroy();
    await until("it is counted", () => failures.length === 1, PATIENT_MS);

    expect(failures).toMatchObject([{ address: "127.0.0.1", reason: "cut" }]);
  });
});

it("MQTT and HTTP without TLS are refused on a TLS port, and clients that distrust us are counted", async () => {
  const failures = await open();
  for (const bytes of [Buffer.from("101000044d51545404020", "hex"), "GET / HTTP/1.1\r\n\r\n"]) {
    const socket = openSilently("127.0.0.1");
    socket.write(bytes);
    await once(socket, "close");
  }
  const wss = await fetch(`https://127.0.0.1:${world.broker.ports.wss}/`).catch(String);

  expect(wss).toMatch(/fetch failed/);
  await until("three failures", () => failures.length === 3, PATIENT_MS);
  expect(failures.map(({ listener, reason }) => [listener, reason])).toEqual([
    ["mqtts", "not_tls"],
    ["mqtts", "not_tls"],
    ["wss", expect.stringMatching(/cut|refused_by_client/)],
  ]);
});

it("certificates are renewed under publishing devices: nothing is lost, no connection is cut, new clients see the new one", async () => {
  await open({ pollMs: 20 });
  const device = await connectAsync(`wss://localhost:${world.broker.ports.wss}/mqtt`, {
    ...{ ca: authority.cert, reconnectPeriod: 0 },
    ...{ username: "a2", password: "a2-secret", clientId: "wss" },
  });
  const client = await logIn();
  let closes = 0;
  for (const one of [client.socket, device]) one.on("close", () => (closes += 1));
  let isRenewing = true;
  const publishing = (async () => {
    let sent = 0;
    while (isRenewing) {
      sent += 1;
      client.send(publishOf("a1", sent));
      await device.publishAsync("sites/p1/assets/a2/telemetry", `{"speed_kmh":${sent}}`, {
        qos: 1,
      });
      await client.hear("puback", sent);
    }
    return sent;
  })();
  const serials: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    const { cert, key, serialNumber } = await issueServer(authority);
    // One file after the other: for a moment they do not fit together.
    await folder.write({ "cert.pem": cert });
    await folder.write({ "key.pem": key });
    await until("it is in use", () => world.tls?.reloads.applied === round + 1, PATIENT_MS);
    for (const port of [world.broker.ports.mqtts, world.broker.ports.wss]) {
      const socket = connectTls({ port: port ?? 0, host: "localhost", ca: authority.cert });
      await once(socket, "secureConnect");
      serials.push(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    }
    expect(serials.slice(-2)).toEqual([serialNumber, serialNumber]);
  }
  isRenewing = false;
  const sent = await publishing;

  const stored = (await world.entries()).flatMap((entry) =>
    entry.type === "readings" ? entry.batch.readings : [],
  );
  expect(stored).toHaveLength(2 * sent);
  expect(new Set(serials).size).toBe(5);
  expect(closes).toBe(0);
  await device.endAsync();
});
