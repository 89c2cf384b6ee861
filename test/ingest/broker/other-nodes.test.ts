import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ConnectionReport } from "../../../ingest/broker/connection-outcome.ts";
import { ClientSessionClaims } from "../../../ingest/client-sessions/client-session-claims.ts";
import { type MemoryRecords, openMemoryRecords } from "../../support/memory-records.ts";
import { type BrokerUnderTest, openBrokerUnderTest } from "../../support/open-broker.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { connectOf, publishOf, type RawClient, rawClient } from "../../support/raw-mqtt.ts";
import { until } from "../../support/until.ts";

/** A broker that knows of others' sessions. */
interface Node {
  readonly world: BrokerUnderTest;
  readonly claims: ClientSessionClaims;
  readonly reports: ConnectionReport[];
}

const silent = pino({ level: "silent" });
let records: MemoryRecords;
let nodes: Node[];
const clients: RawClient[] = [];

async function openNode(nodeId: string): Promise<Node> {
  const reports: ConnectionReport[] = [];
  const claims = await ClientSessionClaims.start({
    ...{ sessions: records.clientSessions, nodeId, log: silent },
    ...{ pollMs: 20, beatMs: 20 },
  });
  const world = await openBrokerUnderTest({
    sessionClaims: claims,
    onConnection: (report) => reports.push(report),
  });
  return { world, claims, reports };
}

beforeEach(async () => {
  records = openMemoryRecords();
  nodes = [await openNode("a"), await openNode("b")];
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.end();
  for (const { world, claims } of nodes) {
    await world.close();
    await claims.stop();
  }
});

async function logIn(
  at: number,
  more: Parameters<typeof connectOf>[1] = {},
  assetId = "a1",
): Promise<{ readonly client: RawClient; readonly returnCode: number | undefined }> {
  const client = rawClient(nodes[at]?.world.broker.ports.mqtt);
  clients.push(client);
  client.send(connectOf(assetId, more));
  const { returnCode } = await client.hear("connack");
  return { client, returnCode };
}

const will = {
  topic: "sites/p1/assets/a1/telemetry",
  payload: Buffer.from('{"latitude":52.5,"longitude":13.4}'),
  qos: 1 as const,
  retain: false,
};

describe("a client at one of several alike processes", () => {
  it("a client that connects to another process ends its connection at the first one", async () => {
    const { client: first } = await logIn(0);
    const { client: second } = await logIn(1);
    await first.closed();
    expect(nodes[0]?.reports.at(-1)).toMatchObject({ outcome: "takeover", assetId: "a1" });
    second.send(publishOf("a1", 1));
    await second.hear("puback");
    expect(second.isClosed).toBe(false);
    // And back again.
    const { client: third } = await logIn(0);
    await second.closed();
    third.send(publishOf("a1", 2));
    await third.hear("puback");
  });

  it("clients with other ids stay where they are", async () => {
    const { client: left } = await logIn(0, { clientId: "left" });
    const { client: right } = await logIn(1, { clientId: "right" });
    const { client: other } = await logIn(1, { clientId: "left" }, "a2");
    for (const [client, asset] of [
      [left, "a1"],
      [right, "a1"],
      [other, "a2"],
    ] as const) {
      client.send(publishOf(asset, 1));
      await client.hear("puback");
    }
    expect([left, right, other].map(({ isClosed }) => isClosed)).toEqual([false, false, false]);
  });

  it("the will of a connection whose client is at another process is dropped, though its link dies first", async () => {
    const { client: first } = await logIn(0, { will });
    const { client: second } = await logIn(1);
    first.socket.resetAndDestroy();
    await until(
      "the will is dropped",
      () => nodes[0]?.world.stats()["wills_superseded"] === 1,
      PATIENT_MS,
    );
    expect(nodes[0]?.world.stats()["wills"]).toBe(0);
    second.send(publishOf("a1", 1));
    await second.hear("puback");
  });

  it("the will of a client that is nowhere else is stored, also while the records are away", async () => {
    const { client: first } = await logIn(0, { will });
    first.socket.resetAndDestroy();
    await until("the will is stored", () => nodes[0]?.world.stats()["wills"] === 1, PATIENT_MS);
    const { client: second } = await logIn(0, { will });
    records.away = true;
    second.socket.resetAndDestroy();
    await until("the second one, too", () => nodes[0]?.world.stats()["wills"] === 2, PATIENT_MS);
    expect(nodes[0]?.world.stats()["wills_superseded"]).toBe(0);
    records.away = false;
  });

  it("two devices with one client id at two processes are banned at the 15th take-over of both together", async () => {
    for (let n = 0; n < 15; n += 1) {
      const { client, returnCode } = await logIn(n % 2);
      expect(returnCode).toBe(0);
      const { client: next } = await logIn((n + 1) % 2);
      await client.closed();
      next.end();
      await until(
        "it has left",
        () => nodes.every(({ world }) => world.stats()["sessions"] === 0),
        PATIENT_MS,
      );
    }
    for (const at of [0, 1]) {
      await until("it is banned", async () => (await logIn(at)).returnCode === 5, PATIENT_MS);
    }
    await until(
      "the ban is reported",
      () => nodes[1]?.reports.at(-1)?.outcome === "takeover_banned",
      PATIENT_MS,
    );
    expect((await logIn(0, {}, "a2")).returnCode).toBe(0);
  });

  it("a client that leaves before it comes back to another process is never banned", async () => {
    for (let n = 0; n < 40; n += 1) {
      const { client, returnCode } = await logIn(n % 2);
      expect(returnCode).toBe(0);
      client.send({ cmd: "disconnect" });
      await client.closed();
    }
  });

  it("while the records are away clients are let in, and the older connection ends when they are back", async () => {
    const { client: first } = await logIn(0);
    records.away = true;
    const { client: second, returnCode } = await logIn(1);
    expect(returnCode).toBe(0);
    second.send(publishOf("a1", 1));
    await second.hear("puback");
    expect(first.isClosed).toBe(false);
    records.away = false;
    await first.closed();
    second.send(publishOf("a1", 2));
    await second.hear("puback", 2);
    expect(second.isClosed).toBe(false);
  });

  it("a reader's session goes to the process that its client connects to", async () => {
    const reader = { username: "apikey", password: Buffer.from("reader-key"), clientId: "wall" };
    const { client: first } = await logIn(0, reader);
    const { client: second } = await logIn(1, reader);
    await first.closed();
    expect(second.isClosed).toBe(false);
    expect((await logIn(0, { ...reader, clientId: "other" })).returnCode).toBe(0);
    expect(second.isClosed).toBe(false);
  });

  it("a process that was given up for dead keeps the clients that nobody else has", async () => {
    const { client: stays } = await logIn(0, {}, "a2");
    const { client: moved } = await logIn(0);
    let givenUp = 0;
    nodes[0]?.claims.onGivenUp(() => {
      givenUp += 1;
    });
    const held = await records.clientSessions.ofNode("a", 10);
    await records.clientSessions.release("a", held);
    await records.clientSessions.forgetNode("a");
    await logIn(1);
    await moved.closed();
    await until(
      "it has its session again",
      async () => (await records.clientSessions.ofNode("a", 10)).length === 1,
      PATIENT_MS,
    );
    expect(stays.isClosed).toBe(false);
    expect(givenUp).toBe(1);
  });
});
