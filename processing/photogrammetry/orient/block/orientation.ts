import type { SurveyOrigin } from "../../../geometry/enu.ts";
import type { Vector3 } from "../../../geometry/rotation.ts";
import type { CameraPrior, LensPrior } from "../../camera/camera-prior.ts";
import type { ImagePoints } from "../../matching/tracks.ts";
import type { VerifiedPair } from "../../matching/verified-pair.ts";
import type { Reconstruction } from "../../reconstruction/reconstruction.ts";

/** Where a person saw a point: index of the image, pixel of the working size. */
export interface ImageMark {
  readonly image: number;
  readonly u: number;
  readonly v: number;
  /**
   * Pixel of the corner that `u` and `v` were counted from; absent: -0.5, -0.5. An image as it was taken has it at
   * the opposite end where somebody turned the image.
   */
  readonly corner?: readonly [u: number, v: number];
}

/** A point with known coordinates. */
export interface ControlTarget {
  readonly name: string;
  /** ENU at the survey's origin, metres. */
  readonly position: Vector3;
  readonly sigmaM: { readonly horizontal: number; readonly vertical: number };
  /** Held back: measures the result and does not shape it. */
  readonly isCheck: boolean;
  readonly marks: readonly ImageMark[];
}

/** A distance that was measured on site, between two points that people marked. */
export interface ScaleBarTarget {
  readonly lengthM: number;
  readonly sigmaM: number;
  readonly ends: readonly [readonly ImageMark[], readonly ImageMark[]];
}

export interface OrientInput {
  readonly origin: SurveyOrigin;
  /**
   * By image of the survey, as are the keypoints; pairs and marks point into them. An image whose `lens` is
   * not one of the lenses (-1) takes no part.
   */
  readonly priors: readonly CameraPrior[];
  readonly lenses: readonly LensPrior[];
  readonly keypoints: readonly ImagePoints[];
  readonly pairs: readonly VerifiedPair[];
  readonly control: readonly ControlTarget[];
  readonly scaleBars: readonly ScaleBarTarget[];
  /** Images that somebody turned by 180 degrees; priors and all pixels are those of the turned image. */
  readonly turned?: readonly number[];
  /** Called with the share that is done, 0 to 1, never falling. */
  readonly onProgress?: (share: number) => void;
  /** Asked between rounds of the adjustment. */
  readonly isCancelled?: () => boolean;
}

/** Why an image has no camera in the reconstruction. */
export type LeftOutReason =
  /** Its focal length is not known. */
  | "no_lens"
  /** No verified pair leads from it to the largest connected group. */
  | "disconnected"
  /** No position by tags, nor by two neighbours that have one. */
  | "no_position"
  /** No attitude by tags, nor by a neighbour that has one. */
  | "no_attitude"
  /** Too few tie points were left to hold it. */
  | "too_few_observations";

export interface LeftOutImage {
  readonly image: number;
  readonly reason: LeftOutReason;
}

/** What the adjustment says of itself, for gates and the report, beside the summary. */
export interface OrientationFigures {
  /** Images in the largest group that verified pairs connect, and its share of all. */
  readonly connectedImages: number;
  readonly connectedShare: number;
  /** Tracks that matches made, those dropped for holding one image twice, and those chosen. */
  readonly tracks: number;
  readonly conflictingTracks: number;
  readonly chosenTracks: number;
  readonly meanTrackLength: number;
  /** Standard deviation of an image coordinate by the residuals, pixels. */
  readonly sigmaPx: number;
  /** Steps of Levenberg-Marquardt over all rounds. */
  readonly iterations: number;
  /** Sigma of the scale by the normal matrix, before drift and floor; NaN without a result. */
  readonly formalScaleSigma: number;
  /** Images whose attitude by tags did not fit and was replaced by a neighbour's, ascending. */
  readonly distrustedAttitudes: readonly number[];
  readonly residualTrend: ResidualTrend;
}

/**
 * How residuals run along the rows of an image and along its columns: rise of a straight line from
 * edge to edge, root mean square over images and both coordinates, pixels. `chancePx` is what noise
 * alone makes of it. A rolling shutter in flight raises both together, for poses take half of what it
 * does: 0.1 m of flight during readout gave 0.4 px at 40 m and f = 870 px, where chance is 0.05 px.
 */
export interface ResidualTrend {
  readonly rowsPx: number;
  readonly columnsPx: number;
  readonly chancePx: number;
}

export interface Orientation {
  /** `undefined` when fewer than three cameras are left. */
  readonly reconstruction: Reconstruction | undefined;
  readonly leftOut: readonly LeftOutImage[];
  /** Control points fit no block that the pictures make: their distance from the best one, rms, metres. */
  readonly contradictedRmsM?: number;
  readonly figures: OrientationFigures;
}
