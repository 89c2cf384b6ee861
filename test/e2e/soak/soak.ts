import { setTimeout as delay } from "node:timers/promises";
import type { ApiClient } from "../../support/api-client.ts";
import { createApiClient } from "../../support/api-client.ts";
import { INSPECTED, type InspectedHeap, inspectHeap } from "../../support/inspected-heap.ts";
import { type ServiceProcess, startServiceProcess } from "../../support/service-process.ts";
import { caughtUp, createSite, storedNumbers } from "../../support/site.ts";
import { until } from "../../support/until.ts";
import { CrashDevice } from "../crash/device.ts";
import { type MessageTally, tallyMessages } from "../crash/message-tally.ts";
import { type ApiLoad, startApiLoad } from "./api-load.ts";
import { readProcess } from "./process-numbers.ts";

export interface SoakOptions {
  readonly dataDir: string;
  readonly minutes: number;
  /** Time between two kills. */
  readonly killMinutes: number;
  /** How long the last life is at least; nobody kills it. 0: as the others. */
  readonly lastLifeMinutes: number;
  readonly devices: number;
  /** Time between two messages of a device. */
  readonly everyS: number;
  /** Time between two samples of the process. */
  readonly sampleS: number;
  readonly onMinute: (row: MinuteRow) => void;
  /** Called with what has just been done beside the minutes. */
  readonly onStep: (step: string) => void;
}

/** One measurement of the process. */
export interface Sample {
  /** Since the run began, ms. */
  readonly atMs: number;
  /** After a full garbage collection; the main thread's heap alone. */
  readonly heapBytes: number;
  readonly rssBytes: number;
  readonly descriptors: number;
  readonly cpuS: number;
}

/** One life of the process, from its ready line to the kill. */
export interface Life {
  readonly startedAtMs: number;
  readonly samples: Sample[];
}

export interface MinuteRow extends Sample {
  readonly life: number;
  readonly connected: number;
  readonly acked: number;
  readonly inFlight: number;
  readonly api: ApiLoad["counts"];
}

export interface SoakResult {
  readonly lives: readonly Life[];
  readonly tally: MessageTally;
  readonly api: ApiLoad["counts"];
  /** From each kill to the next ready line, ms. */
  readonly downMs: readonly number[];
}

const ADMIN_KEY = "soak-test-admin-key-of-forty-characters!";
const PROJECT = "soak-site";
/** Messages in flight per device: a device that waits for its broker sends no more. */
const WINDOW = 20;
/** Devices connect over so long after a start, as real ones do. */
const CONNECT_MS = 5_000;
const RECONNECT_MS = 2_000;
const MINUTE_MS = 60_000;
/** Histories that are read back at a time. */
const READERS = 4;
/** How long the last acknowledgements may take to come. */
const PATIENCE_MS = 120_000;

/** A process and the connection to its inspector. */
interface Running {
  readonly service: ServiceProcess;
  readonly heap: InspectedHeap;
}

async function start(dataDir: string): Promise<Running> {
  const environment = INSPECTED;
  const service = await startServiceProcess({ dataDir, adminKey: ADMIN_KEY, environment });
  return { service, heap: await inspectHeap(service) };
}

