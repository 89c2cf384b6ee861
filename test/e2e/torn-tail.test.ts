import { readFileSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeRecord as decodeEntry } from "../../ingest/journal-record/journal-record.ts";
import {
  bytesOf,
  decodeRecord,
  encodeRecord,
  RECORD_OVERHEAD,
  recordSeed,
  recordSequence,
} from "../../storage/journal/record-codec.ts";
import { type ApiClient, createApiClient } from "../support/api-client.ts";
import { freshDataDir } from "../support/databases.ts";
import { recordRanges, tamper, usedSegmentFiles } from "../support/journal.ts";
import { PATIENT_MS } from "../support/patience.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";
import { caughtUp, createSite, storedNumbers } from "../support/site.ts";
import { until } from "../support/until.ts";
import { CrashDevice } from "./crash/device.ts";

const ADMIN_KEY = "torn-tail-test-admin-key-of-42-characters-";
const DEVICES = 6;
/** Records of the commit that was being written when the process went down. */
const UNFINISHED = 5;

let dataDir: string;
let service: ServiceProcess;
let api: ApiClient;
let devices: readonly CrashDevice[];

async function start(): Promise<void> {
  service = await startServiceProcess({
    dataDir,
    adminKey: ADMIN_KEY,
    environment: { DEVICE_READINGS_PER_S: "1000000" },
  });
  api = createApiClient(service.http, ADMIN_KEY);
}

beforeAll(async () => {
  dataDir = await freshDataDir();
  await start();
  const ids = Array.from({ length: DEVICES }, (_, i) => `truck-${i}`);
  const access = await createSite(api, "site-1", ids);
  const firstTimeMs = Date.now() - 12 * 3_600_000;
  devices = ids.map((id, i) => {
    const { password = "", topic = "" } = access.get(id) ?? {};
    return new CrashDevice({ id, password, topic, timed: i % 2 === 0, firstTimeMs, window: 20 });
  });
});

afterAll(async () => {
  for (const device of devices) device.close();
  await service.end("SIGKILL");
  rmSync(dataDir, { recursive: true, force: true });
});

const acknowledged = () => devices.reduce((sum, device) => sum + device.acked.size, 0);

/** Kills the service once the devices had 300 more messages acknowledged. */
async function killUnderLoad(): Promise<void> {
  const before = acknowledged();
  for (const device of devices) device.run(service.mqttPort);
  await until("300 more are acknowledged", () => acknowledged() >= before + 300, PATIENT_MS);
  await service.end("SIGKILL");
}

interface Newest {
  readonly path: string;
  /** Offsets of the unfinished commit's records. */
  readonly unfinished: readonly { readonly start: number; readonly end: number }[];
}

/**
 * Adds a whole commit behind the last record of the newest segment, one that was never acknowledged: what
 * the disk holds when the process is killed between write and sync. Its records repeat older ones.
 */
function addUnfinishedCommit(): Newest {
  const journal = join(dataDir, "journal");
  const path = usedSegmentFiles(journal).at(-1);
  if (path === undefined) throw new Error("no segment with records");
  const seed = recordSeed(readFileSync(join(journal, "id"), "utf8").trim());
  tamper(path, (file) => {
    const records = recordRanges(file);
    const bytes = bytesOf(file);
    const last = records.at(-1);
    if (last === undefined) throw new Error("no record");
    const model = readingsBefore(file, records.length);
    let at = last.end;
    for (let i = 1; i <= UNFINISHED; i++) {
      const sequence = recordSequence(bytes, last.start) + i;
      at = encodeRecord(bytes, at, sequence, Date.now(), model.kind, i === 1, model.body, seed);
    }
    return file;
  });
  return { path, unfinished: recordRanges(readFileSync(path)).slice(-UNFINISHED) };
}

