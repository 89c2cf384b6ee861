import { readdirSync } from "node:fs";
import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPglite } from "../../storage/records/pglite/open.ts";
import { type ApiClient, createApiClient } from "../support/api-client.ts";
import { freshDataDir } from "../support/databases.ts";
import { recordRanges, tamper, usedSegmentFiles } from "../support/journal.ts";
import { type MqttDevice, openDevice } from "../support/mqtt-device.ts";
import { PATIENT_MS } from "../support/patience.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";
import { caughtUp, createSite, type DeviceAccess, storedNumbers } from "../support/site.ts";
import { until } from "../support/until.ts";

const ADMIN_KEY = "journal-gap-test-admin-key-of-45-characters-";
const IDS = ["truck-1", "truck-2"] as const;
const firstTimeMs = Date.now() - 3_600_000;

/** Folders of this file, one per life of the service. */
let root: string;
let access: ReadonlyMap<string, DeviceAccess>;
const running = new Set<ServiceProcess>();

interface Running {
  readonly service: ServiceProcess;
  readonly api: ApiClient;
  /** Publishes readings `from` to `to` of each device and waits for every acknowledgement. */
  publish(from: number, to: number): Promise<void>;
  /** Publishes something that no decoder reads. */
  publishBroken(id: string): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

async function start(dataDir: string): Promise<Running> {
  const service = await startServiceProcess({ dataDir, adminKey: ADMIN_KEY });
  running.add(service);
  const api = createApiClient(service.http, ADMIN_KEY);

  async function withDevice(id: string, use: (device: MqttDevice) => Promise<unknown>) {
    const own = access.get(id);
    if (own === undefined) throw new Error(`no asset ${id}`);
    const device = await openDevice({ access: own, port: service.mqttPort });
    await use(device);
    await device.disconnect();
  }

  return {
    service,
    api,
    async publish(from, to) {
      const numbers = range(from, to);
      await Promise.all(
        IDS.map((id) =>
          withDevice(id, (device) =>
            Promise.all(numbers.map((number) => device.publish({ payload: reading(number) }))),
          ),
        ),
      );
    },
    publishBroken: (id) => withDevice(id, (device) => device.publish({ payload: `{broken ${id}` })),
    async stop(signal = "SIGTERM") {
      await service.end(signal);
      running.delete(service);
    },
  };
}

function reading(number: number): string {
  return JSON.stringify({
    timestamp: firstTimeMs + number * 1_000,
    number,
    latitude: latitudeOf(number),
    longitude: 13.4,
  });
}

const latitudeOf = (number: number) => 52.5 + number / 1_000;

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Latitude of each asset as the list and the location show it. */
async function livePlaces(api: ApiClient): Promise<readonly number[]> {
  return Promise.all(
    IDS.map(async (id) => {
      const { current } = await api.get<{ current: { latitude: number } }>(
        `/equipment/assets/${id}/location`,
      );
      return current.latitude;
    }),
  );
}

async function showsReading(api: ApiClient, number: number): Promise<void> {
  await until(
    `both assets are at reading ${number}`,
    async () => (await livePlaces(api)).every((latitude) => latitude === latitudeOf(number)),
    PATIENT_MS,
  );
}

async function stored(api: ApiClient): Promise<readonly (readonly number[])[]> {
  await caughtUp(api);
  return Promise.all(IDS.map((id) => storedNumbers(api, id)));
}

interface GapEvent {
  readonly cause: string;
  readonly data: { readonly reader?: string; readonly checkpoint_sequence?: number };
}

/** The gaps in the events table of a service that has stopped. */
async function gaps(dataDir: string): Promise<readonly GapEvent[]> {
  const database = await openPglite(join(dataDir, "records"));
  try {
    return await database.query<{ cause: string; data: GapEvent["data"] }>(
      "SELECT cause, data FROM events WHERE type = 'ingest.journal_gap' ORDER BY sequence",
    );
  } finally {
    await database.close();
  }
}

const saidGap = (service: ServiceProcess) =>
  service.output.filter((line) => line.includes("journal gap"));

/** A copy of a stopped service's folder, for another life. */
async function copyOf(source: string, name: string): Promise<string> {
  const copy = join(root, name);
  await cp(source, copy, { recursive: true });
  return copy;
}

/** Readings 1 to 20 of both assets and one quarantined message were acknowledged in this one. */
let original: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "plumbline-gap-"));
  original = join(root, "original");
  await rename(await freshDataDir(), original);
  access = new Map();
  const first = await start(original);
  access = await createSite(first.api, "site-1", IDS);
  await first.publish(1, 20);
  await first.publishBroken("truck-1");
  await showsReading(first.api, 20);
  // What no reader has dealt with is in the journal alone, which each test takes away.
  await caughtUp(first.api);
  await first.stop();
});

