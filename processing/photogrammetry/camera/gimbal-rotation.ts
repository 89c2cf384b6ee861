import type { Rotation } from "../../geometry/rotation.ts";
import type { GimbalTags } from "./survey-image.ts";

const DEGREE = Math.PI / 180;

/**
 * Camera from ENU for gimbal angles as DJI's XMP has them: yaw clockwise from north, pitch up from the
 * horizon (-90 = straight down), roll clockwise as seen from behind the camera. Straight down at yaw 0
 * the image's top points north. The sign of yaw was checked on real flights (docs/photogrammetry.md#real-flights).
 */
export function rotationFromGimbal({ yawDeg, pitchDeg, rollDeg }: GimbalTags): Rotation {
  const sinYaw = Math.sin(yawDeg * DEGREE);
  const cosYaw = Math.cos(yawDeg * DEGREE);
  const sinPitch = Math.sin(pitchDeg * DEGREE);
  const cosPitch = Math.cos(pitchDeg * DEGREE);
  const sinRoll = Math.sin(rollDeg * DEGREE);
  const cosRoll = Math.cos(rollDeg * DEGREE);
  // Rows are the camera's axes in ENU before roll: right, down, forward.
  const right = [cosYaw, -sinYaw, 0] as const;
  const down = [sinPitch * sinYaw, sinPitch * cosYaw, -cosPitch] as const;
  return Float64Array.of(
    cosRoll * right[0] + sinRoll * down[0],
    cosRoll * right[1] + sinRoll * down[1],
    sinRoll * down[2],
    cosRoll * down[0] - sinRoll * right[0],
    cosRoll * down[1] - sinRoll * right[1],
    cosRoll * down[2],
    cosPitch * sinYaw,
    cosPitch * cosYaw,
    sinPitch,
  );
}
