import type { HeightUnit } from "../../domain/geometry/vertical-datum.ts";
import type { SurveyInput, SurveyOptions, SurveyResult } from "../engine/port/engine.ts";
import type { GivenRasters } from "../engine/raster/read-rasters.ts";
import type { GeodeticExtent } from "../engine/raster/surface-extent.ts";
import type { SurveyEngines } from "../engine/survey-engines.ts";
import { kindOf } from "./survey-facts.ts";

/** What a survey may be given instead of photographs. */
export interface GivenSurfaces {
  /** Absent: the only image may be a GeoTIFF. */
  readonly rasters?: GivenRasters | undefined;
  /** What is read of a GeoTIFF; absent: all. */
  readonly extent?: GeodeticExtent | undefined;
  /** What is read of a GeoTIFF that is too large to be read as a whole; absent: all, at a coarser cell. */
  readonly largeExtent?: GeodeticExtent | undefined;
  /** In what a GeoTIFF counts heights, where it does not say so itself. */
  readonly heightUnit?: HeightUnit | undefined;
}

/**
 * A surface from images, or the one that was given: by `rasters`, or as the only image,
 * a GeoTIFF.
 */
export async function runSurvey(
  engines: SurveyEngines,
  input: SurveyInput,
  options: SurveyOptions,
  { rasters, ...choice }: GivenSurfaces = {},
): Promise<SurveyResult> {
  const [image, second] = input.images;
  const isGiven = image !== undefined && second === undefined && kindOf(image.path) === "tif";
  const files = rasters ?? (isGiven ? { dsm: image.path, orthophoto: undefined } : undefined);
  const given = files && { ...files, ...choice };
  const images = given === undefined ? input.images : [];
  return await engines.process({ engine: "auto", rasters: given }, { ...input, images }, options);
}
