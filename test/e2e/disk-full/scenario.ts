import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createApiClient } from "../../support/api-client.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import {
  runServiceProcess,
  type ServiceProcess,
  type ServiceProcessOptions,
  startServiceProcess,
} from "../../support/service-process.ts";
import { caughtUp, createSite, mqttCount, storedNumbers } from "../../support/site.ts";
import type { SmallDisk } from "../../support/small-disk.ts";
import { until } from "../../support/until.ts";
import { type MessageTally, tallyMessages } from "../crash/message-tally.ts";
import { StubbornDevice } from "./device.ts";
import { Probe } from "./probe.ts";

const ADMIN_KEY = "disk-full-test-admin-key-of-42-characters-";
const PROJECT = "disk-site";
export const KEEPALIVE_S = 6;
const WINDOW = 40;
/** How often the service is polled while the disk is full, ms. */
const POLL_MS = 500;
/** 100 MiB take 20 s on two quiet cores; a machine that is 30 times as busy is waited for. */
const FILL_MS = 600_000;

export interface ScenarioOptions {
  readonly disk: SmallDisk;
  /** `MIN_FREE_DISK_BYTES`. */
  readonly reserveBytes: number;
  /** Free space at the beginning of the load; 0: nothing is left, and nothing that becomes free. */
  readonly roomBytes: number;
  readonly devices: number;
  /** How long the disk stays full, ms. */
  readonly fullMs: number;
  /** Whether the process is killed at the end of that time and started on the full disk. */
  readonly killWhenFull: boolean;
  readonly log: (line: string) => void;
}

export interface Findings {
  /** Whether the process lived until we ended it. */
  readonly alive: boolean;
  /** Reasons that /health/ready gave with 503 while the disk was full. */
  readonly reasons: readonly string[];
  /** Statuses of API reads, and of registrations, while the disk was full. */
  readonly readStatuses: readonly number[];
  readonly writeStatuses: readonly number[];
  /** Assets whose registration was answered with 201 meanwhile, and those of them found at the end. */
  readonly registered: readonly [answered: number, found: number];
  /** From the sending of a message to the cut of its connection while the disk was full, ms. */
  readonly heldMs: readonly number[];
  /** CONNACK codes of refused connections. */
  readonly refusals: readonly number[];
  readonly droppedQos0: number;
  /** Acknowledged while intake was closed and the disk full. */
  readonly ackedWhenFull: number;
  /** What the start on the full disk ended with: "ready", or the lines that it wrote. */
  readonly startWhenFull: string | undefined;
  /** From the freeing of space to the first acknowledgement and to readiness, ms; NaN: not in 60 s. */
  readonly resumedMs: { readonly acked: number; readonly ready: number };
  /** Right after, and once more after a restart. */
  readonly tallies: readonly [before: MessageTally, after: MessageTally];
}

