import type { HeightField } from "../../grid/elevation-grid.ts";
import type { PlanPolygon } from "../../grid/polygon-weights.ts";
import { fitRobustTrend } from "../../numeric/robust-trend.ts";
import type { BaseSurface } from "./base-surface.ts";
import { sectorSpread } from "./ground-sectors.ts";
import { ringCells } from "./ring-cells.ts";

/** A plane through the ground around a stockpile: z = a x + b y + c, ENU metres. */
export interface BasePlane extends BaseSurface {
  readonly kind: "plane";
  readonly a: number;
  readonly b: number;
  readonly c: number;
  /** Steepness, metres a metre. */
  readonly slope: number;
  /** Cells of the ring that the plane was fitted to. */
  readonly cells: number;
  /** Share of them that lies within 3 NMAD of the plane, 0 to 1: low = the ground is not a plane. */
  readonly inlierShare: number;
}

/**
 * Width of the ring, metres. Wider takes in more ground that is not the pile's, narrower fewer cells;
 * 0.8 m was used for all figures of docs/photogrammetry.md#simulated-flights.
 */
const RING_M = 0.8;
/** Least width in cells: a ring of 0.8 m holds no whole cell of 1 m beside the polygon. */
const RING_CELLS = 2;
/** Width of the ring on a surface, metres. */
export const ringWidthM = ({ cellM }: HeightField): number => Math.max(RING_M, RING_CELLS * cellM);
/**
 * Fewer cells do not distinguish a plane from what stands on it. More refuses heaps with little free ground around
 * them.
 */
const MIN_CELLS = 24;

/**
 * Fits a plane to a ring outside a polygon (the toe of a pile), robustly: machines, blocks and spill on
 * up to some 45 % of the ring do not count, on one side of it as well. Same input, same plane.
 * @returns `undefined` when the ring has too few cells with data: near the edge of the survey.
 */
export function fitBasePlane(
  surface: HeightField,
  polygon: PlanPolygon,
  ringM = ringWidthM(surface),
): BasePlane | undefined {
  const ring = ringCells(surface, polygon, ringM);
  const cells = ring.alongM.length;
  if (cells < MIN_CELLS) return undefined;
  const trend = fitRobustTrend(ring.points);
  if (trend === undefined) return undefined;
  const { slopeEast: a, slopeNorth: b, nmadM, inlierShare, residualsM, isInlier } = trend;
  return {
    kind: "plane",
    nmadM,
    unevenM: sectorSpread(ring, residualsM, isInlier),
    a,
    b,
    c: trend.heightAt(0, 0),
    slope: Math.hypot(a, b),
    cells,
    inlierShare,
    heightAt: trend.heightAt,
  };
}
