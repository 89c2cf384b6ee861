import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readSettings } from "../../../config/settings.ts";
import { type CheckOptions, checkFolder } from "../../../storage/check/check-folder.ts";
import { type RepairResult, repairFolder } from "../../../storage/check/repair-folder.ts";
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
import { watchCrashes } from "../../support/crash-images.ts";
import { type InfluxStub, startInfluxStub } from "../../support/influx-stub.ts";
import { startInlineSealThread } from "../../support/inline-seal-thread.ts";
import { tamper } from "../../support/journal.ts";
import { NOON_MS } from "../../support/telemetry-points.ts";

let folder: CheckedFolder;
let influx: InfluxStub;
let dataDir: string;

beforeAll(async () => {
  folder = await prepareCheckedFolder();
  influx = await startInfluxStub(POINTS);
});
afterAll(async () => {
  await influx?.close();
  await folder?.cleanUp();
});
beforeEach(async () => {
  dataDir = await folder.freshCopy();
});

interface Sources {
  readonly backup?: boolean;
  readonly influx?: boolean;
}

async function repair(
  dir: string,
  sources: Sources,
  { signal = new AbortController().signal, onStep = () => undefined }: Partial<CheckOptions> = {},
): Promise<RepairResult | undefined> {
  const options = { dataDir: dir, secretKey: undefined, usesPostgres: false, signal, onStep };
  const before = await checkFolder(options);
  if (before.findings.length === 0) return undefined;
  return repairFolder(
    {
      ...options,
      backupFile: sources.backup === true ? folder.backupFile : undefined,
      settings: readSettings({
        DATA_DIR: dir,
        ...(sources.influx === true ? { INFLUX_URL: influx.url } : {}),
      }),
      nowMs: NOON_MS,
      startThread: startInlineSealThread,
    },
    before,
  );
}

const path = (file: string) => join(dataDir, file);
const segment = (index: number) => path(`journal/${folder.segments.at(index)}`);

interface Scene {
  readonly name: string;
  readonly sources: Sources;
  /** Where replay begins then; default 0. The telemetry is durable up to record 170. */
  readonly replayFrom?: number;
  /** Newest record that is there then; default 200, all of them. */
  readonly newest?: number;
  damage(): Promise<void>;
}

const SCENES: readonly Scene[] = [
  {
    name: "a segment, cursors, names and both weeks are rebuilt from a backup",
    sources: { backup: true },
    async damage() {
      // Record 145 or so: the records behind it came after the backup.
      tamper(segment(-1), (bytes) => bytes.fill(0xa7, 300, 330));
      await rm(path("journal/cursors.json"));
      await writeFile(path("telemetry/embedded/names.log"), "damaged\n");
      tamper(path(NEWER), (bytes) => void damageBlock(bytes));
      await rm(path(OLDER));
    },
  },
  {
    name: "a missing segment is rebuilt from a backup",
    sources: { backup: true },
    damage: () => rm(segment(1)),
  },
  {
    name: "a header and an unfinished commit are mended from the segments themselves",
    sources: {},
    // No record came back that a reader may have passed over.
    replayFrom: 170,
    async damage() {
      tamper(segment(0), (bytes) => bytes.fill(0xa7, 8, 16));
      tamper(segment(-1), (bytes) => bytes.fill(0xa7, bytes.length - 40));
    },
  },
  {
    name: "the catalog is rebuilt from what can be read of it",
    sources: {},
    async damage() {
      await rm(path("telemetry/embedded/names.log"));
      tamper(path("telemetry/embedded/catalog.mdb"), (bytes) => {
        // Bits of the position, which the last byte of an entry's CRC covers.
        const at = bytes.lastIndexOf('"journalId"');
        bytes.writeUInt8(bytes.readUInt8(at + 2) ^ 1, at + 2);
      });
    },
  },
  {
    name: "all of the telemetry comes from a backup",
    sources: { backup: true },
    damage: () => rm(path("telemetry"), { recursive: true }),
  },
  {
    name: "a journal that is gone as a whole comes from a backup",
    sources: { backup: true },
    // What came after the backup is nowhere else as it came, and no store says that it was there.
    newest: 170,
    damage: () => rm(path("journal"), { recursive: true }),
  },
  {
    name: "a journal of which the cursors alone are left comes from a backup",
    sources: { backup: true },
    newest: 170,
    async damage() {
      await rm(path("journal/id"));
      for (const name of folder.segments) await rm(path(`journal/${name}`));
      const text = await readFile(path("journal/cursors.json"), "utf8");
      await writeFile(path("journal/cursors.json"), text.replace("200", "170"));
    },
  },
  {
    name: "both weeks are rebuilt from InfluxDB",
    sources: { influx: true },
    async damage() {
      tamper(path(NEWER), (bytes) => void damageBlock(bytes));
      await rm(path(OLDER));
    },
  },
];

describe.each(SCENES)("a repair in which $name", ({
  sources,
  replayFrom = 0,
  newest = WHOLE.records.length,
  damage,
}) => {
  const expected = { ...WHOLE, records: WHOLE.records.slice(0, newest) };
  it("an interrupted repair brings everything back, and a second one finds nothing to do", async () => {
    await damage();
    const result = await repair(dataDir, sources);
    expect(result?.after.findings).toEqual([]);
    expect(await repair(dataDir, sources)).toBeUndefined();
    expect(await heldTruth(dataDir)).toMatchObject({ ...expected, replayFrom });
  });

  it("an interrupted repair is completed by the next one wherever it was killed", async () => {
    await damage();
    const imagesDir = join(folder.root, "images");
    await rm(imagesDir, { recursive: true, force: true });
    await mkdir(imagesDir);
    const images = watchCrashes(dataDir, imagesDir);
    try {
      await repair(dataDir, sources, { onStep: images.take });
    } finally {
      images.stop();
    }
    const lost: string[] = [];
    for (const [i, image] of images.paths.entries()) {
      await repair(image, sources);
      const left = await repair(image, sources);
      const held = await heldTruth(image);
      const lack = {
        findings: (left?.after.findings ?? []).map(({ file, problem }) => `${file}: ${problem}`),
        records: newest - held.records.length,
        rows: WHOLE.rows.length - held.rows.length,
        replayFrom: held.replayFrom,
      };
      const none = { findings: [], records: 0, rows: 0, replayFrom };
      if (JSON.stringify(lack) !== JSON.stringify(none)) {
        lost.push(`${i} behind "${images.moments[i]}": ${JSON.stringify(lack)}`);
      }
    }
    expect(lost).toEqual([]);
    expect(images.paths.length).toBeGreaterThan(2);
  });

  it("an interrupted repair is completed by the next one at whatever step Ctrl-C ended it", async () => {
    await damage();
    for (let step = 1; ; step++) {
      const stopping = new AbortController();
      let steps = 0;
      const onStep = () => {
        if (++steps === step) stopping.abort();
      };
      const end = await repair(dataDir, sources, { signal: stopping.signal, onStep }).catch(
        (error: Error) => error,
      );
      if (steps < step) break;
      if (end instanceof Error) expect(end.name).toBe("AbortError");
    }
    expect(await heldTruth(dataDir)).toMatchObject(expected);
  });
});
