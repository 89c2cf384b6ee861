import { createWriteStream } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ArchiveWriter } from "../../storage/backup/archive-writer.ts";
import { encodeCursors } from "../../storage/journal/cursors.ts";
import { openJournal } from "../../storage/journal/journal.ts";
import type { TelemetryPoint } from "../../storage/ports/telemetry-store.ts";
import { BLOCK_MARK } from "../../storage/telemetry/embedded/blocks/block.ts";
import { PERIOD_MS, periodStart } from "../../storage/telemetry/embedded/blocks/period.ts";
import { openEmbeddedTelemetryStore } from "../../storage/telemetry/embedded/open.ts";
import { startInlineSealThread } from "./inline-seal-thread.ts";
import { append, bodyOf, openSmall, range, readAll, usedSegmentFiles } from "./journal.ts";
import { all, NOON_MS, point, type Row, rowsOf } from "./telemetry-points.ts";

/** Records of the journal; the backup has those up to `KEPT`. A segment of 4 KiB holds some 70. */
const RECORDS = 200;
const KEPT = 170;
/** Rows of two blocks (block-cutter.ts) in the newer week; the older one has a block. */
const ROWS = 2_048 + 400;
const OLDER_ROWS = 100;

/** Every point that was stored. */
export const POINTS: readonly TelemetryPoint[] = [
  ...Array.from({ length: OLDER_ROWS }, (_, i) =>
    point(NOON_MS - PERIOD_MS + i * 1_000, { a: i, b: 100 - i }),
  ),
  ...Array.from({ length: ROWS }, (_, i) => point(NOON_MS + i * 1_000, { a: Math.sin(i) })),
];

/** Files of the two weeks, below the data folder. */
export const NEWER = `telemetry/embedded/period-${periodStart(NOON_MS)}.mdb`;
export const OLDER = `telemetry/embedded/period-${periodStart(NOON_MS - PERIOD_MS)}.mdb`;

/** A data folder with a journal and two weeks of telemetry and no database, which makes a check fast. */
export interface CheckedFolder {
  /** Removed by `cleanUp`; the data folder and the backup are in it. */
  readonly root: string;
  readonly dataDir: string;
  readonly backupFile: string;
  /** Segments with records, by name, oldest first. */
  readonly segments: readonly string[];
  /** A copy of the data folder to damage, in place of the last one. */
  freshCopy(): Promise<string>;
  cleanUp(): Promise<void>;
}

export async function prepareCheckedFolder(): Promise<CheckedFolder> {
  const root = await mkdtemp(join(tmpdir(), "plumbline-checked-"));
  const dataDir = join(root, "sound");
  const dir = join(dataDir, "journal");
  const journal = await openJournal({
    dir,
    segmentBytes: 4_096,
    minFreeBytes: 0,
    keepMs: Number.MAX_SAFE_INTEGER,
  });
  const telemetryCursor = journal.cursor("telemetry");
  const store = await openEmbeddedTelemetryStore(
    { dir: join(dataDir, "telemetry") },
    startInlineSealThread,
  );
  await store.write(POINTS, { journalId: journal.id, sequence: KEPT });
  await store.flush();
  for (const n of range(1, KEPT)) await append(journal, bodyOf(n));

  const backupFile = join(root, "backup.tar");
  const copy = join(root, "copy");
  await store.copyTo(copy);
  const archive = new ArchiveWriter();
  const written = pipeline(archive.stream, createWriteStream(backupFile));
  await archive.addFolder("telemetry/embedded", copy);
  archive.addText("journal/id", `${journal.id}\n`);
  archive.addText("journal/cursors.json", encodeCursors(journal.id, {}));
  const hold = journal.hold();
  for (const { path, bytes } of hold.synced()) {
    await archive.addFile(`journal/${basename(path)}`, path, bytes);
  }
  hold.release();
  archive.finish({
    createdAt: new Date(NOON_MS).toISOString(),
    journal: { id: journal.id, syncedSequence: KEPT },
  });
  await written;
  await rm(copy, { recursive: true });

  for (const n of range(KEPT + 1, RECORDS)) await append(journal, bodyOf(n));
  telemetryCursor.advance(RECORDS);
  await store.close();
  await journal.close();
  return {
    root,
    dataDir,
    backupFile,
    segments: usedSegmentFiles(dir).map((path) => basename(path)),
    async freshCopy() {
      const to = join(root, "case");
      await rm(to, { recursive: true, force: true });
      await cp(dataDir, to, { recursive: true });
      return to;
    },
    cleanUp: () => rm(root, { recursive: true, force: true }),
  };
}

/** What a folder holds, in a form that can be compared. */
export interface HeldTruth {
  /** Sequences of the records that can be read, with the bodies that they were written with. */
  readonly records: readonly number[];
  readonly rows: readonly Row[];
  /** Where the reader `telemetry` of the journal begins, at the latest. */
  readonly replayFrom: number;
}

/** What is held by `prepareCheckedFolder` while nothing is damaged. */
export const WHOLE: Pick<HeldTruth, "records" | "rows"> = {
  records: range(1, RECORDS),
  rows: rowsOfPoints(POINTS),
};

/** Opens the stores of a folder as the service does, and reads all that is in them. */
export async function heldTruth(dataDir: string): Promise<HeldTruth> {
  const journal = await openSmall(join(dataDir, "journal"), { keepMs: Number.MAX_SAFE_INTEGER });
  const store = await openEmbeddedTelemetryStore(
    { dir: join(dataDir, "telemetry") },
    startInlineSealThread,
  );
  try {
    const records = await readAll(journal);
    return {
      records: records
        .filter(({ body, sequence }) => Buffer.compare(body, bodyOf(sequence)) === 0)
        .map(({ sequence }) => sequence),
      rows: rowsOf(await store.read(all())),
      replayFrom: Math.max(
        journal.cursor("telemetry").sequence,
        store.durablePosition?.sequence ?? 0,
      ),
    };
  } finally {
    await store.close();
    await journal.close();
  }
}

function rowsOfPoints(points: readonly TelemetryPoint[]): Row[] {
  return points.map(({ fixTimeMs, fields }) => ({ t: fixTimeMs, ...fields }));
}

/** Flips a bit of the first block of a period file. */
export function damageBlock(bytes: Buffer): void {
  const at = bytes.indexOf(BLOCK_MARK) + 500;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at);
}
