import { DomainError } from "../../domain/errors.ts";
import type { StockpileMeasurement } from "../../domain/sites/measurement.ts";
import type { Stockpile } from "../../domain/sites/stockpile.ts";
import type { DiskSpace } from "../../storage/disk/disk-space.ts";
import type { FileStore } from "../../storage/ports/files.ts";
import type { StockpileRecords } from "../../storage/ports/sites/stockpiles.ts";
import type { SurveyResult } from "../engine/port/engine.ts";
import { profileFor } from "../engine/port/profiles.ts";
import type { SurveyEngines } from "../engine/survey-engines.ts";
import { measuredAtMs } from "../epoch/capture-time.ts";
import { medianHeightM } from "../epoch/check-unit-beside.ts";
import { findCompanions } from "../epoch/companions.ts";
import { runSurvey } from "../epoch/run-survey.ts";
import { kindOf, surveyFacts } from "../epoch/survey-facts.ts";
import { KEEP_BASIS } from "../epoch/tasks.ts";
import { findingText } from "../gates/gates.ts";
import type { ImageFolder } from "../images/files/image-folder.ts";
import type { ImageResolver } from "../images/resolve-images.ts";
import { verticalDatum } from "../photogrammetry/products/map/height-system.ts";
import { controlText } from "../photogrammetry/reconstruction/control-text.ts";
import { imageUses } from "../photogrammetry/reconstruction/image-uses.ts";
import type { JobHandler } from "../queue/job-handler.ts";
import { requireEnoughImages } from "../survey/enough-images.ts";
import { type FetchedImages, fetchImages } from "../survey/fetch-images.ts";
import { withProductFolder } from "../survey/product-folder.ts";
import { findEarlierEpoch } from "./earlier-epoch.ts";
import { groundExtent } from "./ground-extent.ts";
import { loadGround } from "./load-ground.ts";
import { readMeasureRequest } from "./measure-request.ts";
import { measurementIdOf } from "./measurement-id.ts";
import { otherFootprints } from "./other-footprints.ts";
import { recordMeasurement } from "./record-measurement.ts";
import type { StockpileDatum } from "./surface/datum.ts";
import { MEASURE_SURFACE } from "./surface/tasks.ts";

export interface MeasureJobTools {
  readonly engines: SurveyEngines;
  readonly images: ImageResolver;
  /** Holds the images of earlier epochs for some days. */
  readonly folder: Pick<ImageFolder, "find">;
  readonly files: FileStore;
  /** Admits the files of a job on this machine. */
  readonly disk: DiskSpace;
  readonly stockpiles: StockpileRecords;
  /** Folder of finished stages, kept over restarts. */
  readonly workDir: string;
}

/** Where fetching, the engine and measuring end, % of the job. Only the progress that is shown depends on them. */
const FETCHED = 8;
const SURVEYED = 90;
const MEASURED = 96;

/**
 * Works on jobs whose input is a `MeasureRequest`: fetches the images, runs the engine
 * (or takes the one GeoTIFF for the surface), measures, and stores files, measurement, stockpile and events.
 * Yields the `StockpileMeasurement`. Begun again, it makes the same measurement, and only one.
 */
