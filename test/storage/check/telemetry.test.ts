import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkTelemetry } from "../../../storage/check/check-telemetry.ts";
import { repairTelemetry } from "../../../storage/check/repair-telemetry.ts";
import { openSetAside } from "../../../storage/check/set-aside.ts";
import { BLOCK_MARK } from "../../../storage/telemetry/embedded/blocks/block.ts";
import { periodStart } from "../../../storage/telemetry/embedded/blocks/period.ts";
import { openEmbeddedTelemetryStore } from "../../../storage/telemetry/embedded/open.ts";
import { startInlineSealThread } from "../../support/inline-seal-thread.ts";
import { all, NOON_MS, point } from "../../support/telemetry-points.ts";

/** Rows of five blocks (block-cutter.ts) in one week. */
const ROWS = 5 * 2_048;
const POSITION = { journalId: "journal-a", sequence: 7 };

let dataDir: string;
let dir: string;
let file: string;

const open = () =>
  openEmbeddedTelemetryStore({ dir: join(dataDir, "telemetry") }, startInlineSealThread);

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plumbline-check-"));
  dir = join(dataDir, "telemetry", "embedded");
  file = join(dir, `period-${periodStart(NOON_MS)}.mdb`);
  const store = await open();
  const points = Array.from({ length: ROWS }, (_, i) =>
    point(NOON_MS + i * 1_000, { a: Math.sin(i) }),
  );
  await store.write(points, { journalId: "journal-a", sequence: 20_000 });
  await store.close();
});
afterEach(() => rm(dataDir, { recursive: true }));

/** Repairs from the folder alone; yields the rows that the store answers then. */
async function repair(): Promise<number> {
  const state = await checkTelemetry(dataDir, () => undefined);
  await repairTelemetry(dataDir, state, {
    backup: undefined,
    archive: undefined,
    position: POSITION,
    aside: openSetAside(dataDir, NOON_MS),
    signal: new AbortController().signal,
    onStep: () => undefined,
    nowMs: NOON_MS,
  });
  expect((await checkTelemetry(dataDir, () => undefined)).findings).toEqual([]);
  const store = await open();
  try {
    expect(store.durablePosition).toEqual(POSITION);
    return (await store.read(all())).timesMs.length;
  } finally {
    await store.close();
  }
}

async function tamper(change: (bytes: Buffer) => void): Promise<void> {
  const bytes = await readFile(file);
  change(bytes);
  await writeFile(file, bytes);
}

it("the repair of telemetry keeps four of five blocks when a bit of one has changed, and moves the old file away", async () => {
  await tamper((bytes) => {
    const at = bytes.indexOf(BLOCK_MARK) + 500;
    bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at);
  });
  const { findings } = await checkTelemetry(dataDir, () => undefined);
  expect(findings).toMatchObject([
    {
      file: `telemetry/embedded/period-${periodStart(NOON_MS)}.mdb`,
      problem: "a block of it is damaged",
      holds: expect.stringContaining("8192 rows of 1 assets can be read"),
    },
  ]);
  expect(await repair()).toBe(ROWS - 2_048);
  const [time = ""] = await readdir(join(dataDir, "damaged"));
  expect(await readdir(join(dataDir, "damaged", time, "telemetry", "embedded"))).toHaveLength(1);
});

it("the repair of telemetry finds every block again in a file whose header and index are gone", async () => {
  await tamper((bytes) => {
    for (let page = 0; page * 4_096 < bytes.length; page++) {
      const at = page * 4_096;
      // The headers (flag 8) and the leaves of the index (flag 2) carry their own number.
      const isIndex = [2, 8].includes(bytes.readUInt16LE(at + 18));
      if (isIndex && bytes.readUIntLE(at, 6) === page) bytes.fill(0, at, at + 4_096);
    }
  });
  const { findings } = await checkTelemetry(dataDir, () => undefined);
  expect(findings[0]?.problem).toContain("its header is damaged");
  expect(await repair()).toBe(ROWS);
});

it("the repair of telemetry makes a new catalog from names.log", async () => {
  await rm(join(dir, "catalog.mdb"));
  const { findings } = await checkTelemetry(dataDir, () => undefined);
  expect(findings).toMatchObject([
    { file: "telemetry/embedded/catalog.mdb", problem: "it is missing" },
  ]);
  expect(await repair()).toBe(ROWS);
});

it("the repair of telemetry makes names.log again from the catalog", async () => {
  await writeFile(join(dir, "names.log"), "damaged\n");
  expect(await repair()).toBe(ROWS);
  await rm(join(dir, "catalog.mdb"));
  expect(await repair()).toBe(ROWS);
});
