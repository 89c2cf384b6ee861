import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DomainError } from "../../domain/errors.ts";
import type { FileStore } from "../../storage/ports/files.ts";
import { chooseEngine, type EngineTools } from "../engine/choose.ts";
import type { ImageFile, SurveyProducts } from "../engine/engine.ts";
import { PROFILES } from "../engine/profiles.ts";
import type { ImageResolver } from "../images/resolve-images.ts";
import type { JobHandler } from "../queue/job-handler.ts";
import { readSurveyRequest } from "./survey-request.ts";
import { type SurveySummary, surveySummary } from "./survey-summary.ts";

/** Kind of job that {@link createSurveyJob} works on. */
export const SURVEY_JOB = "survey";

export interface SurveyJobTools extends EngineTools {
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
 * products under `surveys/{job}/` into the file store. Yields a `SurveySummary`.
 */
export function createSurveyJob(tools: SurveyJobTools): JobHandler {
  const { images: resolver, files, workDir, stages } = tools;

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

  return async (job, { signal, progress }): Promise<SurveySummary> => {
    const request = readSurveyRequest(job.input);
    const fetched = await fetchImages(request.images, signal, progress);
    const { engine: wanted, name, controlPoints, scaleBars } = request;
    const images = fetched.files.length;
    const engine = chooseEngine(tools, { engine: wanted, images, rasters: undefined });
    const outDir = join(dirname(workDir), "products", job.id);
    try {
      const result = await engine.process(
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
      const keys: Record<string, string> = {};
      for (const [product, path] of Object.entries(result.products)) {
        signal.throwIfAborted();
        const key = `surveys/${job.id}/${basename(path)}`;
        await files.put(key, createReadStream(path));
        keys[product] = key;
      }
      progress("storing products", 100);
      const summary = surveySummary(result, keys as unknown as SurveyProducts);
      const refused = [...fetched.refused, ...summary.images.refused];
      return { ...summary, images: { ...summary.images, refused } };
    } finally {
      await rm(outDir, { recursive: true, force: true });
      await (await stages.open(workDir)).prune(KEPT_STAGES_BYTES);
    }
  };
}
