/**
 * An edge node of Sparkplug B with one device behind it; each takes writes to its metric `rate` and reports the new
 * value. Arguments: PORT ASSET PASSWORD GROUP NODE DEVICE NODE_LOG DEVICE_LOG DIE_AT DIE_AFTER; points as in
 * paho_device.py, without `acknowledged`.
 */
import mqtt, { type MqttClient } from "mqtt";
import { encodeSparkplugPayload } from "../../../simulators/fleet/formats/sparkplug-payload.ts";
import { dieAt, openDeviceLog } from "./device-log.ts";
import { readCommand } from "./sparkplug-command.ts";

const [port, asset = "", password = "", group = "", node = "", device = ""] = process.argv.slice(2);
const [nodeFile = "", deviceFile = "", point = "never", after = "0"] = process.argv.slice(8);
const logs = { NCMD: openDeviceLog(nodeFile), DCMD: openDeviceLog(deviceFile) };
const rates = { NCMD: 0, DCMD: 0 };
const die = dieAt(point, Number(after));
const topic = (type: string, of?: string) =>
  ["spBv1.0", group, type, node, ...(of === undefined ? [] : [of])].join("/");
let received = 0;
let seq = 0;
let bdSeq = 0;

function publish(client: MqttClient, type: string, of: string | undefined, rate: number): void {
  const isBirth = type.endsWith("BIRTH");
  const bd = { name: "bdSeq", type: "Int64", value: bdSeq } as const;
  const rebirth = { name: "Node Control/Rebirth", type: "Boolean", value: false } as const;
  const metrics = [
    ...(type === "NBIRTH" ? [bd, rebirth] : []),
    { name: "rate", type: "Int32", value: rate } as const,
  ];
  if (type === "NBIRTH") seq = 0;
  const payload = encodeSparkplugPayload({ timestampMs: Date.now(), seq, metrics });
  seq = (seq + 1) % 256;
  client.publish(topic(type, of), payload, { qos: 0 }, () => {
    if (!isBirth) die("answered", received);
  });
}

function beBorn(client: MqttClient): void {
  publish(client, "NBIRTH", undefined, rates.NCMD);
  publish(client, "DBIRTH", device, rates.DCMD);
}

function open(): void {
  const bd = { name: "bdSeq", type: "Int64", value: bdSeq } as const;
  const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, {
    protocolVersion: 4,
    clientId: asset,
    username: asset,
    password,
    clean: true,
    keepalive: 30,
    reconnectPeriod: 0,
    will: {
      topic: topic("NDEATH"),
      payload: encodeSparkplugPayload({ metrics: [bd] }),
      qos: 0,
      retain: false,
    },
  });
  client.on("connect", () => {
    client.subscribe([topic("NCMD"), topic("DCMD", device)], { qos: 0 }, () => beBorn(client));
  });
  client.on("message", (from, payload) => {
    const type = from === topic("NCMD") ? "NCMD" : "DCMD";
    const command = readCommand(payload);
    if (command.name === "Node Control/Rebirth") {
      beBorn(client);
      return;
    }
    received += 1;
    die("received", received);
    logs[type].note({ got: command.uuid, attempt: command.attempt });
    die("logged", received);
    rates[type] = command.value;
    publish(
      client,
      type === "NCMD" ? "NDATA" : "DDATA",
      type === "NCMD" ? undefined : device,
      command.value,
    );
  });
  client.on("error", () => undefined);
  client.on("close", () => {
    client.end(true);
    bdSeq = (bdSeq + 1) % 256;
    setTimeout(open, 300);
  });
}

open();
