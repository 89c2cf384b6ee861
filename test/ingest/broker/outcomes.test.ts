import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ConnectionReport } from "../../../ingest/broker/connection-outcome.ts";
import { CLEAN_WITH_LOGIN, connect, field } from "../../support/mqtt-bytes.ts";
import { type BrokerUnderTest, openBrokerUnderTest } from "../../support/open-broker.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { connectOf, publishOf, type RawClient, rawClient } from "../../support/raw-mqtt.ts";
import { until } from "../../support/until.ts";

let world: BrokerUnderTest;
let reports: ConnectionReport[];
const clients: RawClient[] = [];

beforeEach(async () => {
  reports = [];
  world = await openBrokerUnderTest({ onConnection: (report) => reports.push(report) });
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.end();
  await world.close();
});

function open(): RawClient {
  const client = rawClient(world.broker.ports.mqtt);
  clients.push(client);
  return client;
}

async function logIn(...args: Parameters<typeof connectOf>): Promise<RawClient> {
  const client = open();
  client.send(connectOf(...args));
  const { returnCode } = await client.hear("connack");
  if (returnCode !== 0) return client;
  // Read only once the log-in is complete.
  client.send({ cmd: "pingreq" });
  await client.hear("pingresp");
  return client;
}

const outcomes = (): readonly string[] => reports.map(({ outcome }) => outcome);

const reported = (count: number): Promise<boolean> =>
  until(`${count} reports`, () => reports.length >= count, PATIENT_MS);

describe("reports of connections", () => {
  it("reports of connections name address, user, client id, protocol level and time of a log-in and of its end", async () => {
    const client = await logIn("a1");
    client.send({ cmd: "disconnect" });
    await reported(2);

    const who = {
      address: "127.0.0.1",
      listener: "mqtt",
      username: "a1",
      clientId: "client-of-a1",
      protocolLevel: 4,
      assetId: "a1",
      detail: undefined,
      wasAccepted: true,
      atMs: expect.any(Number),
    };
    expect(reports).toEqual([
      { ...who, outcome: "accepted" },
      { ...who, outcome: "disconnect" },
    ]);
  });

  it("reports of connections distinguish a wrong password, an unknown user and a barred user", async () => {
    await logIn("a1", { password: Buffer.from("x") });
    await logIn("a9");
    for (let i = 0; i < 10; i += 1) await logIn("a1", { password: Buffer.from("x") });
    await reported(12);

    expect(outcomes().slice(0, 2)).toEqual(["wrong_password", "unknown_user"]);
    expect(outcomes().at(-1)).toBe("barred");
    expect(reports.some(({ wasAccepted }) => wasAccepted)).toBe(false);
  });

  it("reports of connections say of the older of two connections that it was taken over", async () => {
    const older = await logIn("a1");
    await logIn("a1");
    await older.closed();
    await reported(3);

    expect(outcomes().toSorted()).toEqual(["accepted", "accepted", "takeover"]);
  });

  it("reports of connections say why the service ended a connection", async () => {
    const reader = await logIn("", { username: "apikey", password: Buffer.from("reader-key") });
    reader.send(publishOf("a1", 1));
    await reader.closed();
    const garbled = await logIn("a1");
    garbled.sendBytes(Uint8Array.of(0x36, 0));
    await garbled.closed();
    const rotated = await logIn("a2");
    world.directory.change("a2", undefined);
    await rotated.closed();
    await reported(6);

    expect(outcomes().filter((outcome) => outcome !== "accepted")).toEqual([
      "reader_publish",
      "malformed",
      "credential_changed",
    ]);
  });

  it.each([
    [
      "U+0000 in the client id",
      connect({ payload: [field("c\u0000 7"), field("a1"), field("a1-secret")] }),
      { detail: "[MQTT-1.5.3-2] U+0000 in the client id", clientId: "c? 7", username: "a1" },
    ],
    [
      "will QoS 3",
      connect({
        flags: CLEAN_WITH_LOGIN | 0x1c,
        payload: [field("c1"), field("t"), field("{}"), field("a1"), field("a1-secret")],
      }),
      { detail: "[MQTT-3.1.2-14] will QoS 3", clientId: "c1", username: "a1" },
    ],
    [
      "a user name that the packet cuts",
      connect({ payload: [field("c1"), Buffer.of(0, 9, 0x61, 0x31)] }),
      {
        detail: "the packet ends before its user name does",
        clientId: "c1",
        username: undefined,
      },
    ],
  ])("reports of connections name the rule that a CONNECT violates, and the names in it: %s", async (_rule, bytes, said) => {
    open().sendBytes(bytes);
    await reported(1);

    const unproven = { outcome: "malformed", assetId: undefined, wasAccepted: false };
    expect(reports).toMatchObject([{ ...unproven, ...said }]);
  });

  it.each([
    ["HTTP", Buffer.from("GET / HTTP/1.1\r\n"), "[MQTT-3.1.0-1] text, such as HTTP"],
    ["TLS", Buffer.of(0x16, 3, 1, 2), "[MQTT-3.1.0-1] TLS, on a port without it"],
    ["a byte of PUBLISH", Buffer.of(0x30), "[MQTT-3.1.0-1] the first packet is not CONNECT"],
  ])("reports of connections refuse %s by its first byte, without waiting for a whole packet", async (_what, bytes, detail) => {
    const client = open();
    client.sendBytes(bytes);
    await client.closed();
    await reported(1);

    expect(reports).toMatchObject([{ outcome: "malformed", detail }]);
  });

  it("reports of connections name the rule that a packet violates after the log-in", async () => {
    const client = await logIn("a1");
    client.sendBytes(Uint8Array.of(0x82, 2, 0, 1));
    await reported(2);

    const detail = "[MQTT-3.8.3-3] SUBSCRIBE without a topic filter";
    expect(reports.at(-1)).toMatchObject({ outcome: "malformed", assetId: "a1", detail });
  });

  it("reports of connections say that the device's rate holds its answers back, once for several messages, which say it each", async () => {
    await world.close();
    const notices: (readonly string[] | undefined)[] = [];
    world = await openBrokerUnderTest({
      ...{ readingsPerS: 0.01, burstReadings: 1 },
      messages: { note: (_, message) => notices.push(message.notices) },
      onConnection: (report) => reports.push(report),
    });
    const client = await logIn("a1");
    client.send(publishOf("a1", 1), publishOf("a1", 2), publishOf("a1", 3));
    await until("three messages", () => notices.length === 3, PATIENT_MS);

    const held = expect.stringMatching(/^answer held \d+ ms: over DEVICE_READINGS_PER_S$/);
    const withHeld = expect.arrayContaining([held]);
    expect(notices.slice(1)).toEqual([withHeld, withHeld]);
    expect(notices[0] ?? []).not.toEqual(withHeld);
    expect(outcomes()).toEqual(["accepted", "quota"]);
    expect(reports.at(-1)).toMatchObject({ assetId: "a1", wasAccepted: true, detail: held });
  });

  it("say of a connection that broke that it was cut, and of one at the end of the service that it was shut down", async () => {
    const first = await logIn("a1");
    first.socket.resetAndDestroy();
    await reported(2);
    await logIn("a2");
    await world.broker.close();
    await reported(4);

    expect(outcomes()).toEqual(["accepted", "cut", "accepted", "shutdown"]);
  });
});
