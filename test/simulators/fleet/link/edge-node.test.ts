import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { Aedes } from "aedes";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  readSparkplugPayload,
  type SparkplugMetric,
} from "../../../../ingest/decoders/sparkplug/payload.ts";
import type { Message } from "../../../../simulators/fleet/device/message.ts";
import { encodeSparkplugPayload } from "../../../../simulators/fleet/formats/sparkplug-payload.ts";
import type { DeviceLink } from "../../../../simulators/fleet/link/device-link.ts";
import { EdgeNode } from "../../../../simulators/fleet/link/edge-node.ts";
import { type LinkLog, listenToLink, soon } from "./link-scene.ts";

const T = Date.UTC(2026, 10, 20, 12);

interface Said {
  /** Of the topic: what kind of message, and of which device. */
  readonly type: string;
  readonly device: string | undefined;
  readonly seq: number | undefined;
  readonly metrics: readonly SparkplugMetric[];
}

let broker: Aedes;
let server: Server;
let sockets: Set<Socket>;
let said: Said[];
/** Whether the broker keeps acknowledgements back. */
let isHolding: boolean;
let links: DeviceLink[];

beforeEach(async () => {
  said = [];
  sockets = new Set();
  links = [];
  isHolding = false;
  broker = await Aedes.createBroker({
    authorizePublish: (_client, { topic, payload }, done) => {
      const [, group, type = "", edgeNode, device] = topic.split("/");
      if (group === "site" && edgeNode === "edge-1") {
        const { seq, metrics } = readSparkplugPayload(Buffer.from(payload));
        said.push({ type, device, seq, metrics });
      }
      if (!isHolding) done(null);
    },
  });
  server = createServer((socket) => {
    sockets.add(socket);
    broker.handle(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  isHolding = false;
  cut();
  await Promise.all(links.map((link) => link.close()));
  cut();
  await new Promise<void>((resolve) => broker.close(resolve));
  await new Promise((resolve) => server.close(resolve));
});

/** Ends every connection as a broken network does. */
function cut(): void {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
}

/** An edge node with devices of these ids. */
function open(...ids: string[]): readonly { readonly link: DeviceLink; readonly log: LinkLog }[] {
  const { port } = server.address() as AddressInfo;
  const node = new EdgeNode({
    url: `mqtt://127.0.0.1:${port}`,
    credentials: { username: "edge", password: "", topic: "" },
    ...{ group: "site", edgeNode: "edge-1", retryMs: 50, onRefused: () => undefined },
  });
  return ids.map((id) => {
    const log = listenToLink(1_000);
    const link = node.openDevice(id, log.options);
    links.push(link);
    return { link, log };
  });
}

/** A message of one reading whose engine has run for `seconds`, `i` seconds after T. */
function engine(i: number, treatment: Message["treatment"] = "live"): Message {
  const payload = JSON.stringify({ timeMs: T + i * 1_000, values: [true, i] });
  return { treatment, seqs: [i], topicFormat: "sparkplug", payload };
}

const names = () =>
  said.map(({ type, device }) => (device === undefined ? type : `${type} ${device}`));
const bdSeqOf = ({ metrics }: Said) => metrics.find(({ name }) => name === "bdSeq")?.value;
/** Engine seconds in DATA of a device, with their time and whether they are marked historical. */
const hours = (device: string) => {
  const birth = said.find((one) => one.type === "DBIRTH" && one.device === device);
  const alias = birth?.metrics.find(({ name }) => name === "Engine/Hours")?.alias;
  return said
    .filter((one) => one.type === "DDATA" && one.device === device)
    .flatMap(({ metrics }) => metrics.filter((metric) => metric.alias === alias))
    .map(({ value, timestampMs, isHistorical }) => [
      Number(value),
      ((timestampMs ?? 0) - T) / 1_000,
      isHistorical,
    ]);
};

it("an edge node sends its birth with seq 0, then each device's with aliases of its own, then data by alias", async () => {
  const [first, second] = open("a", "b");
  first?.link.send(engine(1));
  second?.link.send(engine(2));
  await soon(() => second?.log.acknowledged.length === 1);

  expect(names()).toEqual(["NBIRTH", "DBIRTH a", "DDATA a", "DBIRTH b", "DDATA b"]);
  expect(said.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4]);
  const [nodeBirth, birthOfA, dataOfA, birthOfB] = said;
  expect(nodeBirth?.metrics).toMatchObject([
    { name: "bdSeq", value: 0 },
    { name: "Node Control/Rebirth", value: false },
  ]);
  const aliases = [birthOfA, birthOfB].flatMap((birth) => birth?.metrics.map(({ alias }) => alias));
  expect(new Set(aliases).size).toBe(28);
  expect(birthOfA?.metrics.every(({ isNull }) => isNull)).toBe(true);
  expect(birthOfA?.metrics[1]).toMatchObject({ name: "Engine/Hours", unit: "s" });
  expect(dataOfA?.metrics.map(({ name, alias }) => [name, alias])).toEqual([
    [undefined, birthOfA?.metrics[0]?.alias],
    [undefined, birthOfA?.metrics[1]?.alias],
  ]);
  expect([hours("a"), hours("b")]).toEqual([[[1, 1, false]], [[2, 2, false]]]);
});

it("a simulated edge node counts seq from 0 to 255 and begins again", async () => {
  const [device] = open("a");
  for (let i = 0; i < 300; i += 1) device?.link.send(engine(i));
  await soon(() => device?.log.acknowledged.length === 300);

  expect(said).toHaveLength(302);
  expect(said.map(({ seq }) => seq)).toEqual(said.map((_, i) => i % 256));
});

it("a simulated edge node answers a rebirth command with fresh births of the same life, which have what was said last", async () => {
  const [device] = open("a");
  device?.link.send(engine(7));
  await soon(() => device?.log.acknowledged.length === 1);
  const metric = { name: "Node Control/Rebirth", type: "Boolean", timestampMs: T } as const;
  const command = (value: boolean) =>
    broker.publish(
      {
        ...{ cmd: "publish", dup: false, retain: false, qos: 0, topic: "spBv1.0/site/NCMD/edge-1" },
        payload: encodeSparkplugPayload({ timestampMs: T, metrics: [{ ...metric, value }] }),
      },
      () => undefined,
    );
  command(false);
  command(true);
  await soon(() => said.length === 5);
  device?.link.send(engine(8));
  await soon(() => device?.log.acknowledged.length === 2);

  expect(names().slice(3)).toEqual(["NBIRTH", "DBIRTH a", "DDATA a"]);
  expect(said.slice(3).map(({ seq }) => seq)).toEqual([0, 1, 2]);
  expect(said.filter(({ type }) => type === "NBIRTH").map(bdSeqOf)).toEqual([0, 0]);
  const born = said[4]?.metrics.find(({ name }) => name === "Engine/Hours");
  expect([Number(born?.value), born?.timestampMs]).toEqual([7, T + 7_000]);
});

it("a simulated edge node leaves its will when the connection breaks, is born with the next bdSeq, and says again what had no answer", async () => {
  const [device] = open("a");
  await soon(() => said.length === 2);
  isHolding = true;
  device?.link.send(engine(1));
  device?.link.send(engine(2));
  await soon(() => said.length === 4);
  isHolding = false;
  said.length = 0;
  cut();
  await soon(() => device?.log.acknowledged.length === 2);

  // The broker publishes the will when it sees the end of the connection, before or after the new one.
  const [death] = said.filter(({ type }) => type === "NDEATH");
  expect(death && bdSeqOf(death)).toBe(0);
  const alive = said.filter(({ type }) => type !== "NDEATH");
  expect(alive.map(({ type }) => type)).toEqual(["NBIRTH", "DBIRTH", "DDATA", "DDATA"]);
  expect(alive.map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
  expect(alive[0] && bdSeqOf(alive[0])).toBe(1);
  expect(hours("a")).toEqual([
    [1, 1, false],
    [2, 2, false],
  ]);
  expect(device?.log.sent).toHaveLength(2);
});

it("an edge node reports that a device is gone and back, and sends what it stored meanwhile as historical", async () => {
  const [device] = open("a");
  await soon(() => said.length === 2);
  device?.link.setNetwork(false);
  expect(device?.link.isConnected).toBe(false);
  device?.link.send(engine(1, "backlog"));
  device?.link.setNetwork(true);
  device?.link.send(engine(2));
  await soon(() => device?.log.acknowledged.length === 2);
  await device?.link.close();
  await soon(() => said.length === 7);

  expect(names()).toEqual([
    ...["NBIRTH", "DBIRTH a", "DDEATH a", "DBIRTH a", "DDATA a", "DDATA a", "NDEATH"],
  ]);
  expect(hours("a")).toEqual([
    [1, 1, true],
    [2, 2, false],
  ]);
});
