import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  PROJECT_DEFAULTS,
  type ProjectOptions,
  usualProjectObliques,
} from "../../simulators/project/options.ts";
import { runProject } from "../../simulators/project/run.ts";
import type { ProjectTruth } from "../../simulators/project/truth/project-truth.ts";

/** A simulated project on this machine's disk. */
export interface ProjectSet {
  /** Holds what `npm run simulate -- project` writes; paths in the truth are relative to it. */
  readonly folder: string;
  readonly truth: ProjectTruth;
  /** Paths of the drone's images of a week (from 1), in the order of the flight; none where it was left out. */
  flight(week: number): readonly string[];
}

/** What of a project is rendered: by default all of it. */
export interface ProjectRender {
  readonly onlyWeek?: number;
  readonly withFlights?: boolean;
  readonly withCameras?: boolean;
  /** Threads; 0 = the calling one. */
  readonly workers?: number;
}

/** Where finished sets are kept between runs; the folder may be deleted at any time. */
const CACHE = join(tmpdir(), "plumbline-project-sets");

/**
 * Gives the project of these options (others: `PROJECT_DEFAULTS`), rendering it only if no run before did
 * with the same options and the same simulator. Safe in parallel processes. Read only: the files are shared.
 */
export async function projectSet(
  options: Partial<ProjectOptions> = {},
  { onlyWeek, withFlights = true, withCameras = true, workers = 2 }: ProjectRender = {},
): Promise<ProjectSet> {
  const images = options.images ?? PROJECT_DEFAULTS.images;
  const full = { ...PROJECT_DEFAULTS, obliques: usualProjectObliques(images), ...options };
  const shown = { withFlights, withCameras, ...(onlyWeek !== undefined && { onlyWeek }) };
  const folder = join(CACHE, await keyOf(JSON.stringify([full, shown])));
  const found = await load(folder);
  if (found !== undefined) return found;
  const making = `${folder}.${randomBytes(6).toString("hex")}`;
  await mkdir(CACHE, { recursive: true });
  try {
    const { signal } = new AbortController();
    await runProject(full, { out: making, workers, signal, ...shown });
    await rename(making, folder);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    // Another process was faster: its set is the same to the byte.
    const other = await load(folder);
    if (other === undefined) throw error;
  }
  const made = await load(folder);
  if (made === undefined) throw new Error(`the project set ${folder} is not whole`);
  return made;
}

async function load(folder: string): Promise<ProjectSet | undefined> {
  const text = await readFile(join(folder, "truth.json"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const truth = JSON.parse(text) as ProjectTruth;
  return {
    ...{ folder, truth },
    flight(week) {
      const images = truth.weeks.find((other) => other.week === week)?.flight?.images ?? [];
      return images.map((image) => join(folder, image));
    },
  };
}

/** Hash of the options and of the simulator's sources: a changed simulator makes new sets. */
async function keyOf(asked: string): Promise<string> {
  const hash = createHash("sha256").update(asked);
  const root = fileURLToPath(new URL("../../simulators", import.meta.url));
  const folders = ["project", "survey"];
  const listed = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true }))
        .filter((name) => name.endsWith(".ts"))
        .map((name) => join(folder, name)),
    ),
  );
  for (const source of [...listed.flat(), "random.ts"].sort()) {
    hash.update(source).update(await readFile(join(root, source)));
  }
  return hash.digest("hex").slice(0, 24);
}
