import { rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DiskSpace } from "../../storage/disk/disk-space.ts";
import type { Job } from "../../storage/ports/platform/jobs.ts";
import type { SurveyEngines } from "../engine/survey-engines.ts";

/**
 * Finished stages are kept up to so much, bytes: some hundred surveys of 36 images. More takes more of the disk,
 * less computes again what is asked for again.
 */
const KEPT_STAGES_BYTES = 20 * 1024 ** 3;

/** Room below which no survey is begun, bytes: the products of a small one, and some stages. */
const LEAST_ROOM_BYTES = 64 * 1024 ** 2;

export interface ProductTools {
  readonly engines: SurveyEngines;
  readonly workDir: string;
  readonly disk: DiskSpace;
}

/**
 * Lends `work` a folder for what one attempt at a job makes on this machine; it is gone afterwards, and
 * finished stages are pruned. Each attempt has a folder of its own: one that was paused and lost its job to
 * another must not touch its files.
 * @throws StorageShortage where there is no room for any; what `work` throws.
 */
export async function withProductFolder<T>(
  { engines, workDir, disk }: ProductTools,
  job: Job,
  work: (dir: string) => Promise<T>,
): Promise<T> {
  const jobDir = join(dirname(workDir), "products", job.id);
  const dir = join(jobDir, String(job.attempts));
  // What an attempt left whose process was killed.
  await rm(jobDir, { recursive: true, force: true });
  // Better refused now, when caches may still be emptied for it, than after an hour of work.
  (await disk.reserve("job", LEAST_ROOM_BYTES)).release();
  try {
    return await work(dir);
  } finally {
    // The job is done, or failed, whatever stays behind. The next one tidies up again.
    await rm(dir, { recursive: true, force: true }).catch(() => undefined);
    // Unless another attempt is at work in it.
    await rmdir(jobDir).catch(() => undefined);
    await engines.prune(workDir, KEPT_STAGES_BYTES).catch(() => undefined);
  }
}