/** The last record with readings before the one with that index. */
function readingsBefore(file: Buffer, index: number) {
  for (const { start, end } of recordRanges(file).slice(0, index).reverse()) {
    const record = decodeRecord(bytesOf(file), start, end);
    const entry = decodeEntry(record);
    if (entry?.type !== "readings") continue;
    const { assetId, readings } = entry.batch;
    const numbers = readings.map(({ fields }) => fields["number"]);
    return { start, kind: record.kind, body: Buffer.from(record.body), assetId, numbers };
  }
  throw new Error("no record with readings");
}

/** What the start said about the tail, in bytes. */
function saidCutBytes(): readonly number[] {
  return service.output
    .filter((line) => line.includes("journal tail was cut"))
    .map((line) => (JSON.parse(line) as { cutBytes: number }).cutBytes);
}

/** Acknowledged readings that are not served, as `device number`, and rows that are served twice. */
async function compare(): Promise<{ readonly lost: readonly string[]; readonly twice: number }> {
  for (const device of devices) {
    device.run(service.mqttPort);
    device.pause();
  }
  await until(
    "nothing is in flight any more",
    () => devices.every((device) => device.inFlight === 0),
    PATIENT_MS,
  );
  await caughtUp(api);
  const lost: string[] = [];
  let twice = 0;
  for (const device of devices) {
    const numbers = await storedNumbers(api, device.id);
    const distinct = new Set(numbers);
    twice += numbers.length - distinct.size;
    for (const number of device.acked)
      if (!distinct.has(number)) lost.push(`${device.id} ${number}`);
  }
  return { lost, twice };
}

describe("a service killed under load whose journal's tail is damaged", () => {
  it("a service killed under load whose journal's tail is damaged by a cut in the middle of a record says the bytes and serves everything acknowledged", async () => {
    await killUnderLoad();
    const { path, unfinished } = addUnfinishedCommit();
    const third = unfinished[2]?.start ?? 0;
    truncateSync(path, third + RECORD_OVERHEAD - 2);
    await start();
    expect(saidCutBytes()).toEqual([RECORD_OVERHEAD - 2]);
    expect(await compare()).toEqual({ lost: [], twice: 0 });
  });

  it("a service killed under load whose journal's tail is damaged by a flipped bit drops the unfinished commit from there on", async () => {
    await killUnderLoad();
    const { path, unfinished } = addUnfinishedCommit();
    const second = unfinished[1]?.start ?? 0;
    const end = readFileSync(path).findLastIndex((byte) => byte !== 0) + 1;
    tamper(path, (bytes) => {
      bytes[second + RECORD_OVERHEAD] = (bytes[second + RECORD_OVERHEAD] ?? 0) ^ 1;
      return bytes;
    });
    await start();
    expect(saidCutBytes()).toEqual([end - second]);
    expect(await compare()).toEqual({ lost: [], twice: 0 });
  });

  it("a service killed under load whose journal's tail is damaged by zeros, and before them one acknowledged record, loses that record only and says so", async () => {
    await killUnderLoad();
    const { path, unfinished } = addUnfinishedCommit();
    const file = readFileSync(path);
    const damaged = readingsBefore(file, Math.floor(recordRanges(file).length / 2));
    tamper(path, (bytes) => {
      bytes.fill(0, (unfinished[2]?.start ?? 0) + RECORD_OVERHEAD - 2);
      const at = damaged.start + RECORD_OVERHEAD;
      bytes[at] = (bytes[at] ?? 0) ^ 0x80;
      return bytes;
    });
    await start();
    expect(saidCutBytes()).toEqual([RECORD_OVERHEAD - 2]);
    expect(service.output.some((line) => line.includes("damaged records were set aside"))).toBe(
      true,
    );
    const { lost, twice } = await compare();
    expect(twice).toBe(0);
    // A seal between kill and damage would have saved it.
    const own = damaged.numbers.map((number) => `${damaged.assetId} ${number}`);
    expect(lost).toBeOneOf([[], own]);
    expect(own).toHaveLength(1);
  });
});
