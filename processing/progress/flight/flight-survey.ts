import { DomainError } from "../../../domain/errors.ts";
import type { SurveyResult } from "../../engine/port/engine.ts";
import { placingPoints } from "../../engine/port/placing-points.ts";
import { profileFor } from "../../engine/port/profiles.ts";
import type { GivenRasters } from "../../engine/raster/read-rasters.ts";
import type { GeodeticExtent } from "../../engine/raster/surface-extent.ts";
import type { SurveyEngines } from "../../engine/survey-engines.ts";
import { runSurvey } from "../../epoch/run-survey.ts";
import { kindOf } from "../../epoch/survey-facts.ts";
import type { ImageFile } from "../../images/files/image-file.ts";
import type { ImageResolver } from "../../images/resolve-images.ts";
import { READ_IMAGE } from "../../images/tasks.ts";
import { requireEnoughImages } from "../../survey/enough-images.ts";
import { AllImagesRefused } from "../analysis/all-images-refused.ts";
import type { AnalyserInput, AnalyserOptions } from "../analysis/analyser.ts";
import { besideSurface, type FlightImages, flightImages } from "./flight-images.ts";
import type { FlightMetadata } from "./flight-metadata.ts";
import { namingImages } from "./refused-flight.ts";

/** Where fetching and the engine end, % of the capture: only the bar of progress depends on it. */
const FETCHED = 8;
export const SURVEYED = 90;

/** What a flight is computed from. */
export interface FetchedFlight {
  /** `undefined`: its surface was given, and the images are not read. */
  readonly images: FlightImages | undefined;
  readonly rasters: GivenRasters | undefined;
  readonly warnings: readonly string[];
}

/**
 * Fetches the images of a flight, or the surface that its metadata names.
 * @throws AllImagesRefused when no image can be had; RefusedFlight TOO_FEW_IMAGES when hardly any can;
 * DomainError `IMAGE_REFUSED` when the surface cannot; what `signal` fires with; `STORE_UNAVAILABLE`
 */
export async function fetchFlight(
  images: ImageResolver,
  entries: readonly string[],
  metadata: FlightMetadata,
  { signal, onProgress }: AnalyserOptions,
): Promise<FetchedFlight> {
  const stage = "fetching images";
  if (metadata.dsmUrl !== undefined) {
    onProgress(stage, 0);
    const { dsmUrl, orthomosaicUrl } = metadata;
    return await fetchSurface(images, dsmUrl, orthomosaicUrl, signal);
  }
  const outcomes = await images.resolve(entries, {
    signal,
    onFetched: (done) => onProgress(stage, (FETCHED * done) / entries.length),
  });
  const fetched = flightImages(entries, outcomes);
  await namingImages(fetched, () => requireEnoughImages(fetched));
  return { images: fetched, rasters: undefined, warnings: [] };
}

async function fetchSurface(
  images: ImageResolver,
  dsmUrl: string,
  orthoUrl: string | undefined,
  signal: AbortSignal,
): Promise<FetchedFlight> {
  const urls = orthoUrl === undefined ? [dsmUrl] : [dsmUrl, orthoUrl];
  const [dsm, ortho] = await images.resolve(urls, { signal });
  if (dsm === undefined || "refused" in dsm) {
    throw new DomainError("IMAGE_REFUSED", `flight_metadata.dsm_url: ${dsm?.refused ?? "nothing"}`);
  }
  if (kindOf(dsm.value.path) !== "tif") {
    throw new DomainError("IMAGE_REFUSED", "flight_metadata.dsm_url leads to no GeoTIFF");
  }
  const isUsable = ortho !== undefined && "value" in ortho && kindOf(ortho.value.path) === "tif";
  const words = ortho !== undefined && "refused" in ortho ? ortho.refused : "it is not a GeoTIFF";
  return {
    images: undefined,
    rasters: { dsm: dsm.value.path, orthophoto: isUsable ? ortho.value.path : undefined },
    warnings:
      ortho === undefined || isUsable
        ? []
        : [`flight_metadata.orthomosaic_url was not used: ${words}`],
  };
}

