import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fromArrayBuffer } from "geotiff";
import {
  SURVEY_DEFAULTS,
  type SurveyOptions,
  usualObliques,
} from "../../simulators/survey/options/options.ts";
import { runSurvey } from "../../simulators/survey/run.ts";
import type { SurveyTruth } from "../../simulators/survey/truth/truth.ts";
import { type RenderedKind, renderedSet } from "./rendered-sets.ts";

/** A simulated survey on this machine's disk. */
export interface SurveySet {
  /** Holds the JPEGs, truth.json and the true surfaces (simulators/survey/truth/truth.ts says what is in them). */
  readonly folder: string;
  /** Paths of the images in the order of the flight. */
  readonly images: readonly string[];
  readonly truth: SurveyTruth;
}

const SURVEYS: RenderedKind<SurveySet> = {
  cache: "plumbline-survey-sets",
  sources: ["survey"],
  open(folder, text) {
    const truth = JSON.parse(text) as SurveyTruth;
    return { folder, truth, images: truth.cameras.map(({ image }) => join(folder, image)) };
  },
};

/**
 * The smallest useful survey: 12 images of 480 x 360, 3 of them oblique, RTK, coarse ground; for
 * `npm test`. It renders in about 2 s of CPU once and is read from disk after that.
 */
export const TINY_SURVEY: Partial<SurveyOptions> = {
  widthPx: 480,
  images: 12,
  gps: "rtk",
  altitudeM: 30,
};

/**
 * Gives the survey of these options (others: `SURVEY_DEFAULTS`), rendering it only if no run before
 * did with the same options and the same simulator. Safe in parallel processes. Read only: the files
 * are shared. `workers` 0 renders in the calling thread.
 */
export async function surveySet(
  options: Partial<SurveyOptions> = {},
  workers = 2,
): Promise<SurveySet> {
  const images = options.images ?? SURVEY_DEFAULTS.images;
  const full = { ...SURVEY_DEFAULTS, obliques: usualObliques(images), ...options };
  return await renderedSet(SURVEYS, full, (out) =>
    runSurvey(full, { out, workers, signal: new AbortController().signal }),
  );
}

/** Cells of a raster of the truth: row-major, north row first, metres; NaN = no data. */
export interface TruthRaster {
  readonly westM: number;
  readonly northM: number;
  readonly cellM: number;
  readonly width: number;
  readonly height: number;
  readonly elevationM: Float32Array;
}

/** Reads a raster of the truth: `surfaceEnu`, `groundEnu` (ENU at the site's origin) or `surfaceUtm`. */
export async function readTruthRaster(
  set: SurveySet,
  name: "surfaceEnu" | "groundEnu" | "surfaceUtm",
): Promise<TruthRaster> {
  const { file } = set.truth.rasters[name];
  const bytes = await readFile(join(set.folder, file));
  const tiff = await fromArrayBuffer(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
  );
  const image = await tiff.getImage();
  const [westM = 0, northM = 0] = image.getOrigin();
  const [cellM = 0] = image.getResolution();
  const noData = image.getGDALNoData();
  const [cells] = await image.readRasters();
  if (!(cells instanceof Float32Array)) throw new Error(`${file} does not hold 32-bit floats`);
  return {
    westM,
    northM,
    cellM,
    width: image.getWidth(),
    height: image.getHeight(),
    elevationM: cells.map((value) => (value === noData ? Number.NaN : value)),
  };
}