export function createMeasureJob(tools: MeasureJobTools): JobHandler {
  const { engines, images: resolver, folder, files, stockpiles, workDir } = tools;

  return async (job, { signal, progress }): Promise<StockpileMeasurement> => {
    const request = readMeasureRequest(job.input);
    const { stockpileId, images, requestedAtMs, controlPoints, scaleBars } = request;
    const { exports, contourIntervalM, isControlSubset, heightUnit, outputCrs, geoidGrid } =
      request;
    const { flownAtMs } = request;
    const { profile = "quick", orthophoto = "profile" } = request;
    const measurementId = measurementIdOf(job.id);
    // An earlier attempt stored it, and its process ended before it could say so.
    const known = await stockpiles.findMeasurement(stockpileId, measurementId);
    if (known !== undefined) return known;
    const stockpile = await stockpiles.find(stockpileId);
    if (stockpile === undefined) {
      throw new DomainError("STOCKPILE_NOT_FOUND", `no stockpile "${stockpileId}"`);
    }
    const fetched = await fetchImages(resolver, images, {
      signal,
      onFetched: (share) => progress("fetching images", FETCHED * share),
    });
    requireEnoughImages(fetched);
    const earlier = await findEarlierEpoch(stockpiles, files, stockpile);
    const extent = groundExtent(stockpile.footprint);
    const companions = await findCompanions(folder, earlier?.head, fetched.files);
    return await withProductFolder(tools, job, async (outDir) => {
      const result = await runSurvey(
        engines,
        {
          name: titleOf(stockpile),
          images: fetched.files,
          companions,
          controlPoints,
          isControlSubset,
          scaleBars,
          profile: profileFor(profile, orthophoto),
          ...{ outputCrs, geoidGrid },
          exports,
          contourIntervalM,
          workDir,
          outDir,
        },
        {
          signal,
          onProgress: ({ stage, percent }) =>
            progress(stage, FETCHED + ((SURVEYED - FETCHED) * percent) / 100),
        },
        { extent, heightUnit },
      );
      progress("measuring", SURVEYED);
      const control = result.reconstruction?.summary.control;
      const survey = surveyFacts(result, fetched.files);
      const { base } = stockpile;
      const loaded =
        base.method === "survey"
          ? await loadGround(
              tools,
              { base, extent, surveyM: medianHeightM(survey) },
              outDir,
              signal,
            )
          : undefined;
      const surface = await engines.run(
        MEASURE_SURFACE,
        {
          measurementId,
          survey,
          base,
          footprint: stockpile.footprint,
          otherFootprints: await otherFootprints(stockpiles, stockpile),
          datum: stockpile.datum as StockpileDatum | undefined,
          earlier: earlier?.bytes,
          companions: companions.map(({ sha256, path }) => ({ sha256, kind: kindOf(path) })),
          ground: loaded?.ground,
        },
        signal,
      );
      const basis = await engines.run(KEEP_BASIS, survey, signal);
      progress("storing products", MEASURED);
      return await recordMeasurement(tools, {
        job,
        stockpile,
        surface,
        basis,
        products: result.products,
        georeferencing: survey.georeferencing,
        gsdM: survey.photoGsdM ?? survey.gsdM,
        measuredAtMs: measuredAtMs(result.images, requestedAtMs, flownAtMs),
        images: {
          given: images.length,
          oriented: result.reconstruction?.cameras.length,
          refused: [...fetched.refused, ...result.refused],
        },
        ...usesOf(result, fetched),
        vertical_datum: verticalDatum(result),
        warnings: [
          ...result.findings.map(findingText),
          ...(loaded?.findings ?? []).map((finding) => `Of the base: ${findingText(finding)}`),
          ...(control === undefined ? [] : [controlText(control)]),
          ...surface.figures.warnings,
        ],
        signal,
      });
    });
  };
}

/** What became of each image; nothing where a surface was given. */
function usesOf(
  { engine, images, refused, findings, reconstruction }: SurveyResult,
  fetched: FetchedImages,
): Pick<StockpileMeasurement, "image_uses"> {
  if (engine === "precomputed") return {};
  const keys = new Map(fetched.files.map(({ sha256, storedKey }) => [sha256, storedKey]));
  const uses = imageUses(images, [...fetched.refused, ...refused], findings, reconstruction);
  return {
    image_uses: uses.map(({ name, sha256, use, reason }) => {
      const key = sha256 === undefined ? undefined : keys.get(sha256);
      return { name, use, reason, ...(key === undefined ? {} : { stored_key: key }) };
    }),
  };
}

const titleOf = ({ material, location }: Stockpile): string => `${material}, ${location}`;
