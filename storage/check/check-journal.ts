import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  cursorsPath,
  journalOfCursors,
  parseCursors,
  type SavedCursors,
  UUID,
} from "../journal/cursors.ts";
import { bytesOf, recordSeed, recordSequence } from "../journal/record-codec.ts";
import { Segment, segmentOrdinal, segmentPath } from "../journal/segment.ts";
import { decodeHeader, HEADER_BYTES, type SegmentHeader } from "../journal/segment-header.ts";
import { firstSequenceWithoutHeader, scanSegment, usedBytes } from "../journal/segment-scan.ts";
import type { Hole, JournalPosition } from "../ports/journal.ts";
import { type Finding, type OnStep, spanText } from "./finding.ts";
import { textOfHoles } from "./lost-records.ts";

/** What the journal of a data folder holds. */
export interface JournalState {
  readonly findings: readonly Finding[];
  /** `undefined`: there is no journal. */
  readonly id: string | undefined;
  /** Sequences of the oldest and the newest record that can be read; 0 and -1: none. */
  readonly oldest: number;
  readonly newest: number;
  /** By name of the reader; empty when the file cannot be read. */
  readonly cursors: ReadonlyMap<string, number>;
  /** The last sequence that is known to have been given out, whether its record is there or not. */
  readonly given: number;
  /** Records that cannot be read. */
  readonly lost: readonly Hole[];
}

interface SegmentFile {
  readonly path: string;
  readonly bytes: Buffer;
  readonly header: SegmentHeader | undefined;
  readonly ordinal: number;
}

/**
 * Reads every record of the journal and changes nothing. `stored` is the place in it that the stores have
 * come to; it names the journal when no file of the journal does.
 */
export async function checkJournal(
  dataDir: string,
  onStep: OnStep,
  stored: JournalPosition | undefined,
): Promise<JournalState> {
  const dir = join(dataDir, "journal");
  const files = await readSegments(dir, onStep);
  const isGone =
    files.length === 0 && !["id", "cursors.json"].some((name) => existsSync(join(dir, name)));
  if (isGone && stored !== undefined && stored.sequence > 0) return goneJournal(stored);
  const id = await idOf(dir, files, stored);
  const findings: Finding[] = [];
  const add = (file: string, problem: string, holds: string, sources: readonly string[]) =>
    findings.push({ store: "journal", file: `journal/${file}`, problem, holds, sources });

  if (id.problem !== undefined) add("id", id.problem, "the name of the journal", id.sources);
  const seed = recordSeed(id.id ?? "");
  const used: (SegmentFile & { readonly first: number })[] = [];
  for (const file of files) {
    if (file.header !== undefined && file.header.journalId !== id.id) {
      add(basename(file.path), "it belongs to another journal", "its records", []);
      continue;
    }
    const first = file.header?.firstSequence ?? firstSequenceWithoutHeader(file.bytes, seed);
    if (first !== undefined) used.push({ ...file, first });
    else if (usedBytes(file.bytes) > 0) {
      add(basename(file.path), "no record in it can be read", "records", ["a backup"]);
    }
  }
  const missing: Hole[] = [];
  let oldest = 0;
  let newest = -1;
  for (const [i, file] of used.entries()) {
    const next = used[i + 1];
    const segment = new Segment(dir, file.ordinal, file.bytes.length, file.first);
    const nextSequence = next?.first ?? Number.POSITIVE_INFINITY;
    const { holes, records, cutBytes } = scanSegment(file.bytes, segment, { nextSequence, seed });
    if (records > 0) {
      oldest ||= file.first;
      newest = Math.max(newest, segment.lastSequence);
    }
    missing.push(...holes);
    const lost = textOfHoles(holes);
    const problem =
      lost !== ""
        ? `records ${lost} cannot be read`
        : file.header === undefined
          ? "its header is damaged"
          : cutBytes > 0
            ? `${cutBytes} bytes behind record ${segment.lastSequence} are not a whole record`
            : undefined;
    if (problem === undefined) continue;
    const holds =
      records === 0 ? "no record" : `${records} records, ${spanOf(file.bytes, segment)}`;
    add(basename(file.path), problem, holds, lost === "" ? ["itself"] : ["a backup"]);
  }
  const { places, given } = await checkCursors(dir, { id: id.id, stored }, add);
  const cursors = new Map(places);
  const passed = Math.max(given, newest, 0, ...cursors.values());
  if (passed > Math.max(0, newest)) {
    const from = Math.max(1, newest + 1);
    missing.push({ fromSequence: from, toSequence: passed });
    add(".", `records ${from} to ${passed} are gone`, "messages as they came", ["a backup"]);
  }
  return { findings, id: id.id, oldest, newest, cursors, given: passed, lost: missing };
}

