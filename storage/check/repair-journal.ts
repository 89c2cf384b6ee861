import { open, readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { cursorsPath, encodeCursors } from "../journal/cursors.ts";
import { writeFileAtomically } from "../journal/files.ts";
import { segmentOrdinal } from "../journal/segment.ts";
import { decodeHeader, HEADER_BYTES } from "../journal/segment-header.ts";
import { syncFolder } from "../sync-folder.ts";
import type { BackupCopy } from "./backup-copy.ts";
import type { JournalState } from "./check-journal.ts";
import type { OnStep } from "./finding.ts";
import type { SetAsideFolder } from "./set-aside.ts";

/**
 * Puts back what a backup has of damaged segments, and writes the small files again. A segment is only
 * ever appended to, so what a backup has of it is its beginning, byte for byte. Yields whether records came
 * back that readers may have passed over.
 */
export async function repairJournal(
  dataDir: string,
  state: JournalState,
  tools: {
    readonly backup: BackupCopy | undefined;
    readonly aside: SetAsideFolder;
    readonly onStep: OnStep;
  },
): Promise<boolean> {
  const dir = join(dataDir, "journal");
  const damaged = new Set(state.findings.map(({ file }) => file));
  const { id } = state;
  if (id !== undefined && damaged.has("journal/id")) {
    await tools.aside.move("journal/id");
    await writeFileAtomically(join(dir, "id"), `${id}\n`);
  }
  if (id !== undefined && damaged.has("journal/cursors.json")) {
    await tools.aside.move("journal/cursors.json");
    await writeFileAtomically(cursorsPath(dir), encodeCursors(id, {}));
  }
  let isRestored = false;
  for (const name of await segmentsOf(tools.backup)) {
    const path = `journal/${name}`;
    const kept = await readFile(join(tools.backup?.dir ?? "", path));
    if (decodeHeader(kept.subarray(0, HEADER_BYTES))?.journalId !== id) continue;
    const own = await readFile(join(dataDir, path)).catch(() => undefined);
    const isMissing = own === undefined && damaged.has("journal/.");
    if (!isMissing && !damaged.has(path)) continue;
    tools.onStep(`journal: ${name} from the backup`);
    const whole = Buffer.from(own ?? kept);
    const bytes = whole.length < kept.length ? Buffer.alloc(kept.length) : whole;
    if (bytes !== whole) whole.copy(bytes);
    kept.copy(bytes);
    await writeSegment(join(dir, `${name}.repaired`), bytes);
    await tools.aside.move(path);
    await rename(join(dir, `${name}.repaired`), join(dataDir, path));
    await syncFolder(dir);
    isRestored = true;
  }
  return isRestored;
}

/**
 * Makes every reader begin at the oldest record again, and keeps all segments until it has passed them:
 * what is stored already is stored once.
 */
export async function rewindCursors(dataDir: string, state: JournalState): Promise<void> {
  if (state.id === undefined) return;
  const before = Math.max(0, state.oldest - 1);
  const places = [...state.cursors].map(([name, at]) => [name, Math.min(at, before)] as const);
  const path = cursorsPath(join(dataDir, "journal"));
  await writeFileAtomically(path, encodeCursors(state.id, Object.fromEntries(places)));
}

async function segmentsOf(backup: BackupCopy | undefined): Promise<readonly string[]> {
  if (backup === undefined) return [];
  const names = await readdir(join(backup.dir, "journal")).catch(() => []);
  return names.filter((name) => segmentOrdinal(name) !== undefined).sort();
}

async function writeSegment(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
