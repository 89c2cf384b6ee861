import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkFiles, repairFiles } from "../../../storage/check/check-files.ts";
import { openSetAside } from "../../../storage/check/set-aside.ts";

const COUNTED = new Map([
  ["captures/c1/image.jpg", 6],
  ["surveys/j1/report.pdf", 8],
  ["surveys/j1/surface.tif", 7],
  ["zones/z1/other.jpg", 5],
]);

let root: string;
let dataDir: string;
let backupDir: string;

async function put(dir: string, key: string, text: string): Promise<void> {
  await mkdir(join(dir, "files", key, ".."), { recursive: true });
  await writeFile(join(dir, "files", key), text);
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "plumbline-check-files-"));
  dataDir = join(root, "data");
  backupDir = join(root, "backup");
  await put(dataDir, "captures/c1/image.jpg", "image.");
  await put(dataDir, "surveys/j1/surface.tif", "sur");
  await put(backupDir, "surveys/j1/surface.tif", "surface");
  await put(backupDir, "surveys/j1/report.pdf", "report--");
  await put(backupDir, "zones/z1/other.jpg", "an older file of the name");
});
afterEach(() => rm(root, { recursive: true }));

const backup = () => ({
  dir: backupDir,
  createdAt: "",
  text: async () => undefined,
  has: async () => true,
});

it("the check of files names missing and short files of the file store, and puts back what the backup has as it was", async () => {
  const findings = await checkFiles(dataDir, COUNTED);
  expect(findings.map(({ file, problem, holds }) => [file, problem, holds])).toEqual([
    ["files/surveys/j1/report.pdf", "it is missing", "products of a measurement"],
    ["files/surveys/j1/surface.tif", "it has 3 bytes of 7", "products of a measurement"],
    ["files/zones/z1/other.jpg", "it is missing", "images and products of a work zone"],
  ]);

  const aside = openSetAside(dataDir, 0);
  const notes: string[] = [];
  await repairFiles(dataDir, { findings, counted: COUNTED }, { backup: backup(), aside, notes });

  expect((await checkFiles(dataDir, COUNTED)).map(({ file }) => file)).toEqual([
    "files/zones/z1/other.jpg",
  ]);
  expect(await readFile(join(dataDir, "files/surveys/j1/surface.tif"), "utf8")).toBe("surface");
  expect(aside.moved).toHaveLength(1);
  expect((await stat(join(dataDir, aside.moved[0] ?? ""))).size).toBe(3);
  expect(notes).toContain("files/zones/z1/other.jpg: no backup at hand has it as it was stored");
});

it("the check of files finds nothing where the records cannot be read", async () => {
  expect(await checkFiles(dataDir, undefined)).toEqual([]);
});
