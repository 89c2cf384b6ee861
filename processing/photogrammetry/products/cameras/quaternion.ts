import { type Rotation, vectorFromRotation } from "../../../geometry/rotation.ts";

/** A rotation as a unit quaternion, w first, w not below 0 (Hamilton's convention). */
export function quaternionFromRotation(
  rotation: Rotation,
): readonly [w: number, x: number, y: number, z: number] {
  const [x, y, z] = vectorFromRotation(rotation);
  const angle = Math.hypot(x, y, z);
  const k = angle === 0 ? 0 : Math.sin(angle / 2) / angle;
  return [Math.cos(angle / 2), k * x, k * y, k * z];
}
