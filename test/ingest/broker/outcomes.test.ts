import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ConnectionReport } from "../../../ingest/broker/connection-outcome.ts";
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
  it("name address, user, client id, protocol level and time of a log-in and of its end", async () => {
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
      wasAccepted: true,
      atMs: expect.any(Number),
    };
    expect(reports).toEqual([
      { ...who, outcome: "accepted" },
      { ...who, outcome: "disconnect" },
    ]);
  });

  it("tell a wrong password from an unknown user, and from one that is barred", async () => {
    await logIn("a1", { password: Buffer.from("x") });
    await logIn("a9");
    for (let i = 0; i < 10; i += 1) await logIn("a1", { password: Buffer.from("x") });
    await reported(12);

    expect(outcomes().slice(0, 2)).toEqual(["wrong_password", "unknown_user"]);
    expect(outcomes().at(-1)).toBe("barred");
    expect(reports.some(({ wasAccepted }) => wasAccepted)).toBe(false);
  });

  it("say of the older of two connections that it was taken over", async () => {
    const older = await logIn("a1");
    await logIn("a1");
    await older.closed();
    await reported(3);

    expect(outcomes().toSorted()).toEqual(["accepted", "accepted", "takeover"]);
  });

  it("say why the service ended a connection", async () => {
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
