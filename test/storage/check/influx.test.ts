import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readSettings } from "../../../config/settings.ts";
import { checkFolder } from "../../../storage/check/check-folder.ts";
import { repairFolder } from "../../../storage/check/repair-folder.ts";
import { sendPoints } from "../../../storage/ports/telemetry-archive.ts";
import { openEmbeddedTelemetryStore } from "../../../storage/telemetry/embedded/open.ts";
import { runInfluxQl } from "../../../storage/telemetry/influx/influxql.ts";
import { openInfluxArchive } from "../../../storage/telemetry/influx/open.ts";
import {
  type CheckedFolder,
  damageBlock,
  heldTruth,
  NEWER,
  OLDER,
  POINTS,
  prepareCheckedFolder,
  WHOLE,
} from "../../support/checked-folder.ts";
import { INFLUXDB, openInfluxServer } from "../../support/influx-server.ts";
import { type InfluxStub, startInfluxStub } from "../../support/influx-stub.ts";
import { startInlineSealThread } from "../../support/inline-seal-thread.ts";
import { tamper } from "../../support/journal.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { all, NOON_MS } from "../../support/telemetry-points.ts";

let folder: CheckedFolder;
let dataDir: string;
beforeAll(async () => {
  folder = await prepareCheckedFolder();
});
afterAll(() => folder?.cleanUp());
beforeEach(async () => {
  dataDir = await folder.freshCopy();
  tamper(join(dataDir, NEWER), (bytes) => void damageBlock(bytes));
  await rm(join(dataDir, OLDER));
});

const options = () => ({
  dataDir,
  secretKey: undefined,
  usesPostgres: false,
  signal: new AbortController().signal,
  onStep: () => undefined,
});
const settingsOf = (url: string, database: string) =>
  readSettings({ DATA_DIR: dataDir, INFLUX_URL: url, INFLUX_DATABASE: database });

async function repair(url: string, database = "plumbline") {
  const before = await checkFolder(options());
  const { after } = await repairFolder(
    {
      ...options(),
      backupFile: undefined,
      settings: settingsOf(url, database),
      nowMs: NOON_MS,
      startThread: startInlineSealThread,
    },
    before,
  );
  return { before: before.findings, after: after.findings };
}

const absence = INFLUXDB.absent === undefined ? "" : ` (skipped: ${INFLUXDB.absent})`;

it.runIf(INFLUXDB.required)("InfluxDB is there for repairs, as required", () => {
  expect(INFLUXDB.absent).toBeUndefined();
});

describe.skipIf(INFLUXDB.absent !== undefined)(`a repair with a real InfluxDB 1${absence}`, () => {
  let server: Awaited<ReturnType<typeof openInfluxServer>>;
  const database = `check_${process.pid}`;
  beforeAll(async () => {
    server = await openInfluxServer();
  });
  afterAll(async () => {
    if (server === undefined) return;
    const target = { url: server.url, dialect: "v1", database, org: "", headers: {} } as const;
    const text = `DROP DATABASE "${database}"`;
    await runInfluxQl(target, text, { method: "POST", timeoutMs: PATIENT_MS });
    await server.close();
  });

  it("a repair with a real InfluxDB 1 takes the rows of a damaged and of a missing week from it, with the project of each asset", async () => {
    // The points are of January: the server would refuse what is older than its retention.
    const target = { url: server.url, dialect: "v1", database, org: "", headers: {} } as const;
    const archive = openInfluxArchive(target, { retentionDays: undefined });
    await archive.prepare();
    const lane = archive.openLane();
    expect(await sendPoints(lane, POINTS)).toMatchObject({ refused: [], expired: 0 });
    lane.close();

    const { before, after } = await repair(server.url, database);
    expect(before.map(({ file }) => file).sort()).toEqual([OLDER, NEWER].sort());
    expect(before.every(({ sources }) => sources.includes("InfluxDB"))).toBe(true);
    expect(after).toEqual([]);
    expect(await heldTruth(dataDir)).toMatchObject({ ...WHOLE, replayFrom: 0 });
    const store = await openEmbeddedTelemetryStore(
      { dir: join(dataDir, "telemetry") },
      startInlineSealThread,
    );
    try {
      const points = await store.export(all());
      expect([...new Set(points.map(({ projectId }) => projectId))]).toEqual(["site-1"]);
    } finally {
      await store.close();
    }
  });
});

describe("a repair from an InfluxDB that goes away", () => {
  let influx: InfluxStub;
  beforeEach(async () => {
    influx = await startInfluxStub(POINTS);
    return () => influx.close();
  });

  it.each([
    0, 1, 9,
  ])("a repair from an InfluxDB that goes away fails after %i answers, loses no finding, and the next one brings every row back", async (answers) => {
    influx.answerOnly(answers);
    await expect(repair(influx.url)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining("it is being restarted"),
    });
    const { findings } = await checkFolder(options());
    expect(findings.filter(({ store }) => store === "telemetry").length).toBeGreaterThanOrEqual(2);
    influx.answerOnly(Number.POSITIVE_INFINITY);
    expect((await repair(influx.url)).after).toEqual([]);
    expect(await heldTruth(dataDir)).toMatchObject(WHOLE);
  });

  it("a repair from an InfluxDB that goes away asks it for nothing when no week is damaged", async () => {
    await rm(dataDir, { recursive: true });
    await cp(folder.dataDir, dataDir, { recursive: true });
    await rm(join(dataDir, "journal", "cursors.json"));
    expect((await repair(influx.url)).after).toEqual([]);
    expect(influx.answered).toBe(0);
  });
});
