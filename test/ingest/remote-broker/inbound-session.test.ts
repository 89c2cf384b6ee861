import mqtt, { type IPublishPacket, type Packet } from "mqtt-packet";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import { createIntake, type Intake } from "../../../ingest/intake/intake.ts";
import { createCounters } from "../../../ingest/intake/readings/counters.ts";
import { REMOTE_COUNTERS } from "../../../ingest/remote-broker/counters.ts";
import { InboundSession } from "../../../ingest/remote-broker/inbound-session.ts";
import { VendorTopicIndex } from "../../../ingest/remote-broker/vendor-topic-index.ts";
import {
  assetEntry,
  type FixedDirectory,
  fixedDirectory,
  PEPPER,
} from "../../support/fixed-directory.ts";
import { type ManualJournal, manualJournal } from "../../support/manual-journal.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { type ScriptedBroker, startScriptedBroker } from "../../support/scripted-broker.ts";
import { until } from "../../support/until.ts";
import { born, byAlias, type EdgeMessage, edgePayload } from "../sparkplug/edge-messages.ts";

const FILTER = "sites/p1/assets/+/+";

let broker: ScriptedBroker;
let journal: ManualJournal;
let directory: FixedDirectory;
let intake: Intake;
let session: InboundSession;
let counters: ReturnType<typeof createCounters<(typeof REMOTE_COUNTERS)[number]>>;
let mayConnect = true;

beforeEach(async () => {
  broker = await startScriptedBroker();
  journal = manualJournal();
  directory = fixedDirectory([assetEntry("a1"), assetEntry("a2")]);
  const vendorTopics = new VendorTopicIndex(directory);
  counters = createCounters(REMOTE_COUNTERS);
  mayConnect = true;
  intake = await createIntake({
    journal,
    directory,
    pepper: PEPPER,
    settings: { retentionDays: 90, deviceReadingsPerS: 1e6, deviceBurstReadings: 1e7 },
  });
  session = new InboundSession({
    address: {
      host: "127.0.0.1",
      port: broker.port,
      username: "plumbline",
      password: "secret",
      tls: undefined,
    },
    clientId: "plumbline-ingest-7",
    intake,
    directory,
    vendorTopics,
    journal,
    counters,
    mayConnect: () => mayConnect,
    now: Date.now,
    log: pino({ level: "silent" }),
    random: () => 0,
  });
  session.subscribe(new Set([FILTER]));
});

afterEach(async () => {
  // Nothing is committed any more that a session could wait for.
  await broker.close();
  journal.commit();
  await session.close();
  intake.close();
});

/** Registers an asset as one that runs the OwnTracks app. */
function tracked(id: string, hardware_id: string): void {
  const entry = assetEntry(id);
  directory.change(id, { ...entry, asset: { ...entry.asset, decoder: "owntracks", hardware_id } });
}

async function connect(): Promise<void> {
  session.start();
  await until("the session is ready", () => session.isReady, PATIENT_MS);
}

const publish = (
  messageId: number,
  extra: Partial<IPublishPacket> & { readonly asset?: string } = {},
): IPublishPacket => ({
  cmd: "publish",
  topic: `sites/p1/assets/${extra.asset ?? "a1"}/telemetry`,
  payload: JSON.stringify({ timestamp: Date.now(), number: messageId }),
  qos: 1,
  dup: false,
  retain: false,
  messageId,
  ...extra,
});

const received = (count: number): Promise<boolean> =>
  until(`${count} messages`, () => (intake.stats()["received"] ?? 0) >= count, PATIENT_MS);

const acknowledged = (): readonly (number | undefined)[] =>
  broker.heard.flatMap((packet) => (packet.cmd === "puback" ? [packet.messageId] : []));

const numbers = (): readonly unknown[] =>
  journal
    .entries()
    .flatMap((entry) => (entry.type === "readings" ? entry.batch.readings : []))
    .map(({ fields }) => fields["number"]);

