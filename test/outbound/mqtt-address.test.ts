import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createAddressRules } from "../../outbound/address-rules.ts";
import { failureOf, OutboundError } from "../../outbound/failure.ts";
import { createMqttSockets, MQTT_PORTS, readMqttTarget } from "../../outbound/mqtt-address.ts";
import type { ResolveHost } from "../../outbound/resolve-host.ts";

const NAMES: Readonly<Record<string, readonly string[]>> = {
  "public.example": ["8.8.8.8"],
  "mixed.example": ["8.8.8.8", "127.0.0.1"],
  "inside.example": ["127.0.0.1"],
};
const resolve: ResolveHost = async (host) => {
  const addresses = NAMES[host];
  if (addresses === undefined) throw new OutboundError("host not found");
  return addresses;
};
const socketsOf = (cidrs: readonly string[] = []) =>
  createMqttSockets({ rules: createAddressRules(cidrs, MQTT_PORTS), resolve });

let connections: number;
let port: number;
const server = createServer((socket) => {
  connections += 1;
  socket.on("error", () => undefined);
});
const opened: Socket[] = [];

beforeEach(async () => {
  connections = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
});

afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  server.close();
  await once(server, "close");
});

it.each([
  ["mqtt://broker.example", { host: "broker.example", port: 1883, isTls: false }],
  ["mqtts://broker.example", { host: "broker.example", port: 8883, isTls: true }],
  ["mqtt://[2001:db8::1]:1884/", { host: "2001:db8::1", port: 1884, isTls: false }],
  // As the system would read them.
  ["mqtt://127.1", { host: "127.0.0.1", port: 1883, isTls: false }],
  ["mqtt://0x7f000001:1", { host: "127.0.0.1", port: 1, isTls: false }],
])("a broker's address is read: %s", (url, target) => {
  expect(readMqttTarget(url)).toEqual(target);
});

it.each([
  "http://broker.example",
  "broker.example:1883",
  "mqtt://",
  "mqtt:broker.example",
  "mqtt://broker.example:0",
  "mqtt://broker.example:99999",
  "mqtt://broker.example/path",
  "mqtt://broker.example?x",
  "mqtt://broker.example#x",
  "mqtt://user:pass@broker.example",
  "mqtt://a%20b",
  `mqtt://${"a".repeat(2_048)}`,
])("a broker's address is refused: %s", (url) => {
  expect(readMqttTarget(url)).toHaveProperty("refusal");
});

it("a broker's address is checked by port and addresses, also those behind names, before it is used", async () => {
  const { check } = socketsOf(["10.1.0.0/16"]);
  const refusals = await Promise.all(
    [
      "mqtt://public.example",
      "mqtts://8.8.8.8:8883",
      "mqtt://10.1.2.3:19999",
      "mqtt://unknown.example",
      "mqtt://public.example:25",
      "mqtt://mixed.example",
      "mqtt://inside.example",
      "mqtt://127.0.0.1",
      "mqtt://[::1]:1883",
      "http://public.example",
    ].map(check),
  );
  expect(refusals.map((refusal) => refusal === undefined)).toEqual([
    ...[true, true, true, true],
    ...[false, false, false, false, false, false],
  ]);
});

it.each([
  ["127.0.0.1", false],
  ["inside.example", false],
  ["mixed.example", true],
])("no connection is opened to the broker's address %s", async (host, isTls) => {
  const socket = socketsOf().open({ host, port, isTls }, () => undefined);
  opened.push(socket);
  const [error] = await once(socket, "error");
  expect(failureOf(error)).toBe("blocked");
  expect(connections).toBe(0);
});

it("a connection is opened to a broker's address where the rules allow it", async () => {
  const taken = once(server, "connection");
  await new Promise<void>((resolveReady) => {
    const target = { host: "inside.example", port, isTls: false };
    opened.push(socketsOf(["127.0.0.0/8"]).open(target, resolveReady));
  });
  await taken;
  expect(connections).toBe(1);
});
