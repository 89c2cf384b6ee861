import type { Packet } from "mqtt-packet";
import { afterEach, describe, expect, it } from "vitest";
import type { Command } from "../../../domain/equipment/command.ts";
import type { AssetId, CommandId } from "../../../domain/ids.ts";
import type { AssetEntry } from "../../../ingest/directories/asset-directory.ts";
import { newCommand } from "../../contracts/records/commands.ts";
import { readCommand } from "../../e2e/commands/sparkplug-command.ts";
import { assetEntry } from "../../support/fixed-directory.ts";
import { type MemoryRecords, openMemoryRecords } from "../../support/memory-records.ts";
import { type BrokerUnderTest, openBrokerUnderTest } from "../../support/open-broker.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { connectOf, type RawClient, rawClient } from "../../support/raw-mqtt.ts";
import { until } from "../../support/until.ts";
import { born, byAlias, edgePayload } from "../sparkplug/edge-messages.ts";

let world: BrokerUnderTest;
let records: MemoryRecords;
const clients: RawClient[] = [];
const FOREVER_MS = Date.UTC(2099, 0);

async function open(...entries: readonly AssetEntry[]): Promise<void> {
  records = openMemoryRecords();
  world = await openBrokerUnderTest({ commandRecords: records });
  for (const entry of entries) world.directory.change(entry.asset.id, entry);
}

afterEach(async () => {
  for (const client of clients.splice(0)) client.end();
  await world.close();
});

async function logIn(assetId: string, clientId = `client-of-${assetId}`): Promise<RawClient> {
  const client = rawClient(world.broker.ports.mqtt);
  clients.push(client);
  client.send(connectOf(assetId, { clientId }));
  await client.hear("connack");
  return client;
}

async function subscribe(client: RawClient, qos: 0 | 1 | 2, ...topics: readonly string[]) {
  const subscriptions = topics.map((topic) => ({ topic, qos }));
  client.send({ cmd: "subscribe", messageId: 9, subscriptions });
  return (await client.hear("suback")).granted;
}

const insert = (id: string, change: Parameters<typeof newCommand>[1] = {}): Promise<Command> =>
  records.commands.insert(newCommand(id, { expiresAtMs: FOREVER_MS, ...change }));
const find = (id: string): Command | undefined => records.rows.commands.get(id as CommandId);
const comesTo = (id: string, state: Command["state"]): Promise<unknown> =>
  until(`${id} is ${state}`, () => find(id)?.state === state, PATIENT_MS);
const heardOf = ({ heard }: RawClient) =>
  heard.flatMap((packet) => (packet.cmd === "publish" ? [packet] : []));

function publish(client: RawClient, topic: string, payload: string | Buffer, messageId = 77): void {
  const packet: Packet = {
    ...{ cmd: "publish", topic, payload, qos: 1, messageId, dup: false, retain: false },
  };
  client.send(packet);
}

const entryOf = (
  assetId: string,
  decoder: AssetEntry["asset"]["decoder"],
  hardware_id?: string,
) => {
  const entry = assetEntry(assetId);
  const hardware = hardware_id === undefined ? {} : { hardware_id };
  return { ...entry, asset: { ...entry.asset, decoder, ...hardware } };
};

