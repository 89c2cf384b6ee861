/** Unknowns of a camera: a small rotation after the present one (rad), then the centre (m). */
export const CAMERA_UNKNOWNS = 6;

/** Unknowns of a lens, in this order: f, cx, cy (pixels), k1, k2, p1, p2 (no unit). */
export const LENS_UNKNOWNS = 7;

/** What an adjustment changes. World coordinates are ENU at the survey's origin, metres. */
export interface BundleState {
  /** Camera from world, row-major, nine numbers a camera. */
  readonly rotations: Float64Array;
  /** Projection centres, three numbers a camera. */
  readonly centres: Float64Array;
  /** Seven numbers a lens. */
  readonly lenses: Float64Array;
  /** Offsets of positions from the truth, metres, three numbers for each flight; see `biasOf`. */
  readonly bias: Float64Array;
  /** Tie points: eliminated by the Schur complement. */
  readonly points: Float64Array;
  /** Points that a person marked (control points, ends of scale bars): kept as unknowns. */
  readonly marked: Float64Array;
}

/** Observation i: `point[i]` is seen by `camera[i]` at the pixel (u, v). Sorted by point, then camera. */
export interface Observations {
  readonly point: Int32Array;
  readonly camera: Int32Array;
  readonly u: Float32Array;
  readonly v: Float32Array;
}

/** Gaussian knowledge from outside the images; a standard deviation of 0 says there is none. */
export interface BundlePriors {
  readonly centres: Float64Array;
  /** Metres, three a camera. */
  readonly centreSigma: Float64Array;
  /** 1 where the receiver had no RTK: its errors are those of a consumer's. */
  readonly sharesBias: Uint8Array;
  /** Which bias, counted from 0, the camera's position carries; -1: none. */
  readonly biasOf: Int32Array;
  /** Metres, three numbers a bias; 0 = there is none. */
  readonly biasSigma: Float64Array;
  readonly rotations: Float64Array;
  /** Of each of three angles, rad, one a camera. */
  readonly rotationSigma: Float64Array;
  readonly lenses: Float64Array;
  /** Seven a lens. Here 0 holds the value as it is. */
  readonly lensSigma: Float64Array;
  readonly marked: Float64Array;
  /** Metres, three a marked point. */
  readonly markedSigma: Float64Array;
}

/** A measured distance between two marked points. */
export interface BarObservation {
  readonly a: number;
  readonly b: number;
  readonly lengthM: number;
  readonly sigmaM: number;
}

export interface BundleProblem {
  readonly state: BundleState;
  /** Lens of each camera. */
  readonly cameraLens: Int32Array;
  readonly observations: Observations;
  readonly marks: Observations;
  /** Of a mark that a person made, pixels. */
  readonly markSigmaPx: number;
  readonly priors: BundlePriors;
  readonly bars: readonly BarObservation[];
}

/** Where the unknowns lie in the reduced normal matrix: cameras, lenses, bias, marked points. */
export interface UnknownLayout {
  readonly cameras: number;
  readonly lensOffset: number;
  readonly biasOffset: number;
  readonly markedOffset: number;
  readonly size: number;
}

export function layoutOf({ state, cameraLens }: BundleProblem): UnknownLayout {
  const cameras = cameraLens.length;
  const lensOffset = cameras * CAMERA_UNKNOWNS;
  const biasOffset = lensOffset + state.lenses.length;
  const markedOffset = biasOffset + state.bias.length;
  return {
    cameras,
    lensOffset,
    biasOffset,
    markedOffset,
    size: markedOffset + state.marked.length,
  };
}

export function copyState(state: BundleState): BundleState {
  return {
    rotations: state.rotations.slice(),
    centres: state.centres.slice(),
    lenses: state.lenses.slice(),
    bias: state.bias.slice(),
    points: state.points.slice(),
    marked: state.marked.slice(),
  };
}

/** Overwrites `to` with `from`; both are of one problem. */
export function assignState(to: BundleState, from: BundleState): void {
  to.rotations.set(from.rotations);
  to.centres.set(from.centres);
  to.lenses.set(from.lenses);
  to.bias.set(from.bias);
  to.points.set(from.points);
  to.marked.set(from.marked);
}