/**
 * Images of a flight that are checked for RTK, from its first to its last: each is decoded. With fewer, one
 * image without a fix decides.
 */
const MOST_SAMPLED = 5;

/** Whether the flight places itself: by control points, or as its images' tags or its metadata say. */
export async function placesItself(
  engines: Pick<SurveyEngines, "run">,
  { images }: { readonly images: Pick<FlightImages, "files"> | undefined },
  { isRtk, controlPoints }: Pick<FlightMetadata, "isRtk" | "controlPoints">,
  signal: AbortSignal,
): Promise<boolean> {
  const files = images?.files ?? [];
  const [first] = files;
  const names = files.map(({ name }) => name);
  if (first === undefined || isRtk || placingPoints(controlPoints, names).length > 0) return true;
  if (kindOf(first.path) === "tif") return true;
  const sampled = spread(files, MOST_SAMPLED);
  const isFixed = await Promise.all(sampled.map((file) => hasRtk(engines, file, signal)));
  return 2 * isFixed.filter(Boolean).length > sampled.length;
}

async function hasRtk(
  engines: Pick<SurveyEngines, "run">,
  file: ImageFile,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return (await engines.run(READ_IMAGE, file, signal)).position?.isRtk === true;
  } catch (error) {
    // The survey says what is wrong with it.
    if (error instanceof DomainError && error.code === "IMAGE_REFUSED") return false;
    throw error;
  }
}

/** So many of the values, evenly from the first to the last. */
function spread<T>(values: readonly T[], most: number): readonly T[] {
  if (values.length <= most) return values;
  const step = (values.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, i) => values[Math.round(i * step)]).flatMap(
    (value) => value ?? [],
  );
}

/**
 * The surface of a flight.
 * @throws AllImagesRefused when no image can be read; RefusedFlight when they give no honest surface
 */
export async function surveyFlight(
  engines: SurveyEngines,
  { capture }: AnalyserInput,
  flight: {
    readonly fetched: FetchedFlight;
    readonly metadata: FlightMetadata;
    readonly companions: readonly ImageFile[];
    /** What is read of a given surface that is too large to be read as a whole. */
    readonly largeExtent: GeodeticExtent | undefined;
  },
  folders: { readonly workDir: string; readonly outDir: string },
  { signal, onProgress }: AnalyserOptions,
): Promise<SurveyResult> {
  const { images, rasters } = flight.fetched;
  try {
    return await namingImages(images, () =>
      runSurvey(
        engines,
        {
          name: `Flight ${capture.id}`,
          images: images?.files ?? [],
          companions: flight.companions,
          controlPoints: flight.metadata.controlPoints,
          isControlSubset: flight.metadata.isControlSubset,
          scaleBars: flight.metadata.scaleBars,
          profile: profileFor(flight.metadata.profile, flight.metadata.orthophoto),
          outputCrs: flight.metadata.outputCrs,
          geoidGrid: flight.metadata.geoidGrid,
          exports: flight.metadata.exports,
          contourIntervalM: flight.metadata.contourIntervalM,
          ...folders,
        },
        {
          signal,
          onProgress: ({ stage, percent }) =>
            onProgress(stage, FETCHED + ((SURVEYED - FETCHED) * percent) / 100),
        },
        { rasters, heightUnit: flight.metadata.heightUnit, largeExtent: flight.largeExtent },
      ),
    );
  } catch (error) {
    const isUnreadable = error instanceof DomainError && error.code === "IMAGE_REFUSED";
    if (!isUnreadable || images === undefined) throw error;
    const refused = [error.message];
    const nothing = { images: [], refused, reconstruction: undefined, findings: [] };
    throw new AllImagesRefused(images.outcomes(nothing));
  }
}

/** What became of the images, one for each entry. */
export const imagesOf = (
  { images }: FetchedFlight,
  entries: readonly string[],
  result: SurveyResult,
) => {
  if (images === undefined) return besideSurface(entries);
  // The only image was the surface itself.
  return result.engine === "precomputed" ? images.given() : images.outcomes(result);
};
