import { mkdtemp, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import {
  type Channels,
  type DecodedLevel,
  decodedBytes,
} from "../../images/pixels/decoded-image.ts";
import type { WorkingImage } from "../../images/pixels/working-image.ts";
import { pyramidLevels } from "../../photogrammetry/dense/image-pyramid.ts";
import type { SurveyRun } from "../run/survey-run.ts";
import { DECODE_IMAGE } from "./tasks/tasks.ts";

/** Start of the names of folders with decoded images, in the folder of stages. */
const PREFIX = "decoded-";
/** A folder in use says so this often, ms; one that was silent for much longer belongs to a killed process. */
const ALIVE_MS = 60_000;
const ABANDONED_MS = 60 * ALIVE_MS;

/**
 * Decodes images into files of a folder beside the stages, hands them to `work`, and deletes them. So memory does
 * not grow with the number and size of the images: tasks read the parts they need, which the system keeps in its
 * file cache while there is memory to spare. A killed process leaves its folder to the next that comes here.
 * @param onDecoded called with the share that is decoded, 0 to 1
 * @throws StorageShortage
 */
export async function withDecodedImages<T>(
  { pool, disk, signal, input }: SurveyRun,
  images: readonly WorkingImage[],
  kind: "grey" | "colour",
  onDecoded: (share: number) => void,
  work: (decoded: readonly (readonly DecodedLevel[])[]) => Promise<T>,
): Promise<T> {
  await removeAbandoned(input.workDir);
  const grant = await disk.reserve(
    "stage_cache",
    images.reduce((sum, image) => sum + imageBytes(image, kind), 0),
  );
  const folder = await mkdtemp(join(input.workDir, PREFIX)).catch((error: unknown) => {
    grant.release();
    throw error;
  });
  const alive = setInterval(() => {
    const now = new Date();
    utimes(folder, now, now).catch(() => undefined);
  }, ALIVE_MS).unref();
  try {
    let done = 0;
    const decoded = await Promise.all(
      images.map(async (image, i) => {
        const path = join(folder, `${i}.pixels`);
        const levels = await pool.run(DECODE_IMAGE, { image, kind, path }, signal);
        grant.wrote(imageBytes(image, kind));
        done += 1;
        onDecoded(done / images.length);
        return levels;
      }),
    );
    return await work(decoded);
  } finally {
    clearInterval(alive);
    grant.release();
    // A task that was cancelled may still be writing.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Bytes of the files of one image; beside its colours lie its depths, a number for four pixels. */
function imageBytes({ widthPx, heightPx }: WorkingImage, kind: "grey" | "colour"): number {
  const atLevel = (level: number, channels: Channels) =>
    decodedBytes({ width: widthPx >> level, height: heightPx >> level }, channels);
  if (kind === "colour") return atLevel(0, 3) + atLevel(1, 4);
  return Array.from({ length: pyramidLevels(widthPx, heightPx) }, (_, level) =>
    atLevel(level, 1),
  ).reduce((sum, bytes) => sum + bytes, 0);
}

async function removeAbandoned(workDir: string): Promise<void> {
  for (const name of await readdir(workDir)) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(workDir, name);
    const stats = await stat(folder).catch(() => undefined);
    if (stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_MS) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
