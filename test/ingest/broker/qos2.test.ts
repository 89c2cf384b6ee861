import { afterEach, describe, expect, it } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import type { NotedMessage } from "../../../ingest/device-log/messages/message-log.ts";
import { manualJournal } from "../../support/manual-journal.ts";
import { type BrokerUnderTest, openBrokerUnderTest } from "../../support/open-broker.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { connectOf, publishOf, type RawClient, rawClient } from "../../support/raw-mqtt.ts";
import { until } from "../../support/until.ts";

let world: BrokerUnderTest;
const clients: RawClient[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) client.end();
  await world.close();
});

async function logIn(assetId: string): Promise<RawClient> {
  const client = rawClient(world.broker.ports.mqtt);
  clients.push(client);
  client.send(connectOf(assetId));
  expect((await client.hear("connack")).returnCode).toBe(0);
  return client;
}

const idsOf = (client: RawClient, cmd: "pubrec" | "pubcomp"): readonly (number | undefined)[] =>
  client.heard.flatMap((packet) => (packet.cmd === cmd ? [packet.messageId] : []));

const heard = (client: RawClient, cmd: "pubrec" | "pubcomp", count: number): Promise<boolean> =>
  until(`${count} ${cmd}`, () => idsOf(client, cmd).length >= count, PATIENT_MS);

/** A round trip: what was to be answered at once has been. */
async function settled(client: RawClient): Promise<void> {
  const pings = client.heard.filter(({ cmd }) => cmd === "pingresp").length;
  client.send({ cmd: "pingreq" });
  await client.hear("pingresp", pings + 1);
}

const numbers = async (): Promise<readonly unknown[]> =>
  (await world.entries()).flatMap((entry) =>
    entry.type === "readings" ? entry.batch.readings.map(({ fields }) => fields["number"]) : [],
  );

const message = (id: number, more: { readonly dup?: boolean } = {}) =>
  publishOf("a1", id, { qos: 2, payload: JSON.stringify({ number: id }), ...more });

describe("QoS 2", () => {
  it("QoS 2 completes 15,000 messages that are all unreleased at once, in one connection, each stored once [MQTT-4.3.3-2]", async () => {
    world = await openBrokerUnderTest();
    const client = await logIn("a1");
    const ids = Array.from({ length: 15_000 }, (_, i) => i + 1);
    client.send(...ids.map((id) => message(id)));
    await heard(client, "pubrec", ids.length);
    client.send(...ids.map((messageId) => ({ cmd: "pubrel" as const, messageId })));
    await heard(client, "pubcomp", ids.length);

    // [MQTT-4.6.0-3]
    expect(idsOf(client, "pubrec")).toEqual(ids);
    expect(idsOf(client, "pubcomp")).toEqual(ids);
    expect(await numbers()).toEqual(ids);
    expect(client.isClosed).toBe(false);
    expect(world.stats()).toMatchObject({ logins: 1, readings: ids.length });
  });

  it("QoS 2 answers a repeated PUBLISH before its PUBREL by PUBREC once the first one is durable, and stores it once", async () => {
    const journal = manualJournal();
    const outcomes: string[] = [];
    const messages = { note: (_: AssetId, { outcome }: NotedMessage) => outcomes.push(outcome) };
    world = await openBrokerUnderTest({ journal, messages });
    const client = await logIn("a1");
    client.send(message(7), message(7, { dup: true }), message(8));
    await settled(client);
    expect(idsOf(client, "pubrec")).toEqual([]);
    journal.commit();
    await heard(client, "pubrec", 3);

    expect(idsOf(client, "pubrec")).toEqual([7, 7, 8]);
    expect(await numbers()).toEqual([7, 8]);
    expect(world.stats()["qos2_repeated"]).toBe(1);
    expect(outcomes.toSorted()).toEqual(["duplicate", "stored", "stored"]);
  });

  it("QoS 2 takes a packet identifier for a new message after its PUBREL", async () => {
    world = await openBrokerUnderTest();
    const client = await logIn("a1");
    for (const number of [1, 2, 3]) {
      client.send(publishOf("a1", 5, { qos: 2, payload: `{"number":${number}}` }));
      await heard(client, "pubrec", number);
      client.send({ cmd: "pubrel", messageId: 5 });
      await heard(client, "pubcomp", number);
    }

    expect(await numbers()).toEqual([1, 2, 3]);
  });

  it("QoS 2 stores messages once that were cut off at any step and are sent again in a new session", async () => {
    world = await openBrokerUnderTest();
    const first = await logIn("a1");
    first.send(message(1), message(2), message(3));
    await heard(first, "pubrec", 3);
    first.send({ cmd: "pubrel", messageId: 3 });
    await heard(first, "pubcomp", 1);
    first.socket.resetAndDestroy();
    const second = await logIn("a1");
    second.send(message(1, { dup: true }), { cmd: "pubrel", messageId: 2 }, message(4));
    await heard(second, "pubrec", 2);
    second.send({ cmd: "pubrel", messageId: 1 }, { cmd: "pubrel", messageId: 4 });
    await heard(second, "pubcomp", 3);

    expect(await numbers()).toEqual([1, 2, 3, 4]);
    expect(world.stats()["dup_dropped"]).toBe(1);
  });

  it("QoS 2 answers a PUBREL that it knows nothing of by PUBCOMP [MQTT-4.3.3-2]", async () => {
    world = await openBrokerUnderTest();
    const client = await logIn("a1");
    client.send({ cmd: "pubrel", messageId: 9 });
    await heard(client, "pubcomp", 1);

    expect(idsOf(client, "pubcomp")).toEqual([9]);
  });
});
