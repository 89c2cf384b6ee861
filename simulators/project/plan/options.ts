import type { GpsMode } from "../../survey/options/options.ts";

/** Where a zone's first surface comes from: the first flight, or a survey of the true ground. */
export const BASELINES = ["none", "raster"] as const;
export type Baseline = (typeof BASELINES)[number];

/** How a project is simulated. Ranges are checked on the command line (arguments.ts). */
export interface ProjectOptions {
  readonly seed: number;
  /** Id of the project, and start of the ids of its zones and cameras. */
  readonly project: string;
  readonly weeks: number;
  /** Monday on which work begins, 0 h UTC, ms since the Unix epoch; absent: 5 May 2025. */
  readonly startMs?: number;
  /** Images of each flight, and how many of them are oblique. */
  readonly images: number;
  readonly obliques: number;
  readonly widthPx: number;
  readonly gps: GpsMode;
  /** Of a position's random part by axis, horizontal and vertical, metres; absent: by mode. */
  readonly gpsSigmaM?: number;
  /** Of the nadir images; absent: as high as the images need to cover the zones. */
  readonly altitudeM?: number;
  /** Fixed cameras, 0 to 4. */
  readonly cameras: number;
  readonly cameraWidthPx: number;
  /** A camera (from 1) is turned by 15 % of its width in a week and stays so. */
  readonly knocked?: { readonly camera: number; readonly week: number };
  readonly baseline: Baseline;
  /** Codes of the zones that the project has; empty: all. */
  readonly zones: readonly string[];
  /** Noise of the sensors, grey levels. */
  readonly noise: number;
  readonly jpegQuality: number;
}

/** Obliques where their number is not given: 4 of 18, none of fewer, which are needed to cover the site. */
export const usualProjectObliques = (images: number): number =>
  images < 18 ? 0 : Math.round((images * 4) / 18);

/** Twelve weeks, a flight of 18 images of 800 pixels with RTK each, two cameras. */
export const PROJECT_DEFAULTS: ProjectOptions = {
  seed: 1,
  project: "sim-site",
  weeks: 12,
  images: 18,
  obliques: 4,
  widthPx: 800,
  gps: "rtk",
  cameras: 2,
  cameraWidthPx: 960,
  baseline: "raster",
  zones: [],
  noise: 2,
  jpegQuality: 92,
};