describe("commands over MQTT", () => {
  it("commands over MQTT are published to the asset's own session at QoS 1, and its answer is stored before PUBACK", async () => {
    await open();
    const client = await logIn("a1");
    await subscribe(client, 1, "sites/+/assets/a1/commands");
    await insert("c1");
    await insert("c2");
    const first = await client.hear("publish");
    expect(first).toMatchObject({ topic: "sites/p1/assets/a1/commands", qos: 1, retain: false });
    expect(JSON.parse(first.payload.toString())).toEqual({
      ...{ id: "c1", name: "set_interval", attempt: 1 },
      parameters: { seconds: 10, text: "\u0000 ü" },
      created_at: "2026-11-20T12:00:00.000Z",
      expires_at: "2099-01-01T00:00:00.000Z",
    });
    // The second waits for the receipt of the first.
    expect(find("c2")?.state).toBe("queued");
    client.send({ cmd: "puback", messageId: first.messageId ?? 0 });
    await comesTo("c1", "delivered");

    publish(client, "sites/p1/assets/a1/commands/c1/reply", '{"status":"ok","seconds":10}');
    await client.hear("puback");
    expect(find("c1")).toMatchObject({
      state: "answered",
      answer: { encoding: "json", value: { status: "ok", seconds: 10 }, truncated: false },
    });
    expect(JSON.parse((await client.hear("publish", 2)).payload.toString())).toMatchObject({
      id: "c2",
    });
    // No reading, no quarantine: an answer is none of the device's telemetry.
    expect(await world.entries()).toEqual([]);
    expect(world.stats()).toMatchObject({ command_answers: 1, foreign: 0 });
  });

  it("commands over MQTT come at QoS 0 where the device subscribed with it, and its answer is the confirmation", async () => {
    await open();
    const client = await logIn("a1");
    await subscribe(client, 0, "sites/other/assets/a1/commands/#");
    await insert("c1");
    // Under the project that the device knows.
    expect(await client.hear("publish")).toMatchObject({
      ...{ topic: "sites/other/assets/a1/commands", qos: 0 },
    });
    publish(
      client,
      "sites/other/assets/a1/commands/c1/reply",
      '{"status":"failed","message":"busy"}',
    );
    await comesTo("c1", "failed");

    expect(find("c1")).toMatchObject({
      failure: "refused",
      detail: "busy",
      deliveredAtMs: undefined,
    });
  });

  it("commands over MQTT are heard and answered by that asset alone", async () => {
    await open();
    const [own, other] = [await logIn("a1"), await logIn("a2")];
    expect(await subscribe(own, 1, "sites/p1/assets/a1/commands")).toEqual([1]);
    expect(
      await subscribe(
        other,
        1,
        "sites/p1/assets/a1/commands",
        "sites/+/assets/+/commands",
        "sites/p1/assets/a2/commands/+/reply",
        "v1/devices/me/rpc/request/+",
        "sites/p1/assets/a2/commands",
      ),
    ).toEqual([128, 128, 128, 128, 1]);
    await insert("c1");
    await own.hear("publish");

    // On the other's topic, and on its own with the id of the other's command.
    publish(other, "sites/p1/assets/a1/commands/c1/reply", "{}", 1);
    publish(other, "sites/p1/assets/a2/commands/c1/reply", "{}", 2);
    await other.hear("puback", 2);

    expect(find("c1")).toMatchObject({ state: "sent", answer: undefined });
    expect(heardOf(other)).toEqual([]);
    expect(world.stats()).toMatchObject({ foreign: 1, command_answers_unasked: 1 });
  });

  it("commands over MQTT go out again on the next connection with the next attempt, where no receipt came", async () => {
    await open();
    const first = await logIn("a1");
    await subscribe(first, 1, "sites/+/assets/a1/commands");
    await insert("c1");
    await first.hear("publish");
    first.end();
    const second = await logIn("a1");
    await subscribe(second, 1, "sites/+/assets/a1/commands");

    const again = await second.hear("publish");
    expect(JSON.parse(again.payload.toString())).toMatchObject({ id: "c1", attempt: 2 });
    expect(find("c1")).toMatchObject({ state: "sent", attempt: 2 });
  });

  it("commands over MQTT wait where the device unsubscribes", async () => {
    await open();
    const client = await logIn("a1");
    await subscribe(client, 1, "sites/+/assets/a1/commands");
    client.send({
      cmd: "unsubscribe",
      messageId: 3,
      unsubscriptions: ["sites/+/assets/a1/commands"],
    });
    await client.hear("unsuback");
    await insert("c1");
    world.commands?.courier.wake("a1" as AssetId);
    client.send({ cmd: "pingreq" });
    await client.hear("pingresp");

    expect(heardOf(client)).toEqual([]);
    expect(find("c1")).toMatchObject({ state: "queued", attempt: 0 });
  });

  it("commands over MQTT end the session of a device whose answer cannot be stored, so that it says it again", async () => {
    await open();
    const client = await logIn("a1");
    await subscribe(client, 1, "sites/+/assets/a1/commands");
    await insert("c1");
    await client.hear("publish");
    records.away = true;
    publish(client, "sites/p1/assets/a1/commands/c1/reply", "{}");
    // Behind it, and let go with the session.
    publish(client, "sites/p1/assets/a1/telemetry", '{"speed_kmh":1}', 78);
    await client.closed();
    await until("nothing is held", () => world.stats()["held_bytes"] === 0, PATIENT_MS);

    expect(client.heard.some(({ cmd }) => cmd === "puback")).toBe(false);
    records.away = false;
    const again = await logIn("a1");
    publish(again, "sites/p1/assets/a1/commands/c1/reply", "{}");
    await again.hear("puback");
    expect(find("c1")).toMatchObject({ state: "answered" });
  });
});

