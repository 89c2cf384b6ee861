import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type ApiClient, createApiClient } from "../../support/api-client.ts";
import { startServiceProcess } from "../../support/service-process.ts";
import { createSite } from "../../support/site.ts";
import type { SmallDisk } from "../../support/small-disk.ts";
import { until } from "../../support/until.ts";
import type { MessageTally } from "../crash/message-tally.ts";
import { StubbornDevice } from "./device.ts";
import { Probe } from "./probe.ts";
import { KEEPALIVE_S, mib, tallyOf } from "./scenario.ts";
import { Uploader } from "./uploader.ts";

const ADMIN_KEY = "disk-full-test-admin-key-of-42-characters-";
const MIB = 1024 ** 2;
const UPLOADERS = 6;
const IMAGE_BYTES = 12 * MIB;
const WINDOW = 40;
/** Space that is taken at the beginning and freed at the end. */
const BALLAST_BYTES = 32 * MIB;
const POLL_MS = 100;
const READINESS_EVERY = 10;
/** For steps that take as long as they take on a loaded machine, ms. */
const PATIENT_MS = 300_000;

export interface TwoTenantsOptions {
  readonly disk: SmallDisk;
  /** `MIN_FREE_DISK_BYTES`. */
  readonly reserveBytes: number;
  /** `DISK_MARGIN_BYTES`. */
  readonly marginBytes: number;
  readonly devices: number;
  /** Messages to be acknowledged while the other tenant uploads. */
  readonly messages: number;
  /** Whether somebody else fills the disk once the first upload is refused, without asking for admission. */
  readonly isUnadmitted: boolean;
  /** How long messages may wait for that, ms. */
  readonly patienceMs: number;
  readonly log: (line: string) => void;
}

export interface TwoTenantsFindings {
  /** How many of the messages were acknowledged while uploads went on. */
  readonly acked: number;
  /** Of them, after the first refused upload. */
  readonly ackedWhenRefused: number;
  /** Connections that were cut with messages in flight, and refused log-ins. */
  readonly cuts: number;
  readonly refusals: number;
  /** Sent and never acknowledged. */
  readonly withheld: number;
  /** Longest time without a PUBACK for any device, ms. */
  readonly longestPauseMs: number;
  /** Answers to uploads by status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Refusals whose body does not say how many bytes are left. */
  readonly silentRefusals: number;
  /** Least free space that was seen, bytes. */
  readonly leastFreeBytes: number;
  /** Reasons that /health/ready gave with 503. */
  readonly reasons: readonly string[];
  /** Files of refused uploads that are still there when no upload is under way. */
  readonly leftovers: number;
  /** Uploads that were stored after space was freed. */
  readonly storedAfterFreeing: number;
  readonly tally: MessageTally;
}

