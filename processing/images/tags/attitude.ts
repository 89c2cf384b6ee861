import type { GimbalTags } from "../../photogrammetry/camera/survey-image.ts";
import { firstNumber, type TagGroups, textOf } from "./tag-groups.ts";

const RAD = Math.PI / 180;

/**
 * How the camera was turned, in DJI's terms: yaw of the view's direction, pitch -90 straight down.
 *
 * DJI and Parrot (Anafi) write the gimbal's angles in this form. The `Camera` namespace of senseFly, Parrot's
 * Sequoia and MicaSense holds those of a body whose camera looks out of its belly: pitch 0 is straight down,
 * and senseFly counts roll the other way (OpenDroneMap, opendm/photo.py).
 */
export function readAttitude(groups: TagGroups): GimbalTags | undefined {
  const gimbal =
    angles(groups["drone-dji"], "Gimbal", "Degree") ??
    angles(groups["drone-parrot"], "Camera", "Degree");
  if (gimbal !== undefined) return gimbal;
  const body = angles(groups["Camera"], "", "");
  if (body === undefined) return undefined;
  const isSenseFly = textOf(groups["ifd0"]?.["Make"])?.toLowerCase() === "sensefly";
  return gimbalOfBody(isSenseFly ? { ...body, rollDeg: -body.rollDeg } : body);
}

function angles(group: TagGroups[string], before: string, after: string): GimbalTags | undefined {
  const yawDeg = firstNumber(group, `${before}Yaw${after}`);
  const pitchDeg = firstNumber(group, `${before}Pitch${after}`);
  const rollDeg = firstNumber(group, `${before}Roll${after}`);
  if (yawDeg === undefined || pitchDeg === undefined) return undefined;
  return { yawDeg, pitchDeg, rollDeg: rollDeg ?? 0 };
}

/**
 * Angles of a gimbal whose view is the one out of the belly of a body turned by `yaw`, `pitch`, `roll`
 * (north-east-down, z-y'-x''): Rz(yaw) Ry(pitch) Rx(roll) Ry(-90 deg), taken apart again. Straight
 * down, where yaw and roll turn about one axis, all of the turn is yaw.
 */
function gimbalOfBody({ yawDeg, pitchDeg, rollDeg }: GimbalTags): GimbalTags {
  const [sy, cy] = [Math.sin(yawDeg * RAD), Math.cos(yawDeg * RAD)];
  const [sp, cp] = [Math.sin(pitchDeg * RAD), Math.cos(pitchDeg * RAD)];
  const [sr, cr] = [Math.sin(rollDeg * RAD), Math.cos(rollDeg * RAD)];
  // Columns of the body's rotation; the gimbal's x (view) is the body's z, its z the body's -x.
  const view = [cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr] as const;
  const right = [cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr] as const;
  const forwardDown = sp;
  const pitch = Math.asin(Math.max(-1, Math.min(1, -view[2])));
  if (Math.hypot(view[0], view[1]) < 1e-9) {
    return { yawDeg: Math.atan2(-right[0], right[1]) / RAD, pitchDeg: pitch / RAD, rollDeg: 0 };
  }
  return {
    yawDeg: Math.atan2(view[1], view[0]) / RAD,
    pitchDeg: pitch / RAD,
    rollDeg: Math.atan2(right[2], forwardDown) / RAD,
  };
}
