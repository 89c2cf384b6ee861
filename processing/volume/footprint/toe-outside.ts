import { withoutHoles } from "../../grid/cell-mask.ts";
import { coarser } from "../../grid/coarser-surface.ts";
import { elevationAt } from "../../grid/elevation-at.ts";
import type { HeightField } from "../../grid/elevation-grid.ts";
import { maskOutline } from "../../grid/mask-outline.ts";
import { type PlanPolygon, polygonWeights } from "../../grid/polygon-weights.ts";
import { upperMedian } from "../../numeric/median.ts";
import { fitRobustTrend, type RobustTrend } from "../../numeric/robust-trend.ts";
import { ringCells } from "../base/ring-cells.ts";
import { WALL_SLOPE } from "./wall-smear.ts";

/** Where the heap of a footprint goes on outside of it. */
export interface ToeOutside {
  /** The footprint's line moved out to the toe, open, ENU metres. */
  readonly polygon: PlanPolygon;
  /** Share of the line outside of which the ground still rises towards the heap, 0 to 1. */
  readonly share: number;
  /** Median distance from there to the toe, metres. */
  readonly distanceM: number;
}

/** Cell in which the flank is followed, metres, at least: finer shows stones. */
const CELL_M = 0.25;
/** Steps outwards over which the fall is taken: 0.5 m of 0.25 m each. */
const STEPS_AHEAD = 2;
/**
 * Fall towards the outside from which on it is the heap's flank, metres a metre, beside the slope of the
 * ground: loose material lies at 0.45 and more, ramps and yards at 0.12 and less.
 */
const FLANK = 0.2;
const RAMP = 0.12;
/**
 * Height above the ground around, metres, from which on a line crosses material and not the foot of a flank, and
 * how far that goes on at least: walls and kerbs are narrower.
 */
const MATERIAL_M = 0.5;
const LEAST_MATERIAL_M = 1;
/** Stations along the line: one in so many metres, and at most so many. */
const STATION_M = 0.5;
const MOST_STATIONS = 240;
/** Stations whose median counts for one: single stones and machines do not move the toe. */
const NEIGHBOURS = 2;
/** Free ground between toe and line, metres; see `propose-footprint.ts`. */
const MARGIN_M = 0.4;
/** Distance to the toe that is worth a warning, metres, and the same share of the line. */
const LEAST_M = 0.4;
const LEAST_SHARE = 0.1;
/** Vertices of the proposed line at most, and how far it may run off in cells: as of other proposals. */
const MOST_VERTICES = 100;
const TOLERANCE_CELLS = 0.6;

/**
 * Follows the surface outwards from a footprint's line, down the flank of its heap. It stops where the
 * surface is not steeper than the ground around it, meets a wall, rises again, or ends; no farther than half
 * of the footprint's mean width. Where the line crosses the heap on its top or before its crest, over that
 * crest to the other side's foot; no farther than twice as much.
 * @returns `undefined` when the line lies at the toe or beyond
 */
export function toeOutside(surface: HeightField, polygon: PlanPolygon): ToeOutside | undefined {
  const field = coarser(surface, CELL_M);
  const area = signedAreaM2(polygon);
  const mostM = Math.sqrt(Math.abs(area) / Math.PI);
  const trend = fitRobustTrend(ringCells(field, polygon, Math.max(3, mostM)).points);
  const ground = [trend?.slopeEast ?? 0, trend?.slopeNorth ?? 0] as const;
  const stations = stationsOf(polygon, Math.sign(area));
  const reached = stations.map((station) =>
    Math.max(
      flankM(field, station, ground, mostM),
      trend === undefined ? 0 : materialM(field, station, trend, 2 * mostM),
    ),
  );
  const outM = reached.map((_, i) => {
    const around: number[] = [];
    for (let k = -NEIGHBOURS; k <= NEIGHBOURS; k += 1) {
      around.push(reached.at((i + k) % reached.length) ?? 0);
    }
    return upperMedian(Float64Array.from(around)) ?? 0;
  });
  const beyond = outM.filter((distance) => distance >= LEAST_M);
  const share = beyond.length / outM.length;
  if (share < LEAST_SHARE) return undefined;
  const moved = stations.map(({ x, y, outX, outY }, i) => {
    const distance = outM[i] ?? 0;
    const by = distance >= LEAST_M ? distance + MARGIN_M : 0;
    return [x + by * outX, y + by * outY] as const;
  });
  return {
    polygon: outlineOf(field, [polygon, moved]),
    share,
    distanceM: upperMedian(Float64Array.from(beyond)) ?? 0,
  };
}

