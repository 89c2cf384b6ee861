import { failureOf, NO_ANSWER } from "../../../api/failure.ts";
import type { Outcome } from "../../../api/outcome.ts";
import { fileAddress } from "../../../parts/file-address.ts";
import { type Fate, fatesOfCapture, fatesOfMeasurement } from "../../jobs/fates.ts";
import { readCapture, readMeasurement } from "../../jobs/requests.ts";
import type { Survey } from "../requests.ts";

/** A photograph that the survey rests on, and where it was taken. */
export interface PlacedImage {
  readonly name: string;
  /** Degrees, WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
  /** What is left over in it, pixels of the photograph, RMS. */
  readonly rmsPx: number;
  /** Ground points that were seen in it. */
  readonly observations: number;
  /** Standard deviation of its place, metres; `undefined`: not stated. */
  readonly sigmaM: number | undefined;
}

/** The photographs of a survey. */
export interface SurveyCameras {
  readonly placed: readonly PlacedImage[];
  /** Those it does not rest on, with why; `undefined`: that could not be read. */
  readonly refused: readonly Fate[] | undefined;
}

/** An image in the file of cameras (`plumbline.cameras/1`), as far as it is shown. */
interface CameraEntry {
  readonly name: string;
  readonly latitude_deg: number;
  readonly longitude_deg: number;
  readonly rms_px: number;
  readonly observations: number;
  readonly sigma_m: number | readonly number[] | null;
}

/** What the file of cameras says of its images. */
const placedImages = (file: { readonly images: readonly CameraEntry[] }): PlacedImage[] =>
  file.images.map((image) => ({
    name: image.name,
    latitude: image.latitude_deg,
    longitude: image.longitude_deg,
    rmsPx: image.rms_px,
    observations: image.observations,
    sigmaM: sigmaOf(image.sigma_m),
  }));

/** The largest of its axes. */
function sigmaOf(sigma: CameraEntry["sigma_m"]): number | undefined {
  if (sigma === null) return undefined;
  return typeof sigma === "number" ? sigma : Math.max(...sigma);
}

/** Where the photographs of a survey were taken, and which it does not rest on. */
export async function readCameras(survey: Survey): Promise<Outcome<SurveyCameras>> {
  const address = survey.products.exports.cameras;
  if (address === undefined) return { value: { placed: [], refused: [] } };
  const [placed, fates] = await Promise.all([readPlaced(address), readFates(survey)]);
  if ("failure" in placed) return placed;
  const refused = fates?.filter(({ isUsed }) => !isUsed);
  return { value: { placed: placed.value, refused } };
}

async function readPlaced(address: string): Promise<Outcome<readonly PlacedImage[]>> {
  try {
    const response = await fetch(fileAddress(address));
    const body: unknown = await response.json();
    if (!response.ok) return { failure: failureOf(body, response) };
    // Written by the service: its schema does not change under one name.
    return { value: placedImages(body as { readonly images: readonly CameraEntry[] }) };
  } catch {
    return { failure: NO_ANSWER };
  }
}

async function readFates({ source }: Survey): Promise<readonly Fate[] | undefined> {
  if (source.kind === "stockpile_measurement") {
    const outcome = await readMeasurement(source.stockpile_id, source.measurement_id);
    return "value" in outcome ? fatesOfMeasurement(outcome.value) : undefined;
  }
  const outcome = await readCapture(source.capture_id);
  return "value" in outcome ? fatesOfCapture(outcome.value) : undefined;
}
