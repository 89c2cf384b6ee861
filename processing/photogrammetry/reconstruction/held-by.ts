import type { AdjustmentSummary } from "./reconstruction.ts";

/** What holds a block in its place. */
type Holding = Pick<
  AdjustmentSummary,
  "isHeldByControl" | "isHeldByRtk" | "scaleFrom" | "placedBy"
>;

/**
 * What places and levels a block, to centimetres; where both do, the one that its scale follows. `undefined`: nothing
 * does. Scale bars, and one or two control points, give a scale and leave place and level to the positions.
 */
export function heldBy({
  isHeldByControl,
  isHeldByRtk,
  scaleFrom,
  placedBy,
}: Holding): "rtk" | "control_points" | undefined {
  const isByControl = isHeldByControl || placedBy === "control_points";
  if (isHeldByRtk && (scaleFrom === "rtk" || !isByControl)) return "rtk";
  return isByControl ? "control_points" : undefined;
}
