import type { GeodeticPosition } from "../coordinates/wgs84.ts";
import type { TrueLens } from "../flight/camera.ts";
import type { ImageFault, SurveyFault } from "../options/faults.ts";
import type { SurveyOptions } from "../options/options.ts";
import type { PileEvent, PileShape } from "../site/pile.ts";
import type { TruthRasters } from "./truth-raster.ts";

export type Point2 = readonly [eastM: number, northM: number];
export type Point3 = readonly [eastM: number, northM: number, upM: number];

/**
 * What is true of a simulated survey: the content of truth.json. Places are ENU at `origin` (x east,
 * y north, z up, metres). Pixels are those of the stored file, (0, 0) the middle of the upper left
 * one. Volumes are above the ground as it is without the pile.
 */
export interface SurveyTruth {
  readonly format: "plumbline-survey-truth/1";
  readonly options: SurveyOptions;
  readonly origin: GeodeticPosition;
  /** Nominal ground sample distance at the origin, metres. */
  readonly gsdM: number;
  /** The rectangle that the strips cover. */
  readonly area: readonly Point2[];
  readonly surveyFaults: readonly SurveyFault[];
  readonly lenses: readonly TrueLensRecord[];
  readonly cameras: readonly TrueCamera[];
  readonly piles: readonly TruePile[];
  readonly zones: readonly TrueZone[];
  readonly controlPoints: readonly TrueControlPoint[];
  /** A distance that was measured on the ground; empty under snow. */
  readonly scaleBars: readonly TrueScaleBar[];
  readonly rasters: TruthRasters;
}

/** A lens as it is, in pixels of the stored files (formula: `TrueLens` in camera.ts, OpenCV's order). */
export interface TrueLensRecord extends TrueLens {
  readonly model: string;
  readonly serial: string;
  /** What the tags make of it. */
  readonly taggedFocalPx: number;
}

export interface TrueCamera {
  readonly image: string;
  /** Index into `lenses`. */
  readonly lens: number;
  /** When the middle row was read. */
  readonly centre: Point3;
  /** DJI's angles: clockwise from north, above the horizon, clockwise along the view. */
  readonly yawDeg: number;
  readonly pitchDeg: number;
  readonly rollDeg: number;
  /**
   * Camera from ENU, row-major: rows are the camera's right, down and forward axes. Of the camera that
   * took the picture: where the stored pixels were turned (`rotated`), right and down are reversed.
   */
  readonly rotation: readonly number[];
  readonly velocityMps: Point3;
  readonly timeS: number;
  readonly faults: readonly ImageFault[];
  /** Error of the tags where they are there: tagged less true, metres and degrees. */
  readonly tagError: {
    readonly position: Point3;
    readonly yawDeg: number;
    readonly pitchDeg: number;
    readonly rollDeg: number;
  };
}

export interface TruePile {
  readonly id: string;
  readonly material: string;
  readonly shape: PileShape;
  /** What has happened to it up to this epoch. */
  readonly events: readonly PileEvent[];
  readonly volumeM3: number;
  /** By formula, or summed over cells of 2.5 cm. */
  readonly volumeBy: "closed" | "numeric";
  /** Ground that it covers. */
  readonly areaM2: number;
  readonly centre: Point2;
  /** Polygon to measure in: open ring, counter-clockwise, the same at every epoch. */
  readonly outline: readonly Point2[];
  /** The same in degrees. */
  readonly outlineLonLat: readonly (readonly [lonDeg: number, latDeg: number])[];
}

export interface TrueZone {
  readonly id: string;
  readonly kind: "building";
  readonly ring: readonly Point2[];
  readonly ringLonLat: readonly (readonly [lonDeg: number, latDeg: number])[];
  readonly storeys: number;
  readonly plannedStoreys: number;
  /** Top of the uppermost slab above the ground. */
  readonly heightM: number;
}

export interface TrueControlPoint {
  readonly name: string;
  readonly position: Point3;
  /** As surveyed: with the errors of a good receiver, and in degrees. */
  readonly surveyed: GeodeticPosition & {
    readonly sigmaM: { readonly horizontal: number; readonly vertical: number };
  };
  readonly marks: readonly PointMark[];
}

/** `u`, `v`: as a person clicked it; `trueU`, `trueV`: where it is. */
export interface PointMark {
  readonly image: string;
  readonly u: number;
  readonly v: number;
  readonly trueU: number;
  readonly trueV: number;
}

export interface TrueScaleBar {
  /** As measured. */
  readonly lengthM: number;
  readonly sigmaM: number;
  readonly trueLengthM: number;
  readonly ends: readonly {
    readonly name: string;
    readonly position: Point3;
    readonly marks: readonly PointMark[];
  }[];
}
