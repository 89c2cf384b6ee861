import type { AdjustmentSummary } from "../reconstruction.ts";
import type { SurveyBlock } from "./survey-block.ts";

/**
 * Errors of consumer GPS drift along and do not average out: AR(1) draws gave 1.96x (PHOTOGRAMMETRY.md 3.1).
 * Where there are too few positions to tell by how much these did.
 */
export const UNTOLD_INFLATION = 2;

/** Shipping programs differ by 1.4 to 2.7 % on one GPS-only set (PHOTOGRAMMETRY.md 3.2 and 4.2). */
const GPS_FLOOR = 0.01;

/** Share of cameras with RTK from which on it is RTK that fixes the scale. Chosen: the majority. */
const RTK_SHARE = 0.5;

/** What fixes the scale: the surest source that is there. */
export function scaleSource(
  { priors }: SurveyBlock,
  usedControlPoints: number,
  bars: number,
): AdjustmentSummary["scaleFrom"] {
  if (bars > 0) return "scale_bars";
  // One point places the model, two scale it.
  if (usedControlPoints > 1) return "control_points";
  const flights = [true, undefined].map((earlier) =>
    priors.filter(({ isOfEarlierFlight }) => isOfEarlierFlight === earlier),
  );
  // Either flight scales both.
  const hasRtk = flights.some(
    (flight) =>
      flight.filter(({ centre, isRtk }) => centre && isRtk).length > RTK_SHARE * flight.length,
  );
  return hasRtk ? "rtk" : "gps";
}

/**
 * The sigma of the scale to report (PHOTOGRAMMETRY.md 4.2), from that of the normal matrix, which takes the
 * errors of positions for independent.
 * @param inflation what consumer GPS adds to that by drifting; `undefined`: nobody can tell
 */
export function reportedScaleSigma(
  formal: number,
  source: AdjustmentSummary["scaleFrom"],
  inflation: number | undefined,
): number {
  if (source !== "gps") return formal;
  return Math.max(GPS_FLOOR, (inflation ?? UNTOLD_INFLATION) * formal);
}

/** Cameras of each flight in the order they were taken; of images without a time, of the survey. */
export function flightsOf({ images, priors }: SurveyBlock): readonly (readonly number[])[] {
  const isEarlier = (camera: number) => priors[camera]?.isOfEarlierFlight === true;
  const cameras = [...images.keys()].sort((a, b) => (images[a] ?? 0) - (images[b] ?? 0));
  return [false, true]
    .map((earlier) => cameras.filter((camera) => isEarlier(camera) === earlier))
    .filter((flight) => flight.length > 0)
    .map((flight) => {
      const takenAt = (camera: number) => priors[camera]?.takenAtMs ?? Number.NaN;
      const isTold = flight.every((camera) => !Number.isNaN(takenAt(camera)));
      return isTold ? flight.toSorted((a, b) => takenAt(a) - takenAt(b)) : flight;
    });
}
