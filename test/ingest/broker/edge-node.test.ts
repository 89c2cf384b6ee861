import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AssetEntry } from "../../../ingest/directories/asset-directory.ts";
import { assetEntry } from "../../support/fixed-directory.ts";
import { type BrokerUnderTest, openBrokerUnderTest } from "../../support/open-broker.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { connectOf, type RawClient, rawClient } from "../../support/raw-mqtt.ts";
import { until } from "../../support/until.ts";
import { born, byAlias, type EdgeMessage, edgePayload } from "../sparkplug/edge-messages.ts";

const NOW = Date.UTC(2026, 10, 20, 12);

let world: BrokerUnderTest;
const clients: RawClient[] = [];

const edgeEntry = (hardware_id: string): AssetEntry => {
  const entry = assetEntry("a1");
  return { ...entry, asset: { ...entry.asset, decoder: "sparkplug", hardware_id } };
};

beforeEach(async () => {
  world = await openBrokerUnderTest({ now: () => NOW });
  world.directory.change("a1", edgeEntry("g/e"));
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.end();
  await world.close();
});

async function logIn(
  assetId = "a1",
  more: Parameters<typeof connectOf>[1] = {},
): Promise<RawClient> {
  const client = rawClient(world.broker.ports.mqtt);
  clients.push(client);
  client.send(connectOf(assetId, more));
  await client.hear("connack");
  return client;
}

/** What was granted of each filter: its QoS, 128 for none. */
async function subscribe(client: RawClient, ...filters: string[]) {
  const subscriptions = filters.map((topic) => ({ topic, qos: 1 as const }));
  client.send({ cmd: "subscribe", messageId: 1, subscriptions });
  return (await client.hear("suback")).granted;
}

const heardOf = ({ heard }: RawClient) =>
  heard.flatMap((packet) => (packet.cmd === "publish" ? [packet] : []));

/** Comes back when everything that was published before has reached the client. */
async function settle(client: RawClient): Promise<void> {
  client.send({ cmd: "pingreq" });
  await client.hear("pingresp");
}

