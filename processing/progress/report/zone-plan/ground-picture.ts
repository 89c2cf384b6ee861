import type { LonLat } from "../../../../domain/geometry/geofence.ts";
import type { Picture } from "../../../pictures/picture.ts";

/** A picture of the ground, and where its corners lie: from the upper left on, clockwise. */
export interface GroundPicture {
  readonly picture: Picture;
  readonly corners: readonly [LonLat, LonLat, LonLat, LonLat];
}

type Pixel = readonly [x: number, y: number];

/**
 * Draws the ground into the upper left part of a picture, `width` by `height` pixels large; `corners` are the
 * ground's in its pixels. Pictures of the ground are rectangles in the survey's frame, so that three corners
 * determine the inverse mapping; nearest pixel, because both are about as fine.
 */
export function drawGround(
  target: Picture,
  { picture }: GroundPicture,
  corners: readonly Pixel[],
  { width, height }: { readonly width: number; readonly height: number },
): void {
  const [origin, right, , down] = corners;
  if (origin === undefined || right === undefined || down === undefined) return;
  const [ax, ay] = [right[0] - origin[0], right[1] - origin[1]];
  const [bx, by] = [down[0] - origin[0], down[1] - origin[1]];
  const area = ax * by - ay * bx;
  if (area === 0) return;
  for (let row = 0; row < height; row += 1) {
    for (let col = 0; col < width; col += 1) {
      const [x, y] = [col + 0.5 - origin[0], row + 0.5 - origin[1]];
      const u = Math.floor(((x * by - y * bx) / area) * picture.width);
      const v = Math.floor(((y * ax - x * ay) / area) * picture.height);
      if (u < 0 || v < 0 || u >= picture.width || v >= picture.height) continue;
      const from = (v * picture.width + u) * 4;
      const to = (row * target.width + col) * 4;
      for (let k = 0; k < 3; k += 1) target.rgba[to + k] = picture.rgba[from + k] ?? 0;
    }
  }
}
