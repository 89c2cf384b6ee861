import type { FenceFix } from "./crossing.ts";
import type { FenceShape } from "./fence-shape.ts";

/**
 * Accuracies beyond the edge at which one fix is enough (docs/rules.md#geofence): a 68 % radius is 1.5 sigma of
 * one axis, so this is 3 sigma. With one accuracy it would be 1.5, which happens every few minutes.
 */
const SURE_ACCURACIES = 2;
/** Least distance beyond the edge at which one fix is enough, metres (docs/rules.md#geofence). */
const SURE_M = 10;

/**
 * Distance beyond an edge from which one fix is enough to report a crossing, metres; nearer, fixes confirm each
 * other.
 */
export const farBeyondM = ({ version }: FenceShape, { accuracyM }: FenceFix): number =>
  Math.max(SURE_ACCURACIES * accuracyM, SURE_M, version.rules.exit_buffer_m);
