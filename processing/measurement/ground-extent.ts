import type { Ring } from "../../domain/geometry/geofence.ts";
import type { GeodeticExtent } from "../engine/raster/surface-extent.ts";
import { extentAround } from "../epoch/extent-around.ts";

/**
 * Metres around a footprint that are read of a given surface: what the grid of its datum takes in at most
 * (60 m), and as far as two surveys may lie apart. More of it costs time and cells.
 */
const MARGIN_M = 100;

/** What a measurement reads of a surface; `undefined`: all, because its footprint is to be found there. */
export function groundExtent(footprint: Ring): GeodeticExtent;
export function groundExtent(footprint: Ring | undefined): GeodeticExtent | undefined;
export function groundExtent(footprint: Ring | undefined): GeodeticExtent | undefined {
  return footprint && extentAround(footprint, MARGIN_M);
}