describe("an edge node in the embedded broker", () => {
  it("an edge node in the embedded broker may subscribe to its own commands, those of its devices, and the state of hosts", async () => {
    const client = await logIn();
    const granted = await subscribe(
      client,
      ...["spBv1.0/g/NCMD/e", "spBv1.0/g/NCMD/e/#", "spBv1.0/g/DCMD/e/#", "spBv1.0/g/DCMD/e/pump"],
      ...["spBv1.0/STATE/scada", "spBv1.0/STATE/+", "STATE/plumbline", "sites/p1/assets/a1/cmd/#"],
    );
    expect(granted).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  });

  it("an edge node in the embedded broker may not subscribe to others' commands, nor to more than its own, nor to data", async () => {
    const filters = [
      "spBv1.0/g/NCMD/other/#",
      "spBv1.0/other/NCMD/e/#",
      "spBv1.0/+/NCMD/e/#",
      "spBv1.0/g/NCMD/+",
      "spBv1.0/g/+/e/#",
      "spBv1.0/g/#",
      "spBv1.0/#",
      "#",
      "spBv1.0/g/DDATA/e/pump",
    ];
    const granted = await subscribe(await logIn(), ...filters);
    expect(filters.filter((_, i) => granted[i] !== 128)).toEqual([]);
    expect(granted).toHaveLength(filters.length);
  });

  it("neither a van nor a device behind an edge node may subscribe to the edge node's commands", async () => {
    const filter = "spBv1.0/g/NCMD/e/#";
    expect(await subscribe(await logIn("a2"), filter, "spBv1.0/STATE/+")).toEqual([128, 128]);
    world.directory.change("a1", edgeEntry("g/e/pump"));
    expect(await subscribe(await logIn(), filter, "spBv1.0/STATE/+")).toEqual([128, 128]);
  });

  it("an edge node in the embedded broker hears at once that this host is there", async () => {
    const client = await logIn();
    await subscribe(client, "spBv1.0/STATE/plumbline", "STATE/plumbline");
    await client.hear("publish", 2);
    expect(
      heardOf(client).map(({ topic, payload, retain }) => [topic, String(payload), retain]),
    ).toEqual([
      ["spBv1.0/STATE/plumbline", `{"online":true,"timestamp":${NOW}}`, true],
      ["STATE/plumbline", "ONLINE", true],
    ]);
  });

  it("an edge node receives its commands at QoS 0 until it is registered under another name", async () => {
    const client = await logIn();
    await subscribe(client, "spBv1.0/g/NCMD/e/#");
    world.broker.command("spBv1.0/g/NCMD/e", Uint8Array.of(1, 2));
    world.broker.command("spBv1.0/g/NCMD/other", Uint8Array.of(3));
    const heard = await client.hear("publish");
    expect([heard.topic, heard.qos, heard.retain]).toEqual(["spBv1.0/g/NCMD/e", 0, false]);
    expect(heard.payload).toEqual(Buffer.of(1, 2));
    world.directory.change("a1", edgeEntry("g/elsewhere"));
    world.broker.command("spBv1.0/g/NCMD/e", Uint8Array.of(4));
    await settle(client);
    expect(heardOf(client)).toHaveLength(1);
    expect(world.stats()["commands_published"]).toBe(3);
  });

  it("an edge node in the embedded broker that takes its own session over is read by the births of the new one, whenever the old will comes", async () => {
    const pump = assetEntry("a2");
    const asset = { ...pump.asset, decoder: "sparkplug" as const, hardware_id: "g/e/pump" };
    world.directory.change("a2", { ...pump, asset });
    const willOf = (bdSeq: number) => ({
      ...{ topic: "spBv1.0/g/NDEATH/e", payload: edgePayload({ bdSeq }), retain: false },
      qos: 1 as const,
    });
    const live = (client: RawClient, bdSeq: number, alias: number, value: number): void => {
      const say = (topic: string, message: EdgeMessage) =>
        client.send({
          ...{ cmd: "publish", topic, payload: edgePayload(message), dup: false, retain: false },
          qos: 0,
        });
      say("spBv1.0/g/NBIRTH/e", { seq: 0, bdSeq });
      say("spBv1.0/g/DBIRTH/e/pump", {
        seq: 1,
        metrics: [born(alias, "flow", value), born(alias + 1, "level", 0)],
      });
      say("spBv1.0/g/DDATA/e/pump", { seq: 2, metrics: [byAlias(alias, value + 1)] });
    };
    const first = await logIn("a1", { will: willOf(1) });
    live(first, 1, 1, 10);
    await until("it is read", () => world.stats()["readings"] === 2, PATIENT_MS);
    const second = await logIn("a1", { will: willOf(2) });
    live(second, 2, 0, 20);
    await first.closed();
    await until("the new life is read", () => world.stats()["readings"] === 4, PATIENT_MS);
    const flows = (await world.entries()).flatMap((one) =>
      one.type === "readings" && one.batch.assetId === "a2"
        ? one.batch.readings.map(({ fields }) => fields["flow"])
        : [],
    );
    expect(flows).toEqual([10, 11, 20, 21]);
    expect(world.stats()).toMatchObject({ wills: 1, quarantined_unresolved: 0 });
  });

  it("an edge node in the embedded broker outlives the will of another connection of its, though both have the same bdSeq", async () => {
    const payload = edgePayload({ bdSeq: 0 });
    const will = { topic: "spBv1.0/g/NDEATH/e", payload, qos: 0 as const, retain: false };
    const say = (client: RawClient, type: string, message: EdgeMessage) =>
      client.send({
        ...{ cmd: "publish", topic: `spBv1.0/g/${type}/e`, payload: edgePayload(message) },
        ...{ qos: 0, dup: false, retain: false },
      });
    const birth = { seq: 0, bdSeq: 0, metrics: [born(1, "cpu", 10)] };
    const old = await logIn("a1", { clientId: "old", will });
    say(old, "NBIRTH", birth);
    await until("the old life is read", () => world.stats()["readings"] === 1, PATIENT_MS);
    const present = await logIn("a1", { clientId: "present", will });
    say(present, "NBIRTH", birth);
    await until("the present life is read", () => world.stats()["readings"] === 2, PATIENT_MS);
    old.end();
    await until("the will is there", () => world.stats()["wills"] === 1, PATIENT_MS);
    say(present, "NDATA", { seq: 1, metrics: [byAlias(1, 11)] });
    await until("the data is read", () => world.stats()["readings"] === 3, PATIENT_MS);
    present.end();
    await until("the death is recorded", () => world.stats()["notices"] === 2, PATIENT_MS);
    expect(world.stats()).toMatchObject({ sparkplug_stale_wills: 1, quarantined_unresolved: 0 });
  });

  it("an edge node in the embedded broker does not hear what other devices publish, on whatever topic", async () => {
    const client = await logIn();
    await subscribe(client, "spBv1.0/g/NCMD/e/#", "spBv1.0/STATE/+");
    await client.hear("publish");
    const other = await logIn("a2");
    for (const topic of ["spBv1.0/g/NCMD/e", "spBv1.0/STATE/plumbline"]) {
      other.send({ cmd: "publish", topic, payload: "x", qos: 0, dup: false, retain: true });
    }
    await until("both were refused", () => world.stats()["foreign"] === 2, PATIENT_MS);
    await settle(client);
    expect(heardOf(client)).toHaveLength(1);
  });
});
