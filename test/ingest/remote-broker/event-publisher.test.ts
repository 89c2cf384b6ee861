import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createCounters } from "../../../ingest/intake/counters.ts";
import { REMOTE_COUNTERS } from "../../../ingest/remote-broker/counters.ts";
import { EventPublisher } from "../../../ingest/remote-broker/event-publisher.ts";
import { type ScriptedBroker, startScriptedBroker } from "../../support/scripted-broker.ts";

let broker: ScriptedBroker;
let publisher: EventPublisher;
const counters = createCounters(REMOTE_COUNTERS);

beforeEach(async () => {
  broker = await startScriptedBroker();
  publisher = new EventPublisher({
    address: {
      host: "127.0.0.1",
      port: broker.port,
      username: undefined,
      password: undefined,
      tls: undefined,
    },
    nodeId: "n1",
    counters,
    log: pino({ level: "silent" }),
  });
});

afterEach(async () => {
  publisher.close();
  await broker.close();
});

const payloads = (): readonly string[] =>
  broker.heard.flatMap((packet) => (packet.cmd === "publish" ? [String(packet.payload)] : []));

it("publishes with QoS 1 what came before and after it was connected, in order", async () => {
  publisher.publish("sites/p1/events/x", "first");
  publisher.start();
  const [sent] = await broker.waitFor("publish");
  expect(sent).toMatchObject({ topic: "sites/p1/events/x", qos: 1, retain: false, dup: false });
  publisher.publish("sites/p1/events/x", "second");
  await broker.waitFor("publish", 2);
  expect(payloads()).toEqual(["first", "second"]);
  expect(broker.heard[0]).toMatchObject({ clientId: "plumbline-events-n1", clean: true });
});

it("publishes again what was not acknowledged when the connection was lost", async () => {
  publisher.start();
  await broker.waitFor("connect");
  publisher.publish("t", "kept");
  publisher.publish("t", "sent");
  const [, acknowledged] = await broker.waitFor("publish", 2);
  broker.send({
    cmd: "puback",
    messageId: acknowledged?.cmd === "publish" ? (acknowledged.messageId ?? 0) : 0,
  });
  // The PUBACK is read before the cut: a packet after it has been answered.
  publisher.publish("t", "third");
  await broker.waitFor("publish", 3);
  broker.cut();
  await broker.waitFor("publish", 5);
  expect(payloads().slice(3)).toEqual(["kept", "third"]);
});

it("drops the oldest events while the broker is away for long, and counts them", () => {
  for (let i = 0; i < 10_003; i += 1) publisher.publish("t", String(i));
  expect(counters.remote_events_dropped).toBe(3);
});

it("sends a command at QoS 0 when it is connected, and never later", async () => {
  publisher.command("spBv1.0/g/NCMD/e", Uint8Array.of(1));
  publisher.start();
  await broker.waitFor("connect");
  publisher.publish("t", "event");
  await broker.waitFor("publish");
  publisher.command("spBv1.0/g/NCMD/e", Uint8Array.of(2));
  const [, sent] = await broker.waitFor("publish", 2);
  expect(sent).toMatchObject({ topic: "spBv1.0/g/NCMD/e", qos: 0, payload: Buffer.of(2) });
});