/** One tenant uploads until the disk is full, and on; the other one's devices publish all the while. */
export async function runTwoTenants(options: TwoTenantsOptions): Promise<TwoTenantsFindings> {
  const { disk, log, messages } = options;
  const dataDir = join(disk.dir, "data");
  const service = await startServiceProcess({
    dataDir,
    adminKey: ADMIN_KEY,
    environment: {
      MIN_FREE_DISK_BYTES: String(options.reserveBytes),
      DISK_MARGIN_BYTES: String(options.marginBytes),
      DEVICE_READINGS_PER_S: "1000000",
      // Uploads alone are in question here.
      WORKERS: "0",
    },
    startMs: PATIENT_MS,
  });
  const api = createApiClient(service.http, ADMIN_KEY);
  const ids = Array.from({ length: options.devices }, (_, i) => `machine-${i}`);
  const access = await createSite(api, "quiet-site", ids);
  const key = await uploadKey(api, "loud-site");
  const devices = [...access.values()].map(
    (own, i) =>
      new StubbornDevice({
        access: own,
        port: () => service.mqttPort,
        timed: i % 2 === 0,
        window: WINDOW,
        keepaliveS: KEEPALIVE_S,
        extraFields: 0,
      }),
  );
  const probe = new Probe(() => service, ADMIN_KEY, "quiet-site");
  const uploaders: Uploader[] = [];
  const answers = () => uploaders.flatMap((uploader) => uploader.answers);
  const refused = () => answers().filter(({ status }) => status === 507).length;
  const acked = () => devices.reduce((sum, device) => sum + device.acked.size, 0);
  try {
    const { size } = await takeSpace(disk, BALLAST_BYTES);
    log(`${mib(size)} MiB free at the beginning, ${mib(BALLAST_BYTES)} to be freed later`);
    for (let i = 0; i < UPLOADERS; i += 1) {
      const given = { url: service.http, key, imageBytes: IMAGE_BYTES, isChunked: i % 2 === 0 };
      uploaders.push(new Uploader(given));
    }
    for (const device of devices) device.publish();
    let ackedAtRefusal: number | undefined;
    let leastFreeBytes = Number.POSITIVE_INFINITY;
    let longestPauseMs = 0;
    let ackedBefore = 0;
    let ackedMs = performance.now();
    const endMs = performance.now() + options.patienceMs;
    for (let look = 0; performance.now() < endMs && !service.isGone; look += 1) {
      const now = acked();
      if (now > ackedBefore) {
        ackedBefore = now;
        ackedMs = performance.now();
      }
      longestPauseMs = Math.max(longestPauseMs, performance.now() - ackedMs);
      leastFreeBytes = Math.min(leastFreeBytes, disk.freeBytes());
      if (ackedAtRefusal === undefined && refused() > 0) ackedAtRefusal = now;
      if (ackedAtRefusal !== undefined && options.isUnadmitted) disk.leave(0);
      if (look % READINESS_EVERY === 0) {
        for (const reason of await probe.readiness()) probe.reasons.add(reason);
      }
      // Half of all messages at least are sent while uploads are refused.
      if (ackedAtRefusal !== undefined && now >= Math.max(messages, 2 * ackedAtRefusal)) break;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    const ackedAtEnd = acked();
    log(
      `${ackedAtEnd} acknowledged, ${refused()} uploads refused, ${mib(disk.freeBytes())} MiB free`,
    );
    for (const device of devices) device.pause();
    const cuts = devices.reduce((sum, device) => sum + device.heldMs.length, 0);
    const refusals = devices.reduce((sum, device) => sum + device.refusals.length, 0);
    await until("the last messages", () => inFlight(devices) === 0, KEEPALIVE_S * 1_000).catch(
      () => undefined,
    );
    const withheld = inFlight(devices);
    await Promise.all(uploaders.map((uploader) => uploader.end()));
    const leftovers = await countFiles(dataDir);
    const statuses = countBy(answers().map(({ status }) => status));
    const silentRefusals = answers().filter(
      ({ status, bytesLeft }) => status === 507 && !Number.isSafeInteger(bytesLeft),
    ).length;

    disk.relieve();
    log(`space freed: ${mib(disk.freeBytes())} MiB free`);
    const late = new Uploader({ url: service.http, key, imageBytes: IMAGE_BYTES, isChunked: true });
    await until("an upload after space was freed", () => late.answers.length > 0, PATIENT_MS);
    await late.end();
    const storedAfterFreeing = late.answers.filter(({ status }) => status === 201).length;
    return {
      acked: ackedAtEnd,
      ackedWhenRefused: ackedAtEnd - (ackedAtRefusal ?? ackedAtEnd),
      cuts,
      refusals,
      withheld,
      longestPauseMs: Math.round(longestPauseMs),
      statuses,
      silentRefusals,
      leastFreeBytes,
      reasons: [...probe.reasons],
      leftovers,
      storedAfterFreeing,
      tally: await tallyOf(service, devices),
    };
  } finally {
    for (const device of devices) device.close();
    await service.end("SIGKILL");
    for (const uploader of uploaders) await uploader.end();
  }
}

const inFlight = (devices: readonly StubbornDevice[]): number =>
  devices.reduce((sum, device) => sum + device.inFlight, 0);

/** Takes so much space away; yields what is free then. */
async function takeSpace(disk: SmallDisk, bytes: number): Promise<{ readonly size: number }> {
  disk.leave(disk.freeBytes() - bytes);
  return { size: disk.freeBytes() };
}

/** A key of another tenant, which sees its own project only. */
async function uploadKey(api: ApiClient, projectId: string): Promise<string> {
  await createSite(api, projectId, []);
  const made = await api.post<{ key: string }>("/keys", {
    name: "uploads",
    scopes: ["progress:write"],
    project_ids: [projectId],
    plan: "enterprise",
  });
  return made.key;
}

/** Files of uploads under way. */
async function countFiles(dataDir: string): Promise<number> {
  const folders = [join(dataDir, "uploads"), join(dataDir, "files", ".unfinished")];
  const names = await Promise.all(folders.map((folder) => readdir(folder)));
  return names.flat().length;
}

function countBy(values: readonly number[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
