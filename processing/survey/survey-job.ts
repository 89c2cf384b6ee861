import { createReadStream } from "node:fs";
import { rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DomainError } from "../../domain/errors.ts";
import type { FileStore } from "../../storage/ports/files.ts";
import type { ImageFile, SurveyProducts } from "../engine/engine.ts";
import { PROFILES } from "../engine/profiles.ts";
import type { SurveyEngines } from "../engine/survey-engines.ts";
import type { ImageResolver } from "../images/resolve-images.ts";
import type { JobHandler } from "../queue/job-handler.ts";
import { readSurveyRequest } from "./survey-request.ts";
import { type SurveySummary, surveySummary } from "./survey-summary.ts";

/** Kind of job that {@link createSurveyJob} works on. */
export const SURVEY_JOB = "survey";

export interface SurveyJobTools {
  readonly engines: SurveyEngines;
  readonly images: ImageResolver;
  readonly files: FileStore;
  /** Folder of finished stages, kept over restarts. */
  readonly workDir: string;
}

/** Where fetching ends and the engine does, % of the job. Chosen. */
const FETCHED = 8;
const MADE = 96;
/** Finished stages are kept up to so much, bytes: some hundred surveys of 36 images. Chosen. */
const KEPT_STAGES_BYTES = 20 * 1024 ** 3;

/**
 * Works on jobs whose input is a `SurveyRequest`: fetches the images, runs the engine, and puts the
 * products under `surveys/{job}/{attempt}/` into the file store. Yields a `SurveySummary`. Each attempt
 * has folders of its own: one that was paused and lost its job to another must not touch its files.
 */
export function createSurveyJob(tools: SurveyJobTools): JobHandler {
  const { engines, images: resolver, files, workDir } = tools;

  async function fetchImages(
    entries: readonly string[],
    signal: AbortSignal,
    progress: (stage: string, percent: number) => void,
  ): Promise<{ readonly files: readonly ImageFile[]; readonly refused: readonly string[] }> {
    const outcomes = await resolver.resolve(entries, {
      signal,
      onFetched: (done) => progress("fetching images", (FETCHED * done) / entries.length),
    });
    const refused = outcomes.flatMap((one) => ("refused" in one ? [one.refused] : []));
    const found = outcomes.flatMap((one) => ("value" in one ? [one.value] : []));
    const [first] = refused;
    if (found.length === 0 && first !== undefined) throw new DomainError("IMAGE_REFUSED", first);
    return { files: found, refused };
  }

  /** Never throws: the survey is made, or failed, whatever stays behind. The next one tidies up again. */
  async function tidyUp(outDir: string, jobDir: string): Promise<void> {
    await rm(outDir, { recursive: true, force: true }).catch(() => undefined);
    // Unless another attempt is at work in it.
    await rmdir(jobDir).catch(() => undefined);
    await engines.prune(workDir, KEPT_STAGES_BYTES).catch(() => undefined);
  }

  /** Puts products into the file store: all of them, or none stays. Yields their keys. */
  async function store(products: object, folder: string, signal: AbortSignal) {
    const keys: Record<string, string> = {};
    try {
      for (const [product, path] of Object.entries(products)) {
        signal.throwIfAborted();
        const key = `${folder}/${basename(path)}`;
        keys[product] = key;
        await files.put(key, createReadStream(path));
      }
    } catch (error) {
      for (const key of Object.values(keys)) await files.delete(key).catch(() => undefined);
      throw error;
    }
    return keys as unknown as SurveyProducts;
  }

  return async (job, { signal, progress }): Promise<SurveySummary> => {
    const request = readSurveyRequest(job.input);
    const fetched = await fetchImages(request.images, signal, progress);
    const { engine, name, controlPoints, scaleBars } = request;
    const jobDir = join(dirname(workDir), "products", job.id);
    const outDir = join(jobDir, String(job.attempts));
    // What an attempt left whose process was killed.
    await rm(jobDir, { recursive: true, force: true });
    try {
      const result = await engines.process(
        { engine, rasters: undefined },
        {
          name,
          images: fetched.files,
          profile: PROFILES[request.profile],
          controlPoints,
          scaleBars,
          workDir,
          outDir,
        },
        {
          signal,
          onProgress: ({ stage, percent }) =>
            progress(stage, FETCHED + ((MADE - FETCHED) * percent) / 100),
        },
      );
      const keys = await store(result.products, `surveys/${job.id}/${job.attempts}`, signal);
      progress("storing products", 100);
      const summary = surveySummary(result, keys);
      const refused = [...fetched.refused, ...summary.images.refused];
      return { ...summary, images: { ...summary.images, refused } };
    } finally {
      await tidyUp(outDir, jobDir);
    }
  };
}