describe("commands as ThingsBoard's RPC", () => {
  it("commands as ThingsBoard's RPC go to the request's topic and are answered on the response's", async () => {
    await open(entryOf("a1", "thingsboard"));
    const client = await logIn("a1");
    expect(await subscribe(client, 1, "v1/devices/me/rpc/request/+")).toEqual([1]);
    const { sequence } = await insert("c1", { name: "setGpio", parameters: { pin: 7 } });
    const request = await client.hear("publish");
    expect(request.topic).toBe(`v1/devices/me/rpc/request/${sequence}`);
    expect(JSON.parse(request.payload.toString())).toEqual({
      ...{ method: "setGpio", params: { pin: 7 }, id: "c1", attempt: 1 },
    });

    publish(client, `v1/devices/me/rpc/response/${sequence}`, '{"7":true}');
    await client.hear("puback");
    expect(find("c1")).toMatchObject({
      ...{ state: "answered", carrier: "thingsboard" },
      answer: { encoding: "json", value: { 7: true } },
    });
  });
});

describe("commands of Sparkplug", () => {
  const NODE = entryOf("a1", "sparkplug", "g/e");
  const DEVICE = entryOf("a2", "sparkplug", "g/e/d");

  it("commands of Sparkplug are written to the born edge node and its devices, and answered by the metric's new value", async () => {
    await open(NODE, DEVICE);
    const client = await logIn("a1");
    await subscribe(client, 1, "spBv1.0/g/NCMD/e", "spBv1.0/g/DCMD/e/+");
    await insert("c1", { name: "rate", parameters: 5 });
    await insert("c2", { name: "valve", parameters: 1, assetId: "a2" as AssetId });
    const say = (type: string, message: Parameters<typeof edgePayload>[0], id: number) =>
      publish(
        client,
        `spBv1.0/g/${type}/e${type.startsWith("D") ? "/d" : ""}`,
        edgePayload(message),
        id,
      );
    const commands = () => heardOf(client).filter(({ topic }) => topic.includes("CMD"));

    say("NBIRTH", { seq: 0, bdSeq: 0, metrics: [born(1, "rate", 2)] }, 11);
    await until("the edge node is commanded", () => commands().length === 1, PATIENT_MS);
    expect(find("c2")).toMatchObject({ state: "queued" });
    say("DBIRTH", { seq: 1, metrics: [born(2, "valve", 0)] }, 12);
    await until("the device is commanded", () => commands().length === 2, PATIENT_MS);
    expect(
      commands().map(({ topic, qos, payload }) => [topic, qos, readCommand(Buffer.from(payload))]),
    ).toEqual([
      ["spBv1.0/g/NCMD/e", 0, { uuid: "c1", name: "rate", value: 5, attempt: 1 }],
      ["spBv1.0/g/DCMD/e/d", 0, { uuid: "c2", name: "valve", value: 1, attempt: 1 }],
    ]);

    // A report that crossed the command in transit is not an answer.
    say("NDATA", { seq: 2, metrics: [byAlias(1, 2)] }, 13);
    await client.hear("puback", 3);
    expect(find("c1")).toMatchObject({ state: "sent" });
    say("NDATA", { seq: 3, metrics: [byAlias(1, 5)] }, 14);
    say("DDATA", { seq: 4, metrics: [byAlias(2, 1)] }, 15);
    await comesTo("c1", "answered");
    await comesTo("c2", "answered");
    expect(find("c1")).toMatchObject({ carrier: "sparkplug", answer: { value: 5 } });
  });

  it("commands of Sparkplug wait for a device that died", async () => {
    await open(NODE, DEVICE);
    const client = await logIn("a1");
    await subscribe(client, 1, "spBv1.0/g/NCMD/e", "spBv1.0/g/DCMD/e/#");
    publish(client, "spBv1.0/g/NBIRTH/e", edgePayload({ seq: 0, bdSeq: 0 }), 11);
    publish(
      client,
      "spBv1.0/g/DBIRTH/e/d",
      edgePayload({ seq: 1, metrics: [born(2, "valve")] }),
      12,
    );
    publish(client, "spBv1.0/g/DDEATH/e/d", edgePayload({ seq: 2 }), 13);
    await client.hear("puback", 3);
    await insert("c2", { name: "valve", parameters: 1, assetId: "a2" as AssetId });
    world.commands?.courier.wake("a2" as AssetId);
    client.send({ cmd: "pingreq" });
    await client.hear("pingresp");

    expect(find("c2")).toMatchObject({ state: "queued" });
  });
});
