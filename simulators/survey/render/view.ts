import type { SitePoint } from "../coordinates/place.ts";
import type { CameraAxes, TrueLens } from "../flight/camera.ts";

/** A camera while its shutter is open. */
export interface View {
  readonly lens: TrueLens;
  /** Rays of the lens's pixels, see `viewRays`. */
  readonly rays: Float32Array;
  readonly axes: CameraAxes;
  /** Projection centre when the middle row is read. */
  readonly centre: SitePoint;
  /** Metres per second, ENU. */
  readonly velocityMps: readonly [number, number, number];
  /** From the first row to the last, seconds; 0 = a global shutter. */
  readonly readoutS: number;
  readonly exposureS: number;
}

/** Where the camera is while a row is read (rolling shutter: rows are read from the top). */
export function centreAtRow(view: View, row: number): readonly [number, number, number] {
  const s = view.readoutS * (row / (view.lens.heightPx - 1) - 0.5);
  const { centre, velocityMps: v } = view;
  return [centre.eastM + v[0] * s, centre.northM + v[1] * s, centre.upM + v[2] * s];
}
