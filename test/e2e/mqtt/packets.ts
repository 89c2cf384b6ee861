import { readdir, readFile, readlink } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { inspectHeap } from "../../support/inspected-heap.ts";
import { type MutatedDevice, mutatedStream } from "../../support/packet-mutations.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { connectOf, publishOf, rawClient } from "../../support/raw-mqtt.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { type DeviceAccess, mqttCount } from "../../support/site.ts";
import { until } from "../../support/until.ts";
import type { Check, MqttWorld } from "./world.ts";

/** Connections at a time. */
const LANES = 64;
/** Time for the service to close a connection whose client is done, ms. */
const CLOSED_WITHIN_MS = 60_000;
/**
 * How much the process may grow after its warm-up, bytes, the main thread's garbage collected; other threads
 * keep theirs. Eight samples of 200,000 packets lay within 3 MB. With the garbage they lay within 75 MB of
 * each other: whether 50 MB were exceeded was chance.
 */
const MAX_GROWTH_BYTES = 20e6;
/**
 * Samples of its memory, evenly over the streams: as many on a fast machine as on a slow one. Each collects
 * garbage first, which stops the process for some 50 ms.
 */
const SAMPLES = 32;
/**
 * The heaps of its other threads grow and shrink in steps of some 15 MB, each once: a leak grows by as much again when
 * as many streams follow.
 */
const MOST_ROUNDS = 3;
const LINE_EVERY = 10_000;
/** LMDB opens a file for its map, its writes and its lock. */
const MOST_OF_ONE_FILE = 4;

/**
 * Clients that send broken packets, each on a connection of its own, and then wait until the service closes
 * it. A fifth of them are the warm-up: caches of the stores fill with the readings that get through.
 */
export async function checkPackets(
  world: MqttWorld,
  count: number,
  seed: number,
): Promise<readonly Check[]> {
  const devices = await Promise.all(
    Array.from({ length: 4 }, async (_, i) => mutatedDevice(await world.device(`mutated-${i}`))),
  );
  const healthy = await world.device("healthy");
  const warmUp = Math.floor(count / 5);
  const stuck = await attack(world.mqttPort, devices, { from: 0, to: warmUp, seed });
  const memory = await openMemory(world);
  const before = await openDescriptors(world.pid);
  const grown = async () => growth(before, await openDescriptors(world.pid));
  let stuckLater = 0;
  let sent = warmUp;
  const attackOn = async (streams: number): Promise<void> => {
    stuckLater += await attack(world.mqttPort, devices, { from: sent, to: sent + streams, seed });
    sent += streams;
  };
  const { anonBytes, heapBytes } = await growthOf(memory, () =>
    attackOn(Math.ceil((count - warmUp) / SAMPLES)),
  );
  memory.close();

  await until("all sessions are over", async () => (await sessions(world)) === 0, PATIENT_MS);
  // A session is over before its socket is closed; what stays open is a leak.
  let grownBy = await grown();
  for (let looks = 0; looks < 60 && Math.abs(grownBy.by) > 5; looks += 1) {
    await delay(500);
    grownBy = await grown();
  }
  const [malformed, refused, readings] = await Promise.all(
    ["malformed", "version_refused", "readings"].map((event) => mqttCount(world.api, event)),
  );
  console.log(
    `${sent} broken streams: ${malformed} ended as malformed, ${refused} refused for the version, ` +
      `${readings} readings stored; grown by: memory ${inMb(anonBytes)}, heap ${inMb(heapBytes)}, ` +
      `sockets and pipes ${grownBy.by}; one file is open ${grownBy.mostOfOneFile} times`,
  );
  const troubles = world.output.filter((line) => /unhandled|"level":(50|60)/i.test(line));
  for (const line of troubles.slice(0, 5)) console.log(line);
  return [
    ["the process is alive", world.isAlive()],
    ["it logged no error and no unhandled rejection", troubles.length === 0],
    [`every connection was closed (${stuck + stuckLater} were not)`, stuck + stuckLater === 0],
    ["its memory after garbage collection is flat within 20 MB", anonBytes < MAX_GROWTH_BYTES],
    ["it has as many sockets and pipes as before", grownBy.by <= 5],
    ["no file is open more than four times", grownBy.mostOfOneFile <= MOST_OF_ONE_FILE],
    // Neither all refused nor all taken.
    ["many streams violated the protocol", (malformed ?? 0) > sent / 5],
    ["some got through", (readings ?? 0) > sent / 50],
    ["a device beside them is served", await isServed(world.mqttPort, healthy)],
  ];
}

const mutatedDevice = ({ username, password, topic }: DeviceAccess): MutatedDevice => ({
  assetId: username,
  password,
  topic,
});

