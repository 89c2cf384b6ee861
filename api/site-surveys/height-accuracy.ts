import { SIGMAS_95 } from "../../domain/sites/measurement.ts";
import { RTK_SIGMA } from "../../processing/epoch/align-survey.ts";
import { GPS_HEIGHT_M } from "../../processing/measurement/surface/measurement-base.ts";
import { rounded } from "../../processing/numeric/rounding.ts";
import type { ListedSurvey } from "./survey-schemas.ts";

/**
 * Height error of one cell, in ground sample distances, one standard deviation: 0.15 to 0.27 around 105 simulated
 * piles (processing/volume/height-noise.ts).
 */
const NOISE_GSD = 0.25;

/** Where the placing of a survey's heights is known from. */
export const PLACED_BY = ["check_points", "control_points", "rtk", "gps", "unknown"] as const;

/** How sure single heights of a survey are, metres, half of 95 % intervals; `null`: not known. */
export interface HeightAccuracy {
  readonly uncertainty_95_m: number | null;
  readonly relative_95_m: number | null;
  readonly placed_by: (typeof PLACED_BY)[number];
}

/** What a survey's report and record say of single heights. A given surface says nothing of them. */
export function heightAccuracy({
  accuracy,
  gsd_cm,
}: Pick<ListedSurvey, "accuracy" | "gsd_cm">): HeightAccuracy {
  const { georeferencing, check_rms_m, control_rms_m } = accuracy;
  const isPhotographed = georeferencing !== "given" && gsd_cm !== null;
  const noiseM = isPhotographed ? (NOISE_GSD * gsd_cm) / 100 : null;
  const [placed_by, placedM] = placing(georeferencing, check_rms_m, control_rms_m);
  return {
    uncertainty_95_m:
      noiseM === null || placedM === null ? null : half95(Math.hypot(noiseM, placedM)),
    relative_95_m: noiseM === null ? null : half95(Math.SQRT2 * noiseM),
    placed_by,
  };
}

const half95 = (sigmaM: number): number => rounded(SIGMAS_95 * sigmaM, 3);

/** One standard deviation of what all heights share. The rms of points holds that of plan, too: it is no less. */
function placing(
  georeferencing: ListedSurvey["accuracy"]["georeferencing"],
  checkM: number | null,
  controlM: number | null,
): readonly [HeightAccuracy["placed_by"], number | null] {
  if (checkM !== null) return ["check_points", checkM];
  switch (georeferencing) {
    case "control_points":
      return controlM === null ? ["unknown", null] : ["control_points", controlM];
    case "rtk":
      return ["rtk", RTK_SIGMA.heightSigmaM];
    // Bars give the scale only.
    case "gps":
    case "scale_bars":
      return ["gps", GPS_HEIGHT_M];
    default:
      return ["unknown", null];
  }
}