/** The line around polygons that overlap: one that moved out of a bight may cross itself. */
function outlineOf(field: HeightField, polygons: readonly PlanPolygon[]): PlanPolygon {
  const { width, height } = field;
  const cells = new Uint8Array(width * height);
  for (const polygon of polygons) {
    const { firstCol, firstRow, width: columns, share } = polygonWeights(field, polygon);
    for (const [i, inside] of share.entries()) {
      const col = firstCol + (i % columns);
      const row = firstRow + Math.floor(i / columns);
      const isOnGrid = col >= 0 && row >= 0 && col < width && row < height;
      if (isOnGrid && inside >= 0.5) cells[row * width + col] = 1;
    }
  }
  return maskOutline(field, withoutHoles({ width, height, cells }), {
    toleranceM: TOLERANCE_CELLS * field.cellM,
    most: MOST_VERTICES,
  });
}

/** A place on the line, and the direction that leads out of the footprint there. */
interface Station {
  readonly x: number;
  readonly y: number;
  readonly outX: number;
  readonly outY: number;
}

/** How far the flank goes on from a station, metres. */
function flankM(
  field: HeightField,
  { x, y, outX, outY }: Station,
  [slopeEast, slopeNorth]: readonly [number, number],
  mostM: number,
): number {
  const stepM = Math.max(CELL_M, field.cellM);
  const groundFall = -(slopeEast * outX + slopeNorth * outY);
  const heightAt = (distance: number) =>
    elevationAt(field, x + distance * outX, y + distance * outY);
  let distance = 0;
  while (distance < mostM) {
    const aheadM = STEPS_AHEAD * stepM;
    const fall = (heightAt(distance) - heightAt(distance + aheadM)) / aheadM;
    const isFlank = fall - groundFall >= FLANK && fall < WALL_SLOPE;
    if (!isFlank) break;
    distance += stepM;
  }
  return distance;
}

/**
 * How far material goes on from a station where the line crosses it, metres: to the ground, a wall, or a valley
 * before the next heap.
 */
function materialM(
  field: HeightField,
  { x, y, outX, outY }: Station,
  ground: Pick<RobustTrend, "heightAt">,
  mostM: number,
): number {
  const stepM = Math.max(CELL_M, field.cellM);
  const aboveGround = (distance: number) => {
    const [east, north] = [x + distance * outX, y + distance * outY];
    return elevationAt(field, east, north) - ground.heightAt(east, north);
  };
  const riseAt = (distance: number) => {
    const aheadM = STEPS_AHEAD * stepM;
    return (aboveGround(distance + aheadM) - aboveGround(distance)) / aheadM;
  };
  // A line that the ground falls away from lies beyond the crest: that is the flank's case, or a ramp's.
  if (!(riseAt(0) > -RAMP)) return 0;
  let distance = 0;
  let hasFallen = false;
  while (distance < mostM && aboveGround(distance) >= MATERIAL_M) {
    const rise = riseAt(distance);
    if (rise <= -FLANK) hasFallen = true;
    if (Math.abs(rise) >= WALL_SLOPE || (hasFallen && rise >= FLANK)) break;
    distance += stepM;
  }
  return distance < LEAST_MATERIAL_M ? 0 : distance;
}

function stationsOf(polygon: PlanPolygon, turn: number): readonly Station[] {
  const sides = polygon.map(([x, y], i) => {
    const [toX, toY] = polygon[(i + 1) % polygon.length] ?? [x, y];
    return { x, y, eastM: toX - x, northM: toY - y, lengthM: Math.hypot(toX - x, toY - y) };
  });
  const perimeterM = sides.reduce((sum, { lengthM }) => sum + lengthM, 0);
  const spacingM = Math.max(STATION_M, perimeterM / MOST_STATIONS);
  return sides.flatMap(({ x, y, eastM, northM, lengthM }) => {
    const count = lengthM === 0 ? 0 : Math.max(1, Math.round(lengthM / spacingM));
    // To the right of a line that goes round to the left.
    const [outX, outY] = [(turn * northM) / lengthM, (-turn * eastM) / lengthM];
    return Array.from({ length: count }, (_, k) => {
      const along = (k + 0.5) / count;
      return { x: x + along * eastM, y: y + along * northM, outX, outY };
    });
  });
}

/** Positive where the corners go round to the left. */
function signedAreaM2(polygon: PlanPolygon): number {
  return polygon.reduce((sum, [x, y], i) => {
    const [toX, toY] = polygon[(i + 1) % polygon.length] ?? [x, y];
    return sum + (x * toY - toX * y) / 2;
  }, 0);
}