/** Sends streams `from` to `to`; yields how many connections were not closed in time. */
async function attack(
  port: number,
  devices: readonly MutatedDevice[],
  { from, to, seed }: { readonly from: number; readonly to: number; readonly seed: number },
): Promise<number> {
  let next = from;
  let stuck = 0;
  const lane = async (): Promise<void> => {
    while (next < to) {
      const index = next;
      next += 1;
      // A stream is made of its index alone, so that the lanes' order changes nothing.
      const random = seededRandom(seed * 0x1_0000_0000 + index * 7_919);
      const device = devices[index % devices.length];
      if (device === undefined) return;
      if (!(await sendStream(port, index, mutatedStream(random, device, `m-${index}`)))) stuck += 1;
      if ((index + 1) % LINE_EVERY === 0) console.log(`${index + 1} streams sent`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return stuck;
}

/** Sends bytes on a connection of their own; `false`: the service did not close it. */
function sendStream(port: number, index: number, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    // Many addresses: ports of one would run out while the system remembers closed connections.
    const localAddress = `127.1.${(index >> 8) & 0x7f}.${1 + (index & 0x7f)}`;
    const socket = connect({ port, host: "127.0.0.1", localAddress, allowHalfOpen: true });
    const timer = setTimeout(() => {
      socket.destroy();
      resolve(false);
    }, CLOSED_WITHIN_MS);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(true);
    });
    socket.resume();
    socket.end(bytes);
  });
}

interface Memory {
  /** Resident pages that belong to no file: pages of its stores' files are the system's cache. */
  readonly anonBytes: number;
  /** The main thread's heap. */
  readonly heapBytes: number;
}

/** Reads the memory of the process, each time after a full garbage collection of its main thread. */
async function openMemory({ pid, output }: MqttWorld) {
  const heap = await inspectHeap({ output });
  return {
    async sample(): Promise<Memory> {
      const heapBytes = await heap.usedAfterCollection();
      const status = await readFile(`/proc/${pid}/status`, "utf8");
      const anonKib = Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN);
      return { anonBytes: anonKib * 1_024, heapBytes };
    },
    close: () => heap.close(),
  };
}

/** What it grows by in `growthDuring`, again where that was too much. */
async function growthOf(
  memory: { sample(): Promise<Memory> },
  work: () => Promise<void>,
): Promise<Memory> {
  let grown = await growthDuring(memory, work);
  for (let round = 1; round < MOST_ROUNDS && grown.anonBytes >= MAX_GROWTH_BYTES; round += 1) {
    console.log(`memory grew by ${inMb(grown.anonBytes)}: as many streams again`);
    grown = await growthDuring(memory, work);
  }
  return grown;
}

/** What it grows by while `work` is done `SAMPLES` times: the mean of the last quarter less that of the first. */
async function growthDuring(
  memory: { sample(): Promise<Memory> },
  work: () => Promise<void>,
): Promise<Memory> {
  const samples: Memory[] = [];
  for (let part = 0; part < SAMPLES; part += 1) {
    await work();
    samples.push(await memory.sample());
  }
  const quarter = SAMPLES / 4;
  const rise = (of: keyof Memory): number =>
    mean(samples.slice(-quarter).map((one) => one[of])) -
    mean(samples.slice(0, quarter).map((one) => one[of]));
  return { anonBytes: rise("anonBytes"), heapBytes: rise("heapBytes") };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const inMb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** What each open descriptor of a process is of: a socket, or the path of a file. */
async function openDescriptors(pid: number): Promise<readonly string[]> {
  const folder = `/proc/${pid}/fd`;
  const targets = (await readdir(folder)).map((name) =>
    readlink(join(folder, name)).catch(() => ""),
  );
  // One that was closed meanwhile is none.
  return (await Promise.all(targets)).filter((target) => target !== "");
}

/**
 * How many more sockets, pipes and the like there are now, and how often the file that is open most often is. The
 * stores open files of their own as they come to use them: each once or twice is not a leak.
 */
function growth(before: readonly string[], now: readonly string[]) {
  const isFile = (target: string) => target.startsWith("/");
  const others = (targets: readonly string[]) => targets.filter((target) => !isFile(target)).length;
  const times = new Map<string, number>();
  for (const path of now.filter(isFile)) times.set(path, (times.get(path) ?? 0) + 1);
  return { by: others(now) - others(before), mostOfOneFile: Math.max(...times.values()) };
}

async function sessions({ api }: MqttWorld): Promise<number> {
  const line = (await api.text("/metrics"))
    .split("\n")
    .find((text) => text.startsWith("plumbline_mqtt_sessions"));
  return Number(line?.split(" ").at(-1) ?? Number.NaN);
}

async function isServed(port: number, { username, password, topic }: DeviceAccess) {
  const client = rawClient(port);
  try {
    client.send(connectOf(username, { password: Buffer.from(password) }));
    await client.hear("connack");
    client.send(publishOf(username, 1, { topic }));
    await client.hear("puback");
    return true;
  } catch {
    return false;
  } finally {
    client.end();
  }
}
