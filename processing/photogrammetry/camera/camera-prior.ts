import type { Rotation, Vector3 } from "../../geometry/rotation.ts";
import type { Intrinsics } from "./camera.ts";

/** Images that share a lens: one body at one size and focal length. */
export interface LensPrior {
  /** At working size. */
  readonly intrinsics: Intrinsics;
  /** Standard deviations: pixels, pixels, pixels, then without unit; 0 = held fixed. */
  readonly sigma: {
    readonly focalPx: number;
    readonly centrePx: number;
    readonly k1: number;
    readonly k2: number;
    readonly tangential: number;
  };
  /** Width of the files, pixels; absent where it is not needed. */
  readonly fullWidthPx?: number;
  /** Where the focal length comes from, for the report. */
  readonly source: "dewarp" | "focal_plane" | "focal_35mm" | "known_camera" | "given";
}

/** What is known of one camera before any pixel is read. */
export interface CameraPrior {
  /** Index into the lenses. */
  readonly lens: number;
  /** ENU, metres; `undefined`: no position. */
  readonly centre: Vector3 | undefined;
  /** Standard deviations of east, north, up, metres. */
  readonly centreSigmaM: Vector3;
  readonly isRtk: boolean;
  /** Ms since the Unix epoch by the camera's clock; absent: it has no time. */
  readonly takenAtMs?: number;
  /** Taken on an earlier flight, whose positions are off by another common bias. */
  readonly isOfEarlierFlight?: true;
  /** Its height contradicted gravity and was replaced by the height from attitudes and pictures. */
  readonly isHeightDoubted?: true;
  /** Its attitude follows from positions whose heights contradict each other: nothing says which way is down. */
  readonly isUnlevelled?: true;
  /** Camera from ENU; `undefined`: no gimbal tags. */
  readonly rotation: Rotation | undefined;
  /** Of each of the three angles, rad. */
  readonly rotationSigmaRad: number;
}
