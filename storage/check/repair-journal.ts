import { mkdir, open, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../data-folder/small-file.ts";
import { syncFolder } from "../data-folder/sync-folder.ts";
import { cursorsPath, encodeCursors } from "../journal/cursors.ts";
import { bytesOf, recordSeed, recordSequence } from "../journal/record-codec.ts";
import { Segment, segmentOrdinal } from "../journal/segment.ts";
import {
  decodeHeader,
  encodeHeader,
  HEADER_BYTES,
  type SegmentHeader,
} from "../journal/segment-header.ts";
import { firstSequenceWithoutHeader, scanSegment } from "../journal/segment-scan.ts";
import type { BackupCopy } from "./backup-copy.ts";
import type { JournalState } from "./check-journal.ts";
import type { OnStep } from "./finding.ts";
import type { SetAsideFolder } from "./set-aside.ts";

/** What a repair of the journal is going to do. */
export interface JournalPlan {
  /** Segments that change, by file name. */
  readonly segments: readonly string[];
  /** Whether records come back that readers may have passed over. */
  readonly bringsRecords: boolean;
  /** Sequence of the oldest record that is there then; 0: none. */
  readonly oldest: number;
}

/**
 * Finds what a backup has of damaged and missing segments, and what they still hold. A segment is only ever
 * appended to, so what a backup has of it is its beginning, byte for byte.
 */
export async function planJournal(
  dataDir: string,
  state: JournalState,
  backup: BackupCopy | undefined,
): Promise<JournalPlan> {
  const damaged = new Set(state.findings.map(({ file }) => file));
  const segments: string[] = [];
  let bringsRecords = false;
  let { oldest } = state;
  for (const name of await listSegments(dataDir, backup)) {
    const own = await read(join(dataDir, "journal", name));
    const kept = await readKept(backup, name, state);
    const first = kept && decodeHeader(kept)?.firstSequence;
    const isNeeded =
      own === undefined
        ? kept !== undefined && holdsLost(kept, name, state)
        : damaged.has(`journal/${name}`);
    if (!isNeeded) continue;
    const whole = await assemble(dataDir, name, state, backup);
    if (own?.equals(whole) === true) continue;
    segments.push(name);
    if (kept === undefined || own?.subarray(0, kept.length).equals(kept) === true) continue;
    bringsRecords = true;
    if (first !== undefined && (oldest === 0 || first < oldest)) oldest = first;
  }
  return { segments, bringsRecords, oldest };
}

/**
 * Whether a backup's segment has records that are lost. Its first ones need not be: of a segment that was cut short
 * they were read, and then it was deleted.
 */
function holdsLost(kept: Buffer, name: string, { id, lost }: JournalState): boolean {
  const first = decodeHeader(kept.subarray(0, HEADER_BYTES))?.firstSequence;
  const ordinal = segmentOrdinal(name);
  if (lost.length === 0 || first === undefined || ordinal === undefined || id === undefined) {
    return false;
  }
  const segment = new Segment("", ordinal, kept.length, first);
  scanSegment(kept, segment, { nextSequence: Number.POSITIVE_INFINITY, seed: recordSeed(id) });
  return lost.some(
    ({ fromSequence, toSequence }) => fromSequence <= segment.lastSequence && first <= toSequence,
  );
}

/**
 * Does what was planned. Until all of it is done, a check finds the same damage again, so it comes last in
 * a repair.
 */
export async function repairJournal(
  dataDir: string,
  state: JournalState,
  plan: JournalPlan,
  tools: {
    readonly backup: BackupCopy | undefined;
    readonly aside: SetAsideFolder;
    readonly onStep: OnStep;
  },
): Promise<void> {
  const dir = join(dataDir, "journal");
  for (const name of plan.segments) {
    tools.onStep(`journal: ${name}`);
    const path = join(dir, name);
    const whole = await assemble(dataDir, name, state, tools.backup);
    await writeFile(`${path}.new`, whole, { mode: 0o600, flush: true });
    await tools.aside.keep(`journal/${name}`);
    await rename(`${path}.new`, path);
    await syncFolder(dir);
  }
  const lacksId = state.findings.some(({ file }) => file === "journal/id" || file === "journal");
  if (state.id !== undefined && lacksId) {
    await tools.aside.keep("journal/id");
    await writeFileAtomically(join(dir, "id"), `${state.id}\n`);
  }
}

/**
 * Makes every reader begin at the oldest record again, and keeps all segments until it has passed them:
 * what is stored already is stored once. No sequence is given out a second time.
 */
export async function rewindCursors(
  dataDir: string,
  state: JournalState,
  { oldest }: Pick<JournalPlan, "oldest">,
  aside: SetAsideFolder,
): Promise<void> {
  if (state.id === undefined) return;
  const before = Math.max(0, oldest - 1);
  const places = [...state.cursors].map(([name, at]) => [name, Math.min(at, before)] as const);
  const isDamaged = state.findings.some(({ file }) => file === "journal/cursors.json");
  if (isDamaged) await aside.keep("journal/cursors.json");
  const given = Math.max(0, state.given);
  const text = encodeCursors(state.id, Object.fromEntries(places), given);
  const dir = join(dataDir, "journal");
  // It may be gone as a whole.
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeFileAtomically(cursorsPath(dir), text);
}

/** A segment of its own bytes with those of the backup laid over them, and what both show. */
async function assemble(
  dataDir: string,
  name: string,
  state: JournalState,
  backup: BackupCopy | undefined,
): Promise<Buffer> {
  const own = await read(join(dataDir, "journal", name));
  const kept = await readKept(backup, name, state);
  const bytes = Buffer.alloc(Math.max(own?.length ?? 0, kept?.length ?? 0));
  own?.copy(bytes);
  kept?.copy(bytes);
  const ordinal = segmentOrdinal(name);
  if (state.id === undefined || ordinal === undefined) return bytes;
  const seed = recordSeed(state.id);
  if (decodeHeader(bytes.subarray(0, HEADER_BYTES)) === undefined) {
    const first = firstSequenceWithoutHeader(bytes, seed);
    // Only where no record can have been in front of it.
    if (first === undefined || recordSequence(bytesOf(bytes), HEADER_BYTES) !== first) return bytes;
    bytes.set(encodeHeader({ journalId: state.id, ordinal, firstSequence: first }));
  }
  const header = decodeHeader(bytes.subarray(0, HEADER_BYTES));
  const nextSequence = await firstBehind(dataDir, name, backup);
  const segment = new Segment(
    join(dataDir, "journal"),
    ordinal,
    bytes.length,
    header?.firstSequence ?? 0,
  );
  const { holes } = scanSegment(bytes, segment, { nextSequence, seed });
  // As the service cuts a commit that a crash interrupted.
  return holes.length > 0 ? bytes : bytes.fill(0, segment.end);
}

/** First sequence of the segment behind one; `Infinity` for the last. */
async function firstBehind(
  dataDir: string,
  name: string,
  backup: BackupCopy | undefined,
): Promise<number> {
  for (const other of await listSegments(dataDir, backup)) {
    if (other <= name) continue;
    for (const dir of [dataDir, backup?.dir]) {
      const header = dir === undefined ? undefined : await readHeader(join(dir, "journal", other));
      if (header !== undefined) return header.firstSequence;
    }
  }
  return Number.POSITIVE_INFINITY;
}

/** Names of all segments of a folder and of a backup, oldest first. */
async function listSegments(
  dataDir: string,
  backup: BackupCopy | undefined,
): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const dir of [dataDir, backup?.dir]) {
    if (dir === undefined) continue;
    const found = await readdir(join(dir, "journal")).catch(() => []);
    for (const name of found) if (segmentOrdinal(name) !== undefined) names.add(name);
  }
  return [...names].sort();
}

/** What a backup has of a segment of this journal. */
async function readKept(
  backup: BackupCopy | undefined,
  name: string,
  { id }: JournalState,
): Promise<Buffer | undefined> {
  const kept = backup && (await read(join(backup.dir, "journal", name)));
  const header = kept && decodeHeader(kept.subarray(0, HEADER_BYTES));
  return header !== undefined && header.journalId === id ? kept : undefined;
}

async function readHeader(path: string): Promise<SegmentHeader | undefined> {
  const file = await open(path, "r").catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const bytes = Buffer.alloc(HEADER_BYTES);
    await file.read(bytes, 0, HEADER_BYTES, 0);
    return decodeHeader(bytes);
  } finally {
    await file.close();
  }
}

const read = (path: string): Promise<Buffer | undefined> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