/** Neither a segment nor the files beside them are there. */
function goneJournal({ journalId, sequence }: JournalPosition): JournalState {
  return {
    findings: [
      {
        store: "journal",
        file: "journal",
        problem: "it is gone",
        holds: `messages as they came; the stores have the content of those up to record ${sequence}`,
        sources: ["a backup"],
      },
    ],
    id: journalId,
    oldest: 0,
    newest: -1,
    // If the telemetry is gone too, it had readings.
    cursors: new Map([["telemetry", sequence]]),
    given: sequence,
    lost: [{ fromSequence: 1, toSequence: sequence }],
  };
}

async function readSegments(dir: string, onStep: OnStep): Promise<readonly SegmentFile[]> {
  const names = existsSync(dir) ? await readdir(dir) : [];
  const ordinals = names.map(segmentOrdinal).filter((ordinal) => ordinal !== undefined);
  const files: SegmentFile[] = [];
  for (const ordinal of ordinals.sort((a, b) => a - b)) {
    const path = segmentPath(dir, ordinal);
    onStep(`journal: ${basename(path)}`);
    const bytes = await readFile(path);
    files.push({ path, bytes, ordinal, header: decodeHeader(bytes.subarray(0, HEADER_BYTES)) });
  }
  return files;
}

/**
 * The id of the folder's file. If that cannot be read, or differs from all segments, the id of the segments,
 * of the cursors or of the stores.
 */
async function idOf(
  dir: string,
  files: readonly SegmentFile[],
  stored: JournalPosition | undefined,
) {
  const ofSegments = files.map(({ header }) => header?.journalId).find((id) => id !== undefined);
  const text = (await readFile(join(dir, "id"), "utf8").catch(() => "")).trim();
  const kept = UUID.test(text) ? text : undefined;
  const ofCursors = journalOfCursors(await readFile(cursorsPath(dir), "utf8").catch(() => ""));
  const others = [
    { id: ofSegments, source: "the segments" },
    { id: ofCursors, source: "cursors.json" },
    { id: stored?.journalId, source: "the stores" },
  ].find(({ id }) => id !== undefined);
  const sources = others === undefined ? [] : [others.source];
  const hasFiles = files.length > 0 || ofCursors !== undefined || existsSync(join(dir, "id"));
  if (kept === undefined && hasFiles) {
    return { id: others?.id, problem: "it holds no id", sources };
  }
  const isAlone =
    ofSegments !== undefined && files.every(({ header }) => header?.journalId !== kept);
  if (isAlone) return { id: ofSegments, problem: "it is not the id of the segments", sources };
  return { id: kept, problem: undefined, sources };
}

async function checkCursors(
  dir: string,
  { id, stored }: { readonly id: string | undefined; readonly stored: JournalPosition | undefined },
  add: (file: string, problem: string, holds: string, sources: readonly string[]) => void,
): Promise<SavedCursors> {
  if (id === undefined) return { places: [], given: 0 };
  const text = await readFile(cursorsPath(dir), "utf8").catch(() => undefined);
  const saved = text === undefined ? undefined : parseCursors(text, id);
  if (saved !== undefined) return saved;
  const problem = text === undefined ? "it is missing" : "it cannot be read";
  add("cursors.json", problem, "how far each reader has come", ["the journal"]);
  return { places: [], given: stored?.journalId === id ? stored.sequence : 0 };
}

/** Times of the first and the newest record, by the server's clock. */
function spanOf(file: Buffer, segment: Segment): string {
  const bytes = bytesOf(file);
  const isFirst = recordSequence(bytes, HEADER_BYTES) === segment.firstSequence;
  const fromMs = isFirst ? bytes.view.getFloat64(HEADER_BYTES + 16, true) : segment.newestMs;
  return spanText(fromMs, segment.newestMs);
}
