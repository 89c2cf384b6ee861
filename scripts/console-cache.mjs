import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, symlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { buildConsole } from "./console-build.mjs";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** What the pages are made of; `client` has the types and the reducer of the live stream. */
const AREAS = ["console", "client"];
const FILES = ["package-lock.json", "scripts/console-build.mjs"];

/**
 * Puts the web console beside a bundled program (`bundle.mjs`), where the service looks for it. It is built when a source
 * of it has changed, 2 s, and kept beside the bundle; without compressed copies, which cost as much again and save
 * nothing on one machine. Several processes may do so at once.
 */
export async function linkConsole(folder) {
  const built = join(folder, "..", `console-${hashOfSources()}`);
  if (!(await hasPage(built))) {
    const unfinished = await mkdtemp(join(folder, "..", "unfinished-"));
    await buildConsole(unfinished);
    // Another process may have been faster; both are the same.
    await rename(unfinished, built).catch(() => rm(unfinished, { recursive: true }));
  }
  // In the folder by another name first: whoever starts meanwhile sees the former or this one.
  const link = join(folder, `console-${process.pid}`);
  await mkdir(folder, { recursive: true });
  await symlink(built, link, "junction");
  await rename(link, join(folder, "console"));
}

const hasPage = (built) =>
  readFile(join(built, "index.html")).then(
    () => true,
    () => false,
  );

function hashOfSources() {
  const paths = [...FILES];
  for (const area of AREAS) {
    const entries = readdirSync(join(ROOT, area), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      if (entry.isFile()) paths.push(relative(ROOT, join(entry.parentPath, entry.name)));
    }
  }
  const hash = createHash("sha256");
  for (const path of paths.sort()) {
    const content = readFileSync(join(ROOT, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex").slice(0, 16);
}