/**
 * Runs devices and API clients against the real program, kills it every `killMinutes`, and samples its
 * heap, resident memory and descriptors; then compares what was acknowledged with what is stored.
 */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const ids = Array.from({ length: options.devices }, (_, i) => `soak-${i}`);
  let running = await start(options.dataDir);
  const client = (): ApiClient => createApiClient(running.service.http, ADMIN_KEY);
  const devices = await createDevices(client(), ids, options.everyS * 1_000);
  options.onStep(`${ids.length} devices registered`);
  const load = startApiLoad(ADMIN_KEY, ids, PROJECT);
  const lives: Life[] = [];
  const downMs: number[] = [];
  const beganAtMs = performance.now();
  const sinceMs = () => performance.now() - beganAtMs;
  const endMs = options.minutes * MINUTE_MS;
  const lastKillMs = endMs - options.lastLifeMinutes * MINUTE_MS;
  let nextRowMs = MINUTE_MS;

  async function sample({ service, heap }: Running): Promise<Sample> {
    const heapBytes = await heap.usedAfterCollection();
    return { atMs: sinceMs(), heapBytes, ...(await readProcess(service.pid)) };
  }

  async function live(): Promise<void> {
    const life: Life = { startedAtMs: sinceMs(), samples: [] };
    lives.push(life);
    load.moveTo(running.service.http);
    connectAll(devices, running.service.mqttPort);
    const killMs = life.startedAtMs + options.killMinutes * MINUTE_MS;
    const overMs = killMs <= lastKillMs ? killMs : endMs;
    while (sinceMs() < overMs) {
      const pause = delay(Math.min(options.sampleS * 1_000, overMs - sinceMs()));
      await Promise.race([pause, load.refused]);
      const last = await sample(running);
      life.samples.push(last);
      if (sinceMs() < nextRowMs) continue;
      nextRowMs += MINUTE_MS;
      options.onMinute({ ...last, ...standing(devices), life: lives.length, api: load.counts });
    }
  }

  try {
    await live();
    while (sinceMs() < endMs) {
      await running.service.end("SIGKILL");
      const killedAtMs = performance.now();
      for (const device of devices) device.pause();
      running.heap.close();
      running = await start(options.dataDir);
      downMs.push(performance.now() - killedAtMs);
      await live();
    }
    for (const device of devices) device.pause();
    await load.stop();
    options.onStep("load ended");
    const inFlight = () => devices.reduce((sum, device) => sum + device.inFlight, 0);
    await until("all messages are acknowledged", () => inFlight() === 0, PATIENCE_MS);
    await caughtUp(client(), PATIENCE_MS);
    options.onStep("all messages acknowledged and stored");
    const stored = await readBack(client(), ids);
    options.onStep("all messages read back");
    return { lives, tally: tallyMessages(devices, stored), api: load.counts, downMs };
  } finally {
    for (const device of devices) device.close();
    running.heap.close();
    await running.service.end("SIGTERM");
  }
}

async function readBack(
  api: ApiClient,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const stored = new Map<string, readonly number[]>();
  const left = [...ids];
  const readers = Array.from({ length: READERS }, async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      stored.set(id, await storedNumbers(api, id));
    }
  });
  await Promise.all(readers);
  return stored;
}

/** Registers the devices, and a fence on their path that makes visits, alerts and events. */
async function createDevices(
  api: ApiClient,
  ids: readonly string[],
  everyMs: number,
): Promise<readonly CrashDevice[]> {
  const access = await createSite(api, PROJECT, ids);
  await api.post("/equipment/geofences", {
    project_id: PROJECT,
    name: "Gate",
    alert_on: "both",
    polygon: [
      [52.5003, 13.399],
      [52.5003, 13.401],
      [52.501, 13.401],
      [52.501, 13.399],
    ],
  });
  return ids.map((id, i) => {
    const { password, topic } = access.get(id) ?? { password: "", topic: "" };
    // Every second device sends no time: only the filter of resent messages keeps those apart.
    const identity = { id, password, topic, timed: i % 2 === 0, firstTimeMs: 0 };
    const pace = { everyMs, reconnectMs: RECONNECT_MS };
    return new CrashDevice({ ...identity, window: WINDOW, pace });
  });
}

function connectAll(devices: readonly CrashDevice[], port: number): void {
  for (const [i, device] of devices.entries()) {
    setTimeout(() => device.run(port), (CONNECT_MS * i) / devices.length);
  }
}

function standing(devices: readonly CrashDevice[]) {
  let connected = 0;
  let acked = 0;
  let inFlight = 0;
  for (const device of devices) {
    if (device.isConnected) connected += 1;
    acked += device.acked.size;
    inFlight += device.inFlight;
  }
  return { connected, acked, inFlight };
}
