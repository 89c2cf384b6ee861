import { cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { lockFolder } from "../../../storage/data-folder/folder-lock.ts";
import { type MigrationResult, migrateData } from "../../../storage/migration/migrate-data.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import {
  ArchiveUnavailable,
  type TelemetryArchive,
} from "../../../storage/ports/telemetry-archive.ts";
import type { TelemetryPoint } from "../../../storage/ports/telemetry-store.ts";
import { openRecordStore } from "../../../storage/records/open.ts";
import { openEmbeddedTelemetryStore } from "../../../storage/telemetry/embedded/open.ts";
import {
  camera,
  capture,
  captureId,
  completed,
  estimate,
  label,
  observation,
  report,
  reportId,
  schedule,
  scheduleId,
  view,
  workZone,
  zoneId,
} from "../../contracts/records/progress-rows.ts";
import { measurement, stockpile } from "../../contracts/records/stockpile-rows.ts";
import { freshDataDir, PGLITE, type TestRecords } from "../../support/databases.ts";
import { openMemoryTelemetryStore } from "../../support/memory-telemetry-store.ts";
import { pointLane } from "../../support/point-lane.ts";

const NOON_MS = Date.UTC(2026, 2, 5, 12);
const DAY_MS = 86_400_000;
const ASSETS = ["crane-1", "truck-1", "truck-2"] as AssetId[];
const POINTS = 100;
const MEASURED = measurement("m1");
const YARD = "yard" as ProjectId;
const ZONE = zoneId("z1");
const SEEN = view("i1", { features: Float32Array.of(0.1, -0, 3e-39) });
const JOURNAL = { journalId: "0c1d5e1e-3ad4-4b4c-9a55-2f8d5b9f6e01", sequence: 9 };

/** An archive in memory that may lose, spoil or refuse what it is sent. */
function memoryArchive(
  deliver: (points: readonly TelemetryPoint[]) => readonly TelemetryPoint[] = (points) => points,
) {
  const store = openMemoryTelemetryStore();
  const sent: TelemetryPoint[] = [];
  const archive: TelemetryArchive = {
    name: "an archive of the test",
    prepare: async () => undefined,
    newestFixTime: async () => undefined,
    openLane: () =>
      pointLane(async (points) => {
        await store.write(deliver(points), JOURNAL);
        sent.push(...points);
        return { written: points.length, refused: [], expired: 0 };
      }),
    read: (query) => store.read(query),
  };
  return { archive, sent };
}

/** One row at least of every table of the progress area. */
async function insertProgress(records: RecordStore): Promise<void> {
  const of = { project_id: YARD };
  await records.workZones.insert(workZone("z1", of));
  await records.siteCameras.insert(camera("k1", of));
  await records.schedules.add(YARD, "f1", (revision) => schedule("sch", revision, of));
  await records.captures.insert(capture("c1", of));
  await records.captures.complete(
    completed(
      "c1",
      15,
      { ...of, estimates: [estimate("z1")] },
      { report: report("r1", of), datum: { version: 1 }, views: [SEEN] },
    ),
  );
  await records.workZones.addObservation(observation("o1", of));
  await records.siteCameras.addLabel(label("l1", SEEN));
}

/** Fills the stores of a data folder, with the records of one project and the telemetry of three assets. */
async function fillSource(from: string): Promise<void> {
  const records = await openRecordStore({
    dataDir: join(from, "records"),
    databaseUrl: undefined,
  });
  await records.projects.insert({
    id: "yard" as ProjectId,
    name: "Yard",
    location: { latitude: 52.5, longitude: 13.4 },
    time_zone: "UTC",
    shift: { start: "00:00", end: "24:00" },
    created_at: "2026-03-05T12:00:00.000Z",
    updated_at: "2026-03-05T12:00:00.000Z",
  });
  const pile = stockpile("s1", { project_id: "yard" as ProjectId });
  await records.stockpiles.insert(pile);
  await records.stockpiles.addMeasurement(pile.id, MEASURED.job_id, () => ({
    stockpile: pile,
    measurement: MEASURED,
    events: [],
  }));
  await insertProgress(records);
  await records.close();
  const telemetry = await openEmbeddedTelemetryStore({ dir: join(from, "telemetry") });
  for (const assetId of ASSETS) {
    const points = Array.from({ length: POINTS }, (_, i) => ({
      assetId,
      projectId: "yard" as ProjectId,
      // Over four days, so that each asset is copied in parts.
      fixTimeMs: NOON_MS - 4 * DAY_MS + i * 3_456_000,
      seq: -1,
      payloadHash: i,
      fields: { speed_kmh: i / 3 },
    }));
    await telemetry.write(points, JOURNAL);
  }
  await telemetry.close();
}

