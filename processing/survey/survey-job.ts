import type { DiskSpace } from "../../storage/disk/disk-space.ts";
import type { FileStore } from "../../storage/ports/files.ts";
import { profileFor } from "../engine/port/profiles.ts";
import type { SurveyEngines } from "../engine/survey-engines.ts";
import type { ImageResolver } from "../images/resolve-images.ts";
import type { JobHandler } from "../queue/job-handler.ts";
import { fetchImages } from "./fetch-images.ts";
import { withProductFolder } from "./product-folder.ts";
import { storeWithExports } from "./store-products.ts";
import { readSurveyRequest } from "./survey-request.ts";
import { type SurveySummary, surveySummary } from "./survey-summary.ts";

/** Kind of job that {@link createSurveyJob} works on. */
export const SURVEY_JOB = "survey";
/** What the keys of its products start with. */
export const SURVEY_KEYS = "surveys/";

export interface SurveyJobTools {
  readonly engines: SurveyEngines;
  readonly images: ImageResolver;
  readonly files: FileStore;
  /** Admits the files of a job on this machine. */
  readonly disk: DiskSpace;
  /** Folder of finished stages, kept over restarts. */
  readonly workDir: string;
}

/** Where fetching ends and the engine does, % of the job. Only the progress that is shown depends on them. */
const FETCHED = 8;
const MADE = 96;

/**
 * Works on jobs whose input is a `SurveyRequest`: fetches the images, runs the engine, and puts the
 * products under `surveys/{job}/{attempt}/` into the file store. Yields a `SurveySummary`. Each attempt
 * has folders of its own: one that was paused and lost its job to another must not touch its files.
 */
export function createSurveyJob(tools: SurveyJobTools): JobHandler {
  const { engines, images: resolver, files, workDir } = tools;

  return async (job, { signal, progress }): Promise<SurveySummary> => {
    const request = readSurveyRequest(job.input);
    const fetched = await fetchImages(resolver, request.images, {
      signal,
      onFetched: (share) => progress("fetching images", FETCHED * share),
    });
    const { engine, name, profile, orthophoto = "profile" } = request;
    const { controlPoints, isControlSubset, scaleBars, outputCrs, geoidGrid } = request;
    const { exports: asked, contourIntervalM } = request;
    return await withProductFolder(tools, job, async (outDir) => {
      const result = await engines.process(
        { engine, rasters: undefined },
        {
          name,
          images: fetched.files,
          profile: profileFor(profile, orthophoto),
          controlPoints,
          isControlSubset,
          scaleBars,
          outputCrs,
          geoidGrid,
          exports: asked,
          contourIntervalM,
          workDir,
          outDir,
        },
        {
          signal,
          onProgress: ({ stage, percent }) =>
            progress(stage, FETCHED + ((MADE - FETCHED) * percent) / 100),
        },
      );
      const folder = `${SURVEY_KEYS}${job.id}/${job.attempts}`;
      const { exports, ...products } = result.products;
      const stored = await storeWithExports(files, folder, products, exports, signal);
      progress("storing products", 100);
      const summary = surveySummary(result, {
        ...stored.keys,
        exports: stored.exports,
      });
      const refused = [...fetched.refused, ...summary.images.refused];
      return { ...summary, images: { ...summary.images, refused } };
    });
  };
}
