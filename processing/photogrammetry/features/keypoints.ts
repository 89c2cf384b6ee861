/** Length of one descriptor, bytes. */
export const DESCRIPTOR_BYTES = 128;

/** Keypoints of one image at working size. The arrays may lie on shared memory. */
export interface Keypoints {
  readonly count: number;
  /** Pixels of the working size; (0, 0) is the middle of the upper left pixel. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Radius of the feature, pixels of the working size. */
  readonly scale: Float32Array;
  /** Dominant gradient's direction, rad, from x towards y. */
  readonly angle: Float32Array;
  /** `count` RootSIFT descriptors of 128 bytes, one after the other. */
  readonly descriptors: Uint8Array;
}