describe("the migration", () => {
  let source: string;
  let from: string;
  let target: TestRecords;
  beforeAll(async () => {
    target = await PGLITE.open();
    source = await freshDataDir();
    await fillSource(source);
  });
  afterAll(async () => {
    await target.close();
    await rm(source, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await target.reset();
    from = await freshDataDir();
    // A copy is some seconds cheaper than a new database.
    await cp(source, from, { recursive: true });
  });
  afterEach(() => rm(from, { recursive: true, force: true }));

  function run(archive: TelemetryArchive, signal?: AbortSignal): Promise<MigrationResult> {
    return migrateData({
      from,
      database: target.database,
      archive,
      retentionDays: 90,
      nowMs: NOON_MS,
      signal: signal ?? new AbortController().signal,
      onStep: () => undefined,
    });
  }

  it("the migration copies everything, compares it and leaves no trace", async () => {
    const { archive } = memoryArchive();
    const result = await run(archive);
    expect(result).toMatchObject({ assets: 3, points: 3 * POINTS, isResumed: false });
    expect(await target.store.projects.list()).toMatchObject([{ id: "yard" }]);
    const { id, stockpile_id } = MEASURED;
    expect(await target.store.stockpiles.findMeasurement(stockpile_id, id)).toEqual(MEASURED);
    const { schedules, captures, progressReports, siteCameras, workZones } = target.store;
    expect(await schedules.find(scheduleId("sch"))).toMatchObject({ tasks: [{ name: "Aushub" }] });
    expect(await captures.datum(YARD)).toEqual({ version: 1 });
    expect(await progressReports.find(reportId("r1"))).toMatchObject({ report: { revision: 1 } });
    expect(await captures.estimates([ZONE], NOON_MS * 2)).toHaveLength(1);
    expect(await workZones.observations([ZONE], NOON_MS * 2)).toHaveLength(1);
    const features = SEEN.features;
    expect(await siteCameras.views(captureId("c1"))).toMatchObject([{ features }]);
    expect(await siteCameras.labels([ZONE])).toMatchObject([{ features }]);
    expect(await readdir(from)).not.toContain("migrate-data.json");
  });

  it("the migration leaves points behind that are about to expire", async () => {
    const telemetry = await openEmbeddedTelemetryStore({ dir: join(from, "telemetry") });
    const old = NOON_MS - 89.5 * DAY_MS;
    const base = { projectId: "yard" as ProjectId, seq: -1, payloadHash: 1, fields: { a: 1 } };
    await telemetry.write([{ assetId: ASSETS[0] as AssetId, fixTimeMs: old, ...base }], JOURNAL);
    await telemetry.close();
    const { archive, sent } = memoryArchive();
    expect((await run(archive)).points).toBe(3 * POINTS);
    expect(sent.filter(({ fixTimeMs }) => fixTimeMs === old)).toEqual([]);
  });

  it.each([
    [
      "loses a point",
      (points: readonly TelemetryPoint[]) => points.slice(1),
      /points here, .* there/,
    ],
    [
      "changes the last bit of a value",
      (points: readonly TelemetryPoint[]) =>
        points.map((point, i) =>
          i === 3
            ? { ...point, fields: { speed_kmh: (point.fields["speed_kmh"] ?? 0) * (1 + 2 ** -52) } }
            : point,
        ),
      /other values/,
    ],
  ])("the migration finds out when the other side %s", async (_, deliver, message) => {
    const { archive } = memoryArchive(deliver);
    await expect(run(archive)).rejects.toMatchObject({
      code: "MIGRATION_FAILED",
      message: expect.stringMatching(message),
    });
  });

  it("the migration finds out when a row differs at the end", async () => {
    const { archive } = memoryArchive();
    const spoiling: TelemetryArchive = {
      ...archive,
      async read(query) {
        return archive.read(query);
      },
      openLane() {
        void target.database.query("UPDATE projects SET longitude = 13.5");
        return archive.openLane();
      },
    };
    await expect(run(spoiling)).rejects.toMatchObject({
      message: expect.stringContaining("table projects: other content in its 1 rows"),
    });
  });

  it("the migration goes on where it was when the server was away", async () => {
    let left = 5;
    const { archive, sent } = memoryArchive((points) => {
      left -= 1;
      if (left < 0) throw new ArchiveUnavailable({ kind: "hold", reason: "401: who are you?" });
      return points;
    });
    await expect(run(archive)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: "an archive of the test: 401: who are you?",
    });
    const before = sent.length;
    left = Number.POSITIVE_INFINITY;
    const result = await run(archive);
    expect(before).toBeGreaterThan(0);
    expect(result).toMatchObject({ points: 3 * POINTS, isResumed: true });
    // Nothing that was noted is sent a second time.
    expect(sent.length).toBe(3 * POINTS);
  });

  it("the migration stops when asked to, and goes on later", async () => {
    const stopping = new AbortController();
    const { archive, sent } = memoryArchive((points) => {
      if (sent.length > 0) stopping.abort();
      return points;
    });
    await expect(run(archive, stopping.signal)).rejects.toMatchObject({ name: "AbortError" });
    expect(await run(archive)).toMatchObject({ points: 3 * POINTS, isResumed: true });
  });

  it("the migration begins anew when the source has changed since", async () => {
    const { archive } = memoryArchive((points) => {
      if (points.length > 0 && sendsNothing)
        throw new ArchiveUnavailable({ kind: "hold", reason: "no" });
      return points;
    });
    let sendsNothing = true;
    await expect(run(archive)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    const telemetry = await openEmbeddedTelemetryStore({ dir: join(from, "telemetry") });
    await telemetry.write([], { ...JOURNAL, sequence: 10 });
    await telemetry.close();
    sendsNothing = false;
    // What the first run left there is not ours to replace any more.
    await expect(run(archive)).rejects.toMatchObject({
      message: expect.stringContaining("not empty"),
    });
    await target.reset();
    expect((await run(archive)).isResumed).toBe(false);
  });

  it("the migration refuses a source that a service has open, and a target with rows", async () => {
    const { archive } = memoryArchive();
    const lock = await lockFolder(join(from, "journal"));
    await expect(run(archive)).rejects.toMatchObject({ code: "STORE_LOCKED" });
    await lock.release();
    await target.database.query("INSERT INTO project_ids VALUES ('theirs')");
    await expect(run(archive)).rejects.toMatchObject({
      message: expect.stringContaining("the table project_ids has rows"),
    });
  });
});
