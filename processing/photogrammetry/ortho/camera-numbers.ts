import type { Intrinsics, Pose } from "../camera/camera.ts";
import { lensReach2 } from "./lens-reach.ts";

/** A camera as kernels take it, 20 numbers (`wasm/assembly/camera/two-cells.ts`). */
export function cameraNumbers(lens: Intrinsics, { rotation, centre }: Pose): readonly number[] {
  const { focalPx, cxPx, cyPx, k1, k2, p1, p2 } = lens;
  return [...rotation, focalPx, cxPx, cyPx, k1, k2, p1, p2, lensReach2(lens), ...centre];
}
