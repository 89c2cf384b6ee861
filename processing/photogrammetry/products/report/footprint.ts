import { inverse, rotate } from "../../../geometry/rotation.ts";
import { type Intrinsics, type Pose, undistort } from "../../camera/camera.ts";

/** Beyond this many flying heights a corner is taken to point at the horizon. */
const FARTHEST = 4;

/**
 * Corners of what an image shows of level ground at a height (ENU, metres), clockwise in the image from
 * its upper left; corners at the horizon are drawn in to four flying heights.
 */
export function footprint(
  lens: Intrinsics,
  { rotation, centre }: Pose,
  groundM: number,
): (readonly [number, number])[] {
  const toWorld = inverse(rotation);
  const right = lens.widthPx - 0.5;
  const bottom = lens.heightPx - 0.5;
  const above = centre[2] - groundM;
  return (
    [
      [-0.5, -0.5],
      [right, -0.5],
      [right, bottom],
      [-0.5, bottom],
    ] as const
  ).map(([u, v]) => {
    const [x, y, z] = rotate(toWorld, [...undistort(lens, u, v), 1]);
    const level = Math.hypot(x, y);
    const reach = z < 0 ? Math.min((level / -z) * above, FARTHEST * above) : FARTHEST * above;
    const scale = level === 0 ? 0 : reach / level;
    return [centre[0] + x * scale, centre[1] + y * scale] as const;
  });
}
