import { copyFile, mkdir, open, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncFolder } from "../data-folder/sync-folder.ts";
import type { BackupCopy } from "./backup-copy.ts";
import type { Finding } from "./finding.ts";
import type { SetAsideFolder } from "./set-aside.ts";

/** Where files of the file store lie, below a data folder and in a backup. */
const FOLDER = "files";

/** What the files of a kind of owner are, by the first part of their keys. */
const HOLDS: Readonly<Record<string, string>> = {
  cameras: "images of a site camera",
  captures: "images and products of a capture",
  reports: "a progress report",
  stockpiles: "images and products of a stockpile's measurement",
  surveys: "products of a measurement",
  zones: "images and products of a work zone",
};

/**
 * Compares the file store of a data folder with what the records have counted, by size. `counted`: bytes by key;
 * `undefined`: the records cannot be read, and nothing is known.
 */
export async function checkFiles(
  dataDir: string,
  counted: ReadonlyMap<string, number> | undefined,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [key, bytes] of counted ?? []) {
    const size = await sizeOf(join(dataDir, FOLDER, key));
    if (size === bytes) continue;
    findings.push({
      store: "files",
      file: `${FOLDER}/${key}`,
      problem: size === undefined ? "it is missing" : `it has ${size} bytes of ${bytes}`,
      holds: HOLDS[key.split("/")[0] ?? ""] ?? "an upload or a product",
      sources: ["a backup"],
    });
  }
  return findings;
}

/**
 * Puts those files back that the backup has in the size that was counted; the others stay as they are. A file
 * that is there is moved aside.
 */
export async function repairFiles(
  dataDir: string,
  { findings, counted }: RepairableFiles,
  { backup, aside, notes }: FileTools,
): Promise<void> {
  for (const { store, file } of findings) {
    if (store !== "files") continue;
    const kept = backup && join(backup.dir, file);
    const bytes = counted?.get(file.slice(FOLDER.length + 1));
    if (kept === undefined || bytes === undefined || (await sizeOf(kept)) !== bytes) {
      notes.push(`${file}: no backup at hand has it as it was stored`);
      continue;
    }
    await putBack(kept, join(dataDir, file), () => aside.move(file));
    notes.push(`${file}: from the backup`);
  }
}

interface RepairableFiles {
  readonly findings: readonly Finding[];
  readonly counted: ReadonlyMap<string, number> | undefined;
}

interface FileTools {
  readonly backup: BackupCopy | undefined;
  readonly aside: SetAsideFolder;
  readonly notes: string[];
}

/** The copy is whole and on disk before it has the name. */
async function putBack(from: string, to: string, clear: () => Promise<void>): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const copy = `${to}.new`;
  await copyFile(from, copy);
  const file = await open(copy, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await clear();
  await rename(copy, to);
  await syncFolder(dirname(to));
}

const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    (one) => (one.isFile() ? one.size : undefined),
    () => undefined,
  );
