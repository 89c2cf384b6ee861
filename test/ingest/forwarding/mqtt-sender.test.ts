import { afterEach, beforeEach, expect, it } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import { MqttSender } from "../../../ingest/forwarding/mqtt-sender.ts";
import type { Sender } from "../../../ingest/forwarding/sender.ts";
import { createAddressRules } from "../../../outbound/address-rules.ts";
import { createMqttSockets } from "../../../outbound/mqtt-address.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { type ScriptedBroker, startScriptedBroker } from "../../support/scripted-broker.ts";
import { until } from "../../support/until.ts";

let broker: ScriptedBroker;
let sender: Sender;
let troubles: string[];
let settled: string[];

beforeEach(async () => {
  broker = await startScriptedBroker();
  troubles = [];
  settled = [];
});

afterEach(async () => {
  await sender.stop();
  await broker.close();
});

function start(pubackMs = 30_000): void {
  sender = new MqttSender({
    target: { host: "127.0.0.1", port: broker.port, isTls: false },
    login: { username: "forwarder", password: "secret" },
    clientId: "plumbline-fwd_1-abc",
    sockets: createMqttSockets({
      rules: createAddressRules(["127.0.0.0/8"]),
      resolve: async () => [],
    }),
    onTrouble: (reason) => troubles.push(reason),
    pubackMs,
    stopMs: 20,
  });
}

function add(...bodies: readonly string[]): void {
  for (const body of bodies) {
    const message = { assetId: "a1" as AssetId, topic: "yard/a1", body };
    sender.add({ message, settle: (end) => settled.push(`${body}: ${String(end)}`) });
  }
}

const published = () =>
  broker.heard.flatMap((packet) => (packet.cmd === "publish" ? [packet] : []));
const payloads = () => published().map(({ payload }) => String(payload));
const acknowledge = (place: number) =>
  broker.send({ cmd: "puback", messageId: published()[place]?.messageId ?? 0 });

it("the MQTT sender logs in and publishes with QoS 1, in order, settling each by its PUBACK", async () => {
  start();
  add("1", "2");
  await broker.waitFor("publish", 2);
  expect(broker.heard[0]).toMatchObject({
    clientId: "plumbline-fwd_1-abc",
    clean: true,
    username: "forwarder",
    password: Buffer.from("secret"),
  });
  expect(published()).toMatchObject([
    { topic: "yard/a1", qos: 1, retain: false },
    { topic: "yard/a1", qos: 1 },
  ]);
  expect(settled).toEqual([]);
  acknowledge(1);
  await until("the second", () => settled.length === 1, PATIENT_MS);
  acknowledge(0);
  await until("the first", () => settled.length === 2, PATIENT_MS);
  expect(settled).toEqual(["2: sent", "1: sent"]);
  expect(sender.pending).toBe(0);
});

it("the MQTT sender publishes again, in order and before anything newer, what was lost with the connection", async () => {
  start();
  add("1", "2", "3");
  await broker.waitFor("publish", 3);
  acknowledge(0);
  await until("the first", () => settled.length === 1, PATIENT_MS);
  broker.cut();
  add("4");
  await broker.waitFor("publish", 6);
  expect(payloads()).toEqual(["1", "2", "3", "2", "3", "4"]);
  expect(troubles).toEqual(["closed by the broker"]);
});

it("the MQTT sender has 256 messages without PUBACK at most", async () => {
  start();
  add(...Array.from({ length: 300 }, (_, i) => String(i)));
  await broker.waitFor("publish", 256);
  acknowledge(0);
  await broker.waitFor("publish", 257);
  await until("settled", () => settled.length === 1, PATIENT_MS);
  expect(payloads()).toHaveLength(257);
  expect(sender.pending).toBe(299);
  broker.cut();
  await broker.waitFor("publish", 257 + 256);
  // Those in flight first: what waits is behind them.
  expect(payloads().slice(257)).toEqual(Array.from({ length: 256 }, (_, i) => String(i + 1)));
});

it("the MQTT sender reports that its log-in is refused and reconnects by itself", async () => {
  broker.script.returnCode = 5;
  start();
  add("1");
  await until("refused", () => troubles.length === 1, PATIENT_MS);
  expect(troubles).toEqual(["refused with CONNACK code 5"]);
  broker.script.returnCode = 0;
  await broker.waitFor("publish");
  expect(payloads()).toEqual(["1"]);
});

it("the MQTT sender gives up a broker that acknowledges nothing, and tries it again", async () => {
  start(20);
  add("1");
  await broker.waitFor("publish", 2);
  expect(payloads()).toEqual(["1", "1"]);
  expect(troubles[0]).toBe("the broker acknowledges nothing");
});
