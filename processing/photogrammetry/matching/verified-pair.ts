import type { Rotation, Vector3 } from "../../geometry/rotation.ts";

/** Two images that see the same ground, and the keypoints that both saw. */
export interface VerifiedPair {
  /** Indices of the images in the survey; `first < second`. */
  readonly first: number;
  readonly second: number;
  /** Matches before verification. */
  readonly candidates: number;
  /** Keypoint of the first and of the second image, in turn; length `2 * inliers`. */
  readonly matches: Uint32Array;
  /** Second camera from first camera. */
  readonly rotation: Rotation;
  /** Direction of the second camera's centre in the frame of the first, unit length. */
  readonly direction: Vector3;
}

/** A pair that was tried and does not match. */
export interface FailedPair {
  readonly first: number;
  readonly second: number;
  readonly candidates: number;
  readonly inliers: number;
}