describe("a session at an external broker", () => {
  it("a session at an external broker is a persistent one under the name it is given, subscribed with QoS 1", async () => {
    await connect();
    const [connected] = await broker.waitFor("connect");
    expect(connected).toMatchObject({
      clientId: "plumbline-ingest-7",
      clean: false,
      protocolVersion: 4,
      username: "plumbline",
    });
    const [subscribed] = await broker.waitFor("subscribe");
    expect(subscribed).toMatchObject({ subscriptions: [{ topic: FILTER, qos: 1 }] });
  });

  it("a session at an external broker acknowledges a message that came in single bytes, once it is durable and not before", async () => {
    await connect();
    const bytes = mqtt.generate(publish(258));
    for (const byte of bytes) await broker.sendBytes(Uint8Array.of(byte));
    await received(1);
    // A round trip later: a PUBACK would have been sent before.
    broker.send({ cmd: "pingresp" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(acknowledged()).toEqual([]);
    journal.commit();
    await broker.waitFor("puback");
    expect(acknowledged()).toEqual([258]);
    expect(numbers()).toEqual([258]);
  });

  it("a session at an external broker acknowledges many of one commit in the order they came, of several assets", async () => {
    await connect();
    broker.send(publish(5), publish(3, { asset: "a2" }), publish(9), publish(1, { asset: "a2" }));
    await received(4);
    journal.commit();
    await broker.waitFor("puback", 4);
    expect(acknowledged()).toEqual([5, 3, 9, 1]);
  });

  it("a session at an external broker keeps the order although one message waits for something else", async () => {
    await connect();
    // a3 is unknown: it is read first.
    broker.send(publish(1, { asset: "a3" }), publish(2));
    await received(1);
    journal.commit();
    expect(acknowledged()).toEqual([]);
    await until("the stranger is reported", () => counters.remote_unknown_asset === 1, PATIENT_MS);
    journal.commit();
    await broker.waitFor("puback", 2);
    expect(acknowledged()).toEqual([1, 2]);
    expect(journal.entries().map(({ type }) => type)).toEqual(["readings", "foreign"]);
  });

  it("a session at an external broker stores the message of an asset that was registered just now", async () => {
    await connect();
    const { refresh } = directory;
    directory.refresh = async () => {
      directory.change("a3", assetEntry("a3"));
      await refresh();
    };
    broker.send(publish(4, { asset: "a3" }));
    await received(1);
    journal.commit();
    await broker.waitFor("puback");
    expect(journal.entries()).toMatchObject([{ type: "readings", batch: { assetId: "a3" } }]);
    expect(counters.remote_unknown_asset).toBe(0);
  });

  it("a session at an external broker knows an asset by its vendor's topic as it is registered now, and its project from there", async () => {
    await connect();
    const location = (tst: number) =>
      JSON.stringify({ _type: "location", lat: 52.5, lon: 13.4, tst, tid: "a1" });
    const nowS = Math.floor(Date.now() / 1_000);
    const sent = (messageId: number, topic: string) =>
      broker.send(publish(messageId, { topic, payload: location(nowS + messageId) }));
    tracked("a1", "fred/pixel");
    sent(1, "owntracks/fred/pixel");
    sent(2, "owntracks/a1/phone");
    await received(2);
    // The session that is open already goes on under another name.
    tracked("a1", "anna/pixel");
    sent(3, "owntracks/anna/pixel");
    await received(3);
    journal.commit();
    await broker.waitFor("puback", 3);
    expect(acknowledged()).toEqual([1, 2, 3]);
    const entries = journal.entries();
    expect(entries.map((entry) => entry.type === "readings" && entry.batch)).toMatchObject(
      [1, 2, 3].map((id) => ({
        assetId: "a1",
        projectId: "p1",
        readings: [{ fixTimeMs: (nowS + id) * 1_000 }],
      })),
    );
    expect(intake.stats()).toMatchObject({ project_mismatch: 0, foreign: 0 });
  });

  it("a session at an external broker takes an event of OwnTracks one level below our topic as the asset's own", async () => {
    await connect();
    const event = { _type: "transition", event: "enter", desc: "Gate 3", tst: 1 };
    const topic = "sites/p1/assets/a1/owntracks/event";
    broker.send(publish(7, { topic, payload: JSON.stringify(event) }));
    await received(1);
    journal.commit();
    await broker.waitFor("puback");
    expect(journal.entries()).toMatchObject([
      { type: "readings", batch: { assetId: "a1" }, notices: [{ data: { desc: "Gate 3" } }] },
    ]);
    expect(counters.remote_unreadable_topic).toBe(0);
  });

  it("a session at an external broker records a topic that two assets claim for both, and gives it to neither", async () => {
    await connect();
    tracked("a1", "fred");
    tracked("a2", "fred/pixel");
    broker.send(publish(5, { topic: "owntracks/fred/pixel", payload: "{}" }), publish(6));
    await until("it is recorded", () => counters.remote_ambiguous === 1, PATIENT_MS);
    await received(1);
    journal.commit();
    await broker.waitFor("puback", 2);
    expect(acknowledged()).toEqual([5, 6]);
    expect(journal.entries()).toMatchObject([
      { type: "foreign", publish: { assetId: "a1", topic: "owntracks/fred/pixel" } },
      { type: "foreign", publish: { assetId: "a2", topic: "owntracks/fred/pixel" } },
      { type: "readings", batch: { assetId: "a1" } },
    ]);
  });

  it("the session acknowledges a vendor's topic that no asset claims any more, after one more read", async () => {
    await connect();
    const { refresh } = directory;
    let reads = 0;
    directory.refresh = async () => {
      reads += 1;
      if (reads === 2) tracked("a2", "late/phone");
      await refresh();
    };
    broker.send(publish(7, { topic: "owntracks/gone/phone" }));
    await broker.waitFor("puback");
    expect([reads, counters.remote_unknown_asset, journal.entries()]).toEqual([1, 1, []]);
    const payload = JSON.stringify({ _type: "waypoints", waypoints: [] });
    broker.send(publish(8, { topic: "owntracks/late/phone", payload }));
    await broker.waitFor("puback", 2);
    expect(intake.stats()).toMatchObject({ received: 1, messages_ignored: 1 });
    broker.send(publish(9, { topic: "$SYS/broker/uptime" }), publish(10, { topic: "sites/p1" }));
    await broker.waitFor("puback", 4);
    expect([reads, counters.remote_unreadable_topic]).toEqual([2, 2]);
  });

  it("a session at an external broker comes back after a cut and stores a message that is sent again once", async () => {
    await connect();
    const message = publish(11);
    broker.send(message);
    await received(1);
    journal.commit();
    await broker.waitFor("puback");
    broker.script.sessionPresent = true;
    broker.cut();
    await broker.waitFor("subscribe", 2);
    await until("ready again", () => session.isReady, PATIENT_MS);
    // Its PUBACK did not arrive.
    broker.send({ ...message, dup: true });
    await received(2);
    journal.commit();
    await broker.waitFor("puback", 2);
    expect(numbers()).toEqual([11]);
    expect(intake.stats()["dup_dropped"]).toBe(1);
    expect(counters).toMatchObject({ remote_connected: 2, remote_session_lost: 0 });
  });

  it("a session at an external broker acknowledges nothing on a connection that did not bring it", async () => {
    await connect();
    broker.send(publish(21));
    await received(1);
    broker.cut();
    await broker.waitFor("subscribe", 2);
    await until("ready again", () => session.isReady, PATIENT_MS);
    journal.commit();
    broker.send(publish(22));
    await received(2);
    journal.commit();
    await broker.waitFor("puback");
    expect(acknowledged()).toEqual([22]);
    expect(counters.remote_session_lost).toBe(1);
  });

  it("a session at an external broker reads an edge node's devices by their births, and none by those of an earlier connection", async () => {
    for (const [id, hardware_id] of [
      ["a1", "g/e"],
      ["a2", "g/e/pump"],
    ] as const) {
      const entry = assetEntry(id);
      const asset = { ...entry.asset, decoder: "sparkplug" as const, hardware_id };
      directory.change(id, { ...entry, asset });
    }
    const said = (messageId: number, type: string, message: EdgeMessage): IPublishPacket =>
      publish(messageId, {
        topic: type.startsWith("N") ? `spBv1.0/g/${type}/e` : `spBv1.0/g/${type}/e/pump`,
        payload: edgePayload(message),
      });
    await connect();
    broker.send(
      said(1, "NBIRTH", { seq: 0, bdSeq: 1 }),
      said(2, "DBIRTH", { seq: 1, metrics: [born(7, "number", 1)] }),
      said(3, "DDATA", { seq: 2, metrics: [byAlias(7, 2)] }),
    );
    await received(3);
    journal.commit();
    await broker.waitFor("puback", 3);
    broker.cut();
    await broker.waitFor("subscribe", 2);
    // What came meanwhile at QoS 0 is gone, perhaps a birth that gave the alias to another metric.
    broker.send(said(4, "DDATA", { seq: 3, metrics: [byAlias(7, 3)] }));
    await received(4);
    journal.commit();
    expect(numbers().filter((number) => number !== undefined)).toEqual([1, 2]);
    expect(intake.stats()).toMatchObject({
      quarantined_unresolved: 1,
      sparkplug_rebirths_requested: 1,
    });
  });

  it("a session at an external broker names the filters that the broker refuses, and has the others", async () => {
    const refused = "sites/p2/assets/+/+";
    broker.script.granted = (filter) => (filter === refused ? 0x80 : 1);
    session.subscribe(new Set([FILTER, refused]));
    session.start();
    await until("one is refused", () => session.refusedFilters.length > 0, PATIENT_MS);
    expect(session.refusedFilters).toEqual([refused]);
    expect(session.isReady).toBe(false);
    broker.send(publish(1));
    await received(1);
  });

  it("a session at an external broker subscribes to new projects and leaves old ones", async () => {
    await connect();
    const next = "sites/p9/assets/+/+";
    session.subscribe(new Set([next]));
    const asked = await broker.waitFor("subscribe", 2);
    expect(asked[1]).toMatchObject({ subscriptions: [{ topic: next }] });
    const [left] = await broker.waitFor("unsubscribe");
    expect(left).toMatchObject({ unsubscriptions: [FILTER] });
  });

  it("a session at an external broker tries again when it is refused, and does not connect while it must not", async () => {
    broker.script.returnCode = 3;
    session.start();
    await broker.waitFor("connect", 2);
    mayConnect = false;
    broker.script.returnCode = 0;
    const before = broker.connections;
    await until("the last attempt is over", () => broker.heard.length >= 2, PATIENT_MS);
    expect(session.isReady).toBe(false);
    expect(broker.connections - before).toBeLessThanOrEqual(1);
    mayConnect = true;
    await until("the session is ready", () => session.isReady, PATIENT_MS);
  });

  it("a session at an external broker ends a connection that delivers QoS 2, and takes no message that was kept for subscribers", async () => {
    await connect();
    broker.send(publish(1, { retain: true }));
    await broker.waitFor("puback");
    expect(counters.remote_retained).toBe(1);
    broker.send(publish(2, { qos: 2 }));
    await broker.waitFor("connect", 2);
    expect(intake.stats()["received"]).toBe(0);
  });

  it("a session at an external broker reads no further while 4 MiB are not durable, and loses none of them", async () => {
    await connect();
    const filler = "x".repeat(60_000);
    const total = 140;
    const packets: Packet[] = Array.from({ length: total }, (_, i) =>
      publish(i + 1, {
        payload: JSON.stringify({ timestamp: Date.now() + i, number: i + 1, filler }),
      }),
    );
    broker.send(...packets);
    await until(
      "it stops",
      () => (intake.stats()["received_bytes"] ?? 0) > 4 * 1024 ** 2,
      PATIENT_MS,
    );
    const atStop = intake.stats()["received_bytes"] ?? 0;
    // One chunk of the socket may come on top.
    expect(atStop).toBeLessThan(4 * 1024 ** 2 + 200_000);
    await until(
      "all are acknowledged",
      () => {
        journal.commit();
        return acknowledged().length === total;
      },
      PATIENT_MS,
    );
    expect(acknowledged()).toEqual(Array.from({ length: total }, (_, i) => i + 1));
    expect(new Set(numbers()).size).toBe(total);
  });

  it("a session at an external broker waits for what it has read before it says goodbye, and leaves the rest to the next", async () => {
    await connect();
    broker.send(publish(31), publish(32));
    await received(2);
    const closing = session.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(broker.heard.some(({ cmd }) => cmd === "disconnect")).toBe(false);
    journal.commit();
    await closing;
    await broker.waitFor("disconnect");
    expect(acknowledged()).toEqual([31, 32]);
  });

  it("a session at an external broker gives a connection up when the asset goes while its message waits", async () => {
    await connect();
    journal.become("full");
    broker.send(publish(41));
    await received(1);
    directory.change("a1" as AssetId, undefined);
    journal.become("open");
    await broker.waitFor("connect", 2);
    expect(acknowledged()).toEqual([]);
  });
});
