import { randomUUID } from "node:crypto";
import { copyFile, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../domain/errors.ts";
import { writeFileAtomically } from "../data-folder/small-file.ts";
import { syncFolder } from "../data-folder/sync-folder.ts";
import type { Hole, JournalRecovery } from "../ports/journal.ts";
import { Cursors, cursorsPath, encodeCursors, UUID } from "./cursors.ts";
import { type JournalFiles, nodeFiles, writeFully } from "./files.ts";
import { loadStart, openSegmentLoader, type SegmentLoader } from "./load-segment.ts";
import { recordSeed } from "./record-codec.ts";
import { Segment, segmentOrdinal, segmentPath } from "./segment.ts";
import { decodeHeader, HEADER_BYTES } from "./segment-header.ts";
import { firstSequenceWithoutHeader, type ScanFindings, scanSegment } from "./segment-scan.ts";
import type { Spare } from "./spare-segments.ts";

/** What the folder of a journal held, after its tail was cut and synced. */
export interface RecoveredFolder {
  readonly id: string;
  readonly seed: number;
  readonly cursors: Cursors;
  /** By rising ordinal; appending goes on in the last one. */
  readonly segments: readonly Segment[];
  readonly spare: Spare | undefined;
  readonly nextOrdinal: number;
  readonly nextSequence: number;
  readonly records: number;
  readonly cutBytes: number;
  readonly created: boolean;
  readonly holes: readonly Hole[];
  readonly passedHoles: readonly Hole[];
  readonly setAside: readonly string[];
  readonly remade: NonNullable<JournalRecovery["remade"]>;
}

interface FoundFile {
  readonly ordinal: number;
  readonly path: string;
  readonly capacity: number;
  readonly journalId: string | undefined;
  /** `undefined` when the header cannot be read. */
  readonly firstSequence: number | undefined;
}

/**
 * Reads every segment whole, checks every record, cuts the tail and makes all of it durable.
 * @throws DomainError `JOURNAL_CORRUPT` for segments of another journal, `SCHEMA_TOO_NEW`.
 */
export async function recoverFolder(
  dir: string,
  files: JournalFiles,
  segmentBytes: number,
): Promise<RecoveredFolder> {
  const found = await findFiles(dir);
  const { id, created, problem: idProblem } = await journalId(dir, found);
  const seed = recordSeed(id);
  // So that a journal without the file has lost it.
  if (created) await writeFileAtomically(cursorsPath(dir), encodeCursors(id, {}));
  const cursors = await Cursors.load(dir, id);
  const largest = found.reduce((bytes, { capacity }) => Math.max(bytes, capacity), 0);
  const loader = openSegmentLoader(largest);
  const {
    used,
    torn,
    spare,
    setAside: unreadable,
  } = await sortOut(found, loader, seed, files, segmentBytes);

  const segments: Segment[] = [];
  const setAside = [...unreadable];
  const holes: Hole[] = [];
  let records = 0;
  let cutBytes = torn;
  for (const [i, file] of used.entries()) {
    const nextSequence = used[i + 1]?.firstSequence ?? Number.POSITIVE_INFINITY;
    const segment = new Segment(dir, file.ordinal, file.capacity, file.firstSequence);
    const loaded = await loader(file);
    const findings = scanSegment(loaded.bytes, segment, { nextSequence, seed, used: loaded.used });
    segments.push(segment);
    records += findings.records;
    holes.push(...findings.holes);
    // What a header and the records behind it said is gone with them, though no reader may lack it.
    if (findings.holes.length > 0 || findings.cutsRecords || file.isGuessed)
      setAside.push(await keepCopy(dir, segment));
    if (i === used.length - 1) {
      cutBytes += findings.cutBytes;
      await cutTail(segment, findings, files);
    }
  }
  await syncFolder(dir);

  // A cursor only ever passes synced records: what it has passed did exist, and its sequences are
  // never given out again.
  const last = segments.at(-1)?.lastSequence ?? 0;
  const proven = Math.max(last, cursors.fastestDurable);
  if (proven > last) holes.push({ fromSequence: last + 1, toSequence: proven });
  // A segment is not deleted before every cursor has passed it.
  const [oldest] = used;
  const passed = cursors.slowestDurable;
  if (oldest?.isGuessed && oldest.firstSequence > passed + 1) {
    holes.unshift({ fromSequence: passed + 1, toSequence: oldest.firstSequence - 1 });
  }
  return {
    id,
    seed,
    cursors,
    segments,
    spare,
    nextOrdinal: (found.at(-1)?.ordinal ?? 0) + 1,
    nextSequence: proven + 1,
    records,
    cutBytes,
    created,
    holes: holes.filter((hole) => hole.toSequence > passed),
    passedHoles: holes.filter((hole) => hole.toSequence <= passed),
    setAside,
    remade: [
      ...(idProblem === undefined ? [] : [{ file: "id", problem: idProblem }]),
      ...(cursors.problem === undefined
        ? []
        : [{ file: "cursors.json", problem: `${cursors.problem}: every reader began anew` }]),
    ],
  };
}

async function findFiles(dir: string): Promise<readonly FoundFile[]> {
  const names = await readdir(dir);
  // What was being made when the process went down, and never counted.
  for (const name of names) if (name.endsWith(".new")) await unlink(join(dir, name));
  const ordinals = names.map(segmentOrdinal).filter((ordinal) => ordinal !== undefined);
  const found: FoundFile[] = [];
  for (const ordinal of ordinals.sort((a, b) => a - b)) {
    const path = segmentPath(dir, ordinal);
    const capacity = (await stat(path)).size;
    const file = { ordinal, path, capacity, journalId: undefined, firstSequence: undefined };
    const header = decodeHeader(await loadStart(path, Math.min(capacity, HEADER_BYTES)));
    found.push({ ...file, ...header, ordinal });
  }
  return found;
}

/** The id in the folder; without one, the id of its segments; else a new one. */
async function journalId(
  dir: string,
  found: readonly FoundFile[],
): Promise<{
  readonly id: string;
  readonly created: boolean;
  readonly problem: string | undefined;
}> {
  const path = join(dir, "id");
  const text = (await readFile(path, "utf8").catch(() => "")).trim();
  const kept = UUID.test(text) ? text : undefined;
  const ofSegments = found.find((file) => file.journalId !== undefined)?.journalId;
  const id = kept ?? ofSegments ?? randomUUID();
  const stranger = found.find((file) => file.journalId !== undefined && file.journalId !== id);
  if (stranger !== undefined) {
    throw new DomainError("JOURNAL_CORRUPT", `${stranger.path} belongs to another journal`);
  }
  if (kept === undefined) await writeFileAtomically(path, `${id}\n`);
  const created = kept === undefined && ofSegments === undefined;
  const isLost = kept === undefined && (!created || text !== "");
  return { id, created, problem: isLost ? "it held no id" : undefined };
}

/** A segment that holds records. */
interface UsedFile extends FoundFile {
  readonly firstSequence: number;
  /** Whether its header could not be read: records before the first one that can be may be missing. */
  readonly isGuessed: boolean;
}

interface Sorted {
  readonly used: readonly UsedFile[];
  /** Bytes of segments without one record that counts: first commits that never were synced. */
  readonly torn: number;
  /** New names of those segments. */
  readonly setAside: readonly string[];
  readonly spare: Spare | undefined;
}

/** Parts the segments that hold records from those that were made ahead and never used. */
async function sortOut(
  found: readonly FoundFile[],
  load: SegmentLoader,
  seed: number,
  files: JournalFiles,
  segmentBytes: number,
): Promise<Sorted> {
  const used: UsedFile[] = [];
  const setAside: string[] = [];
  let torn = 0;
  let spare: Spare | undefined;
  for (const file of found) {
    const { firstSequence } = file;
    if (firstSequence !== undefined) {
      used.push({ ...file, firstSequence, isGuessed: false });
      continue;
    }
    const { bytes, used: garbage } = await load(file);
    const guessed = firstSequenceWithoutHeader(bytes, seed, garbage);
    if (guessed !== undefined) {
      used.push({ ...file, firstSequence: guessed, isGuessed: true });
      continue;
    }
    torn += garbage;
    if (garbage === 0 && file === found.at(-1) && file.capacity === segmentBytes) {
      spare = {
        ordinal: file.ordinal,
        capacity: segmentBytes,
        file: await files.open(file.path, "r+"),
      };
    } else if (garbage === 0) {
      await unlink(file.path);
    } else {
      setAside.push(`${file.path}.damaged`);
      await rename(file.path, `${file.path}.damaged`);
    }
  }
  return { used, torn, spare, setAside };
}

/** Keeps a copy of the damaged file under another name; a later start makes the same one again. */
async function keepCopy(dir: string, segment: Segment): Promise<string> {
  const copy = `${segment.path}.damaged-${segment.lastSequence}`;
  await copyFile(segment.path, `${copy}.new`);
  const handle = await nodeFiles.open(`${copy}.new`, "r+");
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(`${copy}.new`, copy);
  await syncFolder(dir);
  return copy;
}

/**
 * Zeroes what is behind the last record. Syncs in any case: after a crash the records found may be
 * in the page cache only, and readers are about to act on them.
 */
async function cutTail(
  segment: Segment,
  { cutBytes }: ScanFindings,
  files: JournalFiles,
): Promise<void> {
  const file = await files.open(segment.path, "r+");
  try {
    if (cutBytes > 0) await writeFully(file, [new Uint8Array(cutBytes)], segment.end);
    await file.datasync();
  } finally {
    await file.close();
  }
}
