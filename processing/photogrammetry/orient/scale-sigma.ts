import type { AdjustmentSummary } from "../reconstruction.ts";
import type { SurveyBlock } from "./survey-block.ts";

/** Errors of consumer GPS drift along and do not average out: AR(1) draws gave 1.96x (PHOTOGRAMMETRY.md 3.1). */
const GPS_INFLATION = 2;

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

/** The sigma of the scale to report (PHOTOGRAMMETRY.md 4.2), from that of the normal matrix. */
export function reportedScaleSigma(formal: number, source: AdjustmentSummary["scaleFrom"]): number {
  return source === "gps" ? Math.max(GPS_FLOOR, GPS_INFLATION * formal) : formal;
}
