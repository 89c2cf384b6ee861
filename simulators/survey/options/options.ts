import type { GeodeticPosition } from "../coordinates/wgs84.ts";
import type { FaultRequest } from "./faults.ts";

/** How positions in the tags differ from the true ones. */
export const GPS_MODES = [
  "rtk",
  "white",
  "bias",
  "ar1",
  "plan-drift",
  "barometer",
  "altitude-drift",
  "exact",
] as const;
export type GpsMode = (typeof GPS_MODES)[number];

/** How a survey is simulated. Ranges are checked on the command line (arguments.ts). */
export interface SurveyOptions {
  readonly seed: number;
  readonly widthPx: number;
  readonly images: number;
  /** How many of the images are oblique. */
  readonly obliques: number;
  /** From 1; later epochs show the same site with material moved and buildings grown. */
  readonly epoch: number;
  /** Where the site lies; absent: `SITE_ORIGIN`. */
  readonly origin?: GeodeticPosition;
  /** First image of epoch 1, ms since the Unix epoch; absent: 4 May 2026. Later epochs fly at weekly distance. */
  readonly firstFlightMs?: number;
  readonly gps: GpsMode;
  /** Of a position's random part by axis, horizontal and vertical, metres; absent: by mode. */
  readonly gpsSigmaM?: number;
  readonly altitudeM: number;
  /** Percent, along the strips and between them. */
  readonly overlap: { readonly forward: number; readonly side: number };
  /** Fall of the site, percent, towards where the seed says; absent: up to 2 by axis. */
  readonly slopePercent?: number;
  /** Of the ground's and the piles' texture, 0 to 1; absent: as it is. */
  readonly contrast?: number;
  /**
   * By how much the focal length is above the one that the tags give, percent; absent: 0.6 to 1.4 either way, by the
   * seed. The tags are whole millimetres of 35 mm film, and real ones are farther off.
   */
  readonly focalOffPercent?: number;
  readonly speedMps: number;
  readonly exposureMs: number;
  /** Time from reading the first row to the last, ms; 0 = a global (mechanical) shutter. */
  readonly readoutMs: number;
  /** Noise of the sensor, grey levels. */
  readonly noise: number;
  readonly jpegQuality: number;
  /** Ground control points whose marks are written. */
  readonly controlPoints: number;
  readonly faults: readonly FaultRequest[];
}

/** 36 images of 1200 pixels, 8 of them oblique, with a consumer drone's GPS. */
export const SURVEY_DEFAULTS: SurveyOptions = {
  seed: 1,
  widthPx: 1_200,
  images: 36,
  obliques: 8,
  epoch: 1,
  gps: "bias",
  altitudeM: 38,
  overlap: { forward: 75, side: 65 },
  speedMps: 4,
  exposureMs: 1,
  readoutMs: 0,
  noise: 2,
  jpegQuality: 92,
  controlPoints: 0,
  faults: [],
};

/** Share of oblique images where the number is not given: 8 of 36. */
export function usualObliques(images: number): number {
  return images < 6 ? 0 : Math.round((images * 8) / 36);
}