afterAll(async () => {
  for (const service of running) await service.end("SIGKILL");
  await rm(root, { recursive: true, force: true });
});

describe("a journal folder replaced under a kept record store", () => {
  it("a journal folder replaced under a kept record store by an empty one raises journal_gap, keeps live states and takes new messages", async () => {
    const dataDir = await copyOf(original, "emptied");
    await rm(join(dataDir, "journal"), { recursive: true });
    const life = await start(dataDir);
    expect(saidGap(life.service)).toHaveLength(2);
    expect(await livePlaces(life.api)).toEqual([latitudeOf(20), latitudeOf(20)]);
    await life.publish(21, 40);
    await showsReading(life.api, 40);
    expect(await stored(life.api)).toEqual([range(1, 40), range(1, 40)]);
    await life.stop();
    expect(await gaps(dataDir)).toMatchObject([
      { cause: "other_journal", data: { reader: "records" } },
    ]);
  });

  it("a journal folder replaced under a kept record store by one with records of its own raises journal_gap and skips none of them, though they begin at 1", async () => {
    const other = await copyOf(original, "other");
    await rm(join(other, "journal"), { recursive: true });
    const elsewhere = await start(other);
    await elsewhere.publish(41, 50);
    await elsewhere.publishBroken("truck-2");
    await caughtUp(elsewhere.api);
    await elsewhere.stop();

    const dataDir = await copyOf(original, "replaced");
    await rm(join(dataDir, "journal"), { recursive: true });
    await cp(join(other, "journal"), join(dataDir, "journal"), { recursive: true });
    const life = await start(dataDir);
    expect(saidGap(life.service)).toHaveLength(2);
    await showsReading(life.api, 50);
    const both = [...range(1, 20), ...range(41, 50)];
    expect(await stored(life.api)).toEqual([both, both]);
    await life.publish(51, 60);
    await showsReading(life.api, 60);
    const { data } = await life.api.get<{ data: readonly { asset_id: string }[] }>(
      "/equipment/quarantine",
    );
    expect(data.map(({ asset_id }) => asset_id).sort()).toEqual(["truck-1", "truck-2"]);
    await life.stop();
    expect(await gaps(dataDir)).toMatchObject([{ cause: "other_journal" }]);
  });
});

describe("a journal that ends before the checkpoint", () => {
  it("a journal that ends before the checkpoint raises journal_gap, skips nothing, and what comes then survives kill -9", async () => {
    const dataDir = await copyOf(original, "shortened");
    const journal = join(dataDir, "journal");
    removeRecords(journal, 20);
    await rm(join(journal, "cursors.json"));

    const life = await start(dataDir);
    expect(saidGap(life.service)).toHaveLength(2);
    expect(await livePlaces(life.api)).toEqual([latitudeOf(20), latitudeOf(20)]);
    await life.publish(21, 40);
    await life.publishBroken("truck-2");
    await showsReading(life.api, 40);
    // Nothing of it is sealed yet: what the next life shows comes from the journal.
    await life.stop("SIGKILL");

    const again = await start(dataDir);
    await showsReading(again.api, 40);
    expect(await stored(again.api)).toEqual([range(1, 40), range(1, 40)]);
    const { data } = await again.api.get<{ data: readonly { asset_id: string }[] }>(
      "/equipment/quarantine",
    );
    expect(data.map(({ asset_id }) => asset_id).sort()).toEqual(["truck-1", "truck-2"]);
    await again.stop();
    expect((await gaps(dataDir))[0]).toMatchObject({
      cause: "checkpoint_past_end",
      data: { reader: "records" },
    });
  });
});

/** Zeroes the last records of the newest segment that has any. */
function removeRecords(journal: string, count: number): void {
  const segment = usedSegmentFiles(journal).at(-1);
  if (segment === undefined) throw new Error(`no records in ${readdirSync(journal)}`);
  tamper(segment, (bytes) => bytes.fill(0, recordRanges(bytes).at(-count)?.start));
}
