import { mkdtemp, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { DiskGrant } from "../../../storage/disk/disk-space.ts";
import { type Channels, decodedBytes } from "../../images/pixels/decoded-image.ts";
import type { WorkingImage } from "../../images/pixels/working-image.ts";
import { pyramidLevels } from "../../photogrammetry/dense/image-pyramid.ts";
import type { SurveyRun } from "../run/survey-run.ts";
import type { DecodedPixels } from "./tasks/decode-image.task.ts";
import { DECODE_IMAGE } from "./tasks/tasks.ts";

/** Start of the names of folders with decoded images, in the folder of stages. */
const PREFIX = "decoded-";
/** A folder in use says so this often, ms; one that was silent for much longer belongs to a killed process. */
const ALIVE_MS = 60_000;
const ABANDONED_MS = 60 * ALIVE_MS;

/** The images of a survey as pixels in files, each decoded when it is first asked for, and once. */
export interface DecodedImages {
  /**
   * The pixels of an image at its working size.
   * @throws StorageShortage; DomainError `IMAGE_REFUSED`
   */
  of(image: WorkingImage): Promise<DecodedPixels>;
}

/**
 * Lets `work` decode images into files of a folder beside the stages, and deletes them then. So memory does
 * not grow with the number and size of the images: tasks read the parts they need, which the system keeps in its
 * file cache while there is memory to spare. A killed process leaves its folder to the next that comes here.
 */
export async function withDecodedImages<T>(
  { pool, disk, signal, input }: SurveyRun,
  work: (decoded: DecodedImages) => Promise<T>,
): Promise<T> {
  await removeAbandoned(input.workDir);
  const folder = await mkdtemp(join(input.workDir, PREFIX));
  const grants: DiskGrant[] = [];
  const alive = setInterval(() => {
    const now = new Date();
    utimes(folder, now, now).catch(() => undefined);
  }, ALIVE_MS).unref();
  const decode = async (image: WorkingImage, path: string): Promise<DecodedPixels> => {
    const grant = await disk.reserve("stage_cache", imageBytes(image));
    grants.push(grant);
    const pixels = await pool.run(DECODE_IMAGE, { image, path }, signal);
    grant.wrote(imageBytes(image));
    return pixels;
  };
  const known = new Map<string, Promise<DecodedPixels>>();
  try {
    return await work({
      of(image) {
        const { path, widthPx, heightPx } = image;
        const name = `${widthPx}x${heightPx} ${path}`;
        const decoded = known.get(name) ?? decode(image, join(folder, `${known.size}.pixels`));
        known.set(name, decoded);
        return decoded;
      },
    });
  } finally {
    clearInterval(alive);
    for (const grant of grants) grant.release();
    // A task that was cancelled may still be writing.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** All of these images. @param onDecoded called with the share that is decoded, 0 to 1 */
export async function decodeAll(
  decoded: DecodedImages,
  images: readonly WorkingImage[],
  onDecoded: (share: number) => void,
): Promise<readonly DecodedPixels[]> {
  let done = 0;
  return await Promise.all(
    images.map(async (image) => {
      const pixels = await decoded.of(image);
      done += 1;
      onDecoded(done / images.length);
      return pixels;
    }),
  );
}

/** Bytes of the files of one image; beside them lie its depths, a number for four pixels. */
function imageBytes({ widthPx, heightPx }: WorkingImage): number {
  const atLevel = (level: number, channels: Channels) =>
    decodedBytes({ width: widthPx >> level, height: heightPx >> level }, channels);
  const levels = Array.from({ length: pyramidLevels(widthPx, heightPx) }, (_, level) =>
    atLevel(level, 1),
  );
  return levels.reduce((sum, bytes) => sum + bytes, atLevel(0, 3) + atLevel(1, 4));
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