/** Fills the disk under load, waits, frees it, and compares what devices know with what is stored. */
export async function runScenario(options: ScenarioOptions): Promise<Findings> {
  const { disk, roomBytes, fullMs, log } = options;
  const process: ServiceProcessOptions = {
    dataDir: join(disk.dir, "data"),
    adminKey: ADMIN_KEY,
    environment: {
      MIN_FREE_DISK_BYTES: String(options.reserveBytes),
      DEVICE_READINGS_PER_S: "1000000",
    },
    startMs: PATIENT_MS,
  };
  let service = await startServiceProcess(process);
  const api = () => createApiClient(service.http, ADMIN_KEY);
  const ids = Array.from({ length: options.devices + 1 }, (_, i) => `disk-${i}`);
  const access = await createSite(api(), PROJECT, ids);
  const all = [...access.values()].map(
    (own, i) =>
      new StubbornDevice({
        access: own,
        port: () => service.mqttPort,
        timed: i % 2 === 0,
        window: WINDOW,
        keepaliveS: KEEPALIVE_S,
      }),
  );
  const [unsure, ...devices] = all;
  const acked = () => devices.reduce((sum, device) => sum + device.acked.size, 0);
  const unsureTimer = setInterval(() => unsure?.publishUnsure(), 200);
  try {
    disk.leave(roomBytes);
    log(`${mib(disk.freeBytes())} MiB free at the beginning`);
    for (const device of devices) device.publish();
    const probe = new Probe(() => service, ADMIN_KEY, PROJECT);
    await until(
      "the journal is full",
      async () => service.isGone || (await probe.readiness()).some((why) => /journal/.test(why)),
      FILL_MS,
    );
    const ackedAtFull = acked();
    log(`full after ${ackedAtFull} acknowledged messages, ${mib(disk.freeBytes())} MiB free`);
    const end = performance.now() + fullMs;
    while (performance.now() < end && !service.isGone) {
      if (roomBytes === 0) disk.leave(0);
      await probe.look(ids[1] ?? "");
      await delay(POLL_MS);
    }
    const ackedAtEnd = acked();
    const droppedQos0 = service.isGone ? 0 : await mqttCount(api(), "dropped_qos0");
    const heldMs = devices.flatMap((device) => device.heldMs);
    const refusals = all.flatMap((device) => device.refusals);
    const alive = !service.isGone;
    if (!alive) log(`the process has gone: ${(await service.ended).signal}`);

    let startWhenFull: string | undefined;
    if (options.killWhenFull || !alive) {
      await service.end("SIGKILL");
      startWhenFull = await tryStart(process, (started) => {
        service = started;
      });
      log(`started on the full disk: ${startWhenFull}`);
    }
    disk.relieve();
    const freedMs = performance.now();
    if (service.isGone) service = await startServiceProcess(process);
    const resumedMs = {
      acked: await msUntil(freedMs, () => acked() > ackedAtEnd),
      ready: await msUntil(freedMs, async () => (await probe.readiness()).length === 0),
    };
    log(`space freed: acknowledges after ${Math.round(resumedMs.acked)} ms`);
    for (const device of devices) device.pause();
    const before = await tallyOf(service, devices);
    await service.end("SIGTERM");
    service = await startServiceProcess(process);
    const after = await tallyOf(service, devices);
    log(`after a restart: ${JSON.stringify(after)}`);
    return {
      alive,
      reasons: [...probe.reasons],
      readStatuses: [...probe.readStatuses],
      writeStatuses: [...probe.writeStatuses],
      registered: [probe.registered.length, await probe.found()],
      heldMs,
      refusals,
      droppedQos0,
      ackedWhenFull: ackedAtEnd - ackedAtFull,
      startWhenFull,
      resumedMs,
      tallies: [before, after],
    };
  } finally {
    clearInterval(unsureTimer);
    for (const device of all) device.close();
    await service.end("SIGKILL");
  }
}

/** Starts the service where it may fail to; yields "ready" or its last words. */
async function tryStart(
  options: ServiceProcessOptions,
  onStarted: (service: ServiceProcess) => void,
): Promise<string> {
  try {
    onStarted(await startServiceProcess(options));
    return "ready";
  } catch {
    const { code, output } = await runServiceProcess(options);
    return `exit ${code}: ${output.join("\n")}`;
  }
}

/** Ms since `sinceMs` until `look` is true; NaN when it is not within a minute. */
async function msUntil(sinceMs: number, look: () => boolean | Promise<boolean>): Promise<number> {
  try {
    await until("resumed", look, PATIENT_MS);
    return performance.now() - sinceMs;
  } catch {
    return Number.NaN;
  }
}

/** Waits until nothing is in flight, and compares what devices know with what is stored. */
export async function tallyOf(
  service: ServiceProcess,
  devices: readonly StubbornDevice[],
): Promise<MessageTally> {
  const api = createApiClient(service.http, ADMIN_KEY);
  await until(
    "nothing is in flight any more",
    () => devices.every((device) => device.inFlight === 0),
    PATIENT_MS,
  );
  await caughtUp(api);
  const stored = new Map<string, readonly number[]>();
  for (const { id } of devices) stored.set(id, await storedNumbers(api, id));
  return tallyMessages(devices, stored);
}

export const mib = (bytes: number): number => Math.round(bytes / 1024 ** 2);
