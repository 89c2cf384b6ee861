import type { SurveyOrigin } from "../../geometry/enu.ts";
import type { Vector3 } from "../../geometry/rotation.ts";
import type { Intrinsics, Pose } from "../camera/camera.ts";
import type { HeightAgreement } from "../matching/level-heights.ts";

/** One image's camera after the adjustment. */
export interface OrientedCamera {
  /** Index of the image in the survey. */
  readonly image: number;
  /** Index into `lenses`. */
  readonly lens: number;
  readonly pose: Pose;
  /** Observations that count, and their root mean square, pixels (see {@link Reconstruction}). */
  readonly observations: number;
  readonly rmsPx: number;
  /** Adjusted centre less the centre by GPS (common bias taken off), metres; `undefined`: no GPS. */
  readonly gpsResidualM: Vector3 | undefined;
  /**
   * Standard deviations of the centre, ENU metres, in the frame of what places the block: without RTK
   * or control points those are the tags, whose common bias is not in here. `undefined`: not to be had.
   */
  readonly centreSigmaM?: Vector3 | undefined;
}

/**
 * Points, cameras and lenses that explain the matches, and how sure they are. Pixels are those of the working
 * size within the engine, and those of the photographs in its result (`photo-pixels.ts`).
 */
export interface Reconstruction {
  readonly origin: SurveyOrigin;
  readonly cameras: readonly OrientedCamera[];
  readonly lenses: readonly Intrinsics[];
  /** Tie points, three numbers each: ENU, metres. */
  readonly points: Float64Array;
  /** Observation i is of point `point[i]` by camera `camera[i]` (index into `cameras`), at pixel u, v. */
  readonly observations: {
    readonly point: Int32Array;
    readonly camera: Int32Array;
    readonly u: Float32Array;
    readonly v: Float32Array;
  };
  readonly summary: AdjustmentSummary;
}

/** One control point as the adjusted block has it. */
export interface ControlPointFigures {
  readonly name: string;
  /** `check`: held back by its provider; `left_out`: it does not fit the others, or too few marks do. */
  readonly use: "used" | "check" | "left_out";
  /** Where its marks put it less where it is given, ENU metres; `undefined`: fewer than two images show it. */
  readonly errorM: Vector3 | undefined;
  /** The same of an adjustment that did not know the point: points that are used pull the block to them. */
  readonly leaveOneOutM: Vector3 | undefined;
  readonly marks: readonly {
    /** Index of the image. */
    readonly image: number;
    /** Distance from where the given coordinates project, pixels (see {@link Reconstruction}). */
    readonly offPx: number;
    readonly isUsed: boolean;
  }[];
}

/** How control points fit the block. */
export interface ControlFigures {
  readonly points: readonly ControlPointFigures[];
  /**
   * Root mean square distances, metres: of the points used by their marks alone, of those held back, of those
   * used that were left out in turn, and of all in a similarity to the block before it knew them.
   */
  readonly rmsM: {
    readonly used: number | undefined;
    readonly check: number | undefined;
    readonly leaveOneOut: number | undefined;
    readonly fit: number | undefined;
  };
  /** Standard deviation that the used points were given, by declaration and residuals, metres. */
  readonly sigmaM: { readonly horizontal: number; readonly vertical: number } | undefined;
  readonly declaredM: { readonly horizontal: number; readonly vertical: number };
  /** The points do not fit the block, and none of them was used. */
  readonly isContradicted: boolean;
  /** What pixels of marks were multiplied by: 1 but for marks made on pictures of another size. */
  readonly markScale: number;
}

/** A drift of positions by tags over a flight. */
export interface PositionDrift {
  /** Change of their error from the first image to the last, metres. */
  readonly eastM: number;
  readonly northM: number;
  /** It was taken off the positions before the block was adjusted for the last time. */
  readonly isDoubted: boolean;
}

/** Figures of the adjustment for gates, uncertainty and the report. */
export interface AdjustmentSummary {
  /** Root mean square reprojection error of what counts, pixels (see {@link Reconstruction}). */
  readonly rmsPx: number;
  /** Share of tracks that were dropped, 0 to 1. */
  readonly droppedTracks: number;
  /** Standard deviation of the GPS residuals: horizontal (both axes pooled), vertical; metres. */
  readonly gpsResidualM: { readonly horizontal: number; readonly vertical: number } | undefined;
  /** Common offset of GPS that was estimated along, ENU, metres; 0 where nothing else places the block. */
  readonly gpsBiasM: Vector3;
  /**
   * One standard deviation of the model's scale, without unit. The share that positions without RTK have in it keeps
   * their floor of 1 % and their drift (docs/photogrammetry.md#uncertainty-of-a-volume), and a contradiction between positions and model is in it.
   */
  readonly scaleSigma: number;
  /** What the scale follows most in the adjustment. */
  readonly scaleFrom: "gps" | "rtk" | "control_points" | "scale_bars";
  /**
   * Scale of the similarity that takes the positions in the tags to the adjusted cameras, less 1, and one
   * standard deviation of it, by the errors of both; `undefined`: too few positions.
   */
  readonly scaleByPositions: { readonly misfit: number; readonly sigma: number } | undefined;
  /**
   * Whether the last round ended by its own limits, and how far its last step moved any unknown, in
   * standard deviations.
   */
  readonly convergence: { readonly isConverged: boolean; readonly stepSigmas: number };
  /** One standard deviation of the focal length by lens, relative, and its change from the prior. */
  readonly focal: readonly { readonly relativeSigma: number; readonly relativeChange: number }[];
  /** What became of each control point; `undefined`: none was given. */
  readonly control: ControlFigures | undefined;
  /** Three or more control points that are not on a line fix scale and level. */
  readonly isHeldByControl?: true;
  /** Positions by RTK, of most images, place and level the block, whatever its scale follows most. */
  readonly isHeldByRtk?: true;
  /** What places the block: positions by tags, with control points or without, or those points alone. */
  readonly placedBy: "positions" | "control_points";
  /** Share of cameras that look down more than 70 degrees below the horizon. */
  readonly nadirShare: number;
  /** The same share by the attitudes that the adjustment began with; NaN: none had any. */
  readonly expectedNadirShare: number;
  /** How the heights in the tags agree with gravity; `undefined`: RTK, or too few pairs. */
  readonly heights: HeightAgreement | undefined;
  /** How the positions in the tags drift from above; absent: RTK, or too few positions. */
  readonly positionDrift?: PositionDrift;
  /** Nothing shows which direction is down, and the plane of the mapped ground was made level. */
  readonly isLevelledByGround?: true;
  /** One standard deviation of the tilt of the model about a horizontal axis, rad. */
  readonly tiltSigmaRad: number;
  /** Slope of the plane through the mapped ground, rad; NaN: fewer than three tie points. */
  readonly groundTiltRad: number;
}
