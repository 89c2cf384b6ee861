/** What a site's pictures are to be like. */
export interface CameraSiteOptions {
  /** Equal seeds and options give equal pictures, byte by byte. */
  readonly seed: string;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Pictures over the whole time of building, evenly but for a jitter. */
  readonly pictures: number;
}

/** 40 to label and 50 to test with, as docs/progress-method.md#fixed-cameras measured. */
export const CAMERA_SITE_DEFAULTS: Omit<CameraSiteOptions, "seed"> = {
  widthPx: 960,
  heightPx: 540,
  pictures: 90,
};

/** Weather and faults beyond the usual ones: each makes one picture harder, or useless. */
export type Hardship = "fog" | "night" | "lens_dirt" | "snow";

/** Share of the width by which a knocked camera points off (issue: 15 %). */
export const MOVED_SHARE = 0.15;

/** How far the pictures of a fixed camera wander: wind, heat, a pole that leans. docs/progress-method.md#fixed-cameras. */
export const SHIFT_PX = 8;
export const TURN_DEG = 0.4;
