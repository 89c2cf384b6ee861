import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type EventFeed, startEventFeed } from "../../../ingest/delivery/event-feed.ts";
import { startReaderPlaces } from "../../../ingest/delivery/reader-places.ts";
import { EventPublisher } from "../../../ingest/remote-broker/event-publisher.ts";
import { type MemoryRecords, openMemoryRecords } from "../../support/memory-records.ts";
import { newEvent } from "../../support/new-event.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { type ScriptedBroker, startScriptedBroker } from "../../support/scripted-broker.ts";
import { until } from "../../support/until.ts";

const log = pino({ level: "silent" });
let records: MemoryRecords;
let feed: EventFeed;
let broker: ScriptedBroker;
let publisher: EventPublisher;
let acknowledgements = 0;

beforeEach(async () => {
  records = openMemoryRecords();
  feed = await startEventFeed({ records: records.events, pollMs: 5, log });
  broker = await startScriptedBroker();
  acknowledgements = 0;
  publisher = open();
});

afterEach(async () => {
  publisher.close();
  await feed.stop();
  await broker.close();
});

function open(): EventPublisher {
  const { port } = broker;
  const address = {
    host: "127.0.0.1",
    port,
    username: undefined,
    password: undefined,
    tls: undefined,
  };
  return new EventPublisher({ address, name: "n1", log });
}

const begin = (from: number) =>
  publisher.begin({
    from,
    feed,
    events: records.events,
    onAcknowledged: () => {
      acknowledgements += 1;
    },
    onError: () => undefined,
  });
const raise = (...ids: readonly string[]) => records.events.append(ids.map((id) => newEvent(id)));

/** Events in the order in which the broker heard of them, by id. */
const published = (): readonly string[] =>
  broker.heard.flatMap((packet) =>
    packet.cmd === "publish" ? [JSON.parse(String(packet.payload)).id] : [],
  );
const packetIds = () =>
  broker.heard.flatMap((packet) => (packet.cmd === "publish" ? [packet.messageId ?? 0] : []));
const acknowledge = (messageId: number) => broker.send({ cmd: "puback", messageId });

it("the publisher of events publishes with QoS 1, in order, what is behind its place, what was recorded before the start too", async () => {
  await raise("before", "e1");
  begin(1);
  publisher.start();
  const [sent] = await broker.waitFor("publish");
  const topic = "sites/p1/events/equipment.geofence.entered";
  expect(sent).toMatchObject({ topic, qos: 1, retain: false, dup: false });
  await raise("e2");
  await broker.waitFor("publish", 2);
  expect(published()).toEqual(["e1", "e2"]);
  expect(broker.heard[0]).toMatchObject({ clientId: "plumbline-events-n1", clean: true });
});

it("the publisher of events has its place before the first event without PUBACK, and behind events of no project", async () => {
  await raise("e1", "e2");
  await records.events.append([newEvent("e3", { projectId: undefined })]);
  const courier = begin(0);
  publisher.start();
  await broker.waitFor("publish", 2);
  expect(courier.place).toBe(0);
  acknowledge(packetIds()[1] ?? 0);
  await until("the second is acknowledged", () => acknowledgements === 1, PATIENT_MS);
  expect(courier.place).toBe(0);
  acknowledge(packetIds()[0] ?? 0);
  await until("the first is acknowledged", () => courier.place === 3, PATIENT_MS);
});

it("the publisher of events publishes again what was not acknowledged when the connection was lost", async () => {
  begin(0);
  publisher.start();
  await broker.waitFor("connect");
  await raise("kept", "sent");
  await broker.waitFor("publish", 2);
  acknowledge(packetIds()[1] ?? 0);
  await until("the acknowledgement", () => acknowledgements === 1, PATIENT_MS);
  broker.cut();
  await raise("third");
  await broker.waitFor("publish", 4);
  expect(published().slice(2)).toEqual(["kept", "third"]);
});

it("the publisher of events loses nothing while the broker is away for long: the outbox holds what is not published", async () => {
  await raise(...Array.from({ length: 3_500 }, (_, i) => `e${i}`));
  const courier = begin(0);
  await until("the feed", () => feed.lastSequence === 3_500, PATIENT_MS);
  expect(courier.place).toBe(0);
  publisher.start();
  let acknowledged = 0;
  await until(
    "all events are published and acknowledged",
    () => {
      for (const id of packetIds().slice(acknowledged)) acknowledge(id);
      acknowledged = packetIds().length;
      return courier.place === 3_500;
    },
    PATIENT_MS,
  );
  expect(published()).toEqual(Array.from({ length: 3_500 }, (_, i) => `e${i}`));
});

it("the publisher of events goes on from the stored place after an end, whichever node publishes then", async () => {
  const { eventReaders } = records;
  await raise("old");
  const { sequence } = await eventReaders.open("mqtt-broker", 0);
  const places = startReaderPlaces({ records: eventReaders, now: () => 0, log, everyMs: 5 });
  const courier = begin(sequence);
  const reader = {
    id: "mqtt-broker",
    get place() {
      return courier.place;
    },
  };
  places.add(reader);
  publisher.start();
  await raise("e1", "e2");
  await broker.waitFor("publish", 2);
  acknowledge(packetIds()[0] ?? 0);
  await until("the acknowledgement", () => courier.place === 2, PATIENT_MS);
  publisher.end();
  await places.stop();
  await raise("e3");
  begin((await eventReaders.open("mqtt-broker", 0)).sequence);
  await broker.waitFor("publish", 4);
  expect(published()).toEqual(["e1", "e2", "e2", "e3"]);
});

it("the publisher of events sends a command at QoS 0 when it is connected, and never later", async () => {
  publisher.command("spBv1.0/g/NCMD/e", Uint8Array.of(1));
  publisher.start();
  await broker.waitFor("connect");
  begin(0);
  await raise("event");
  await broker.waitFor("publish");
  publisher.command("spBv1.0/g/NCMD/e", Uint8Array.of(2));
  const [, sent] = await broker.waitFor("publish", 2);
  expect(sent).toMatchObject({ topic: "spBv1.0/g/NCMD/e", qos: 0, payload: Buffer.of(2) });
});
