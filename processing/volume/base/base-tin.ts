import type { HeightField } from "../../grid/elevation-grid.ts";
import { isInside } from "../../grid/inside-polygon.ts";
import type { PlanPolygon } from "../../grid/polygon-weights.ts";
import { MAD_TO_SIGMA, upperMedian } from "../../numeric/median.ts";
import { fitRobustTrend, type RobustTrend } from "../../numeric/robust-trend.ts";
import { ringWidthM } from "./base-plane.ts";
import type { BaseSurface } from "./base-surface.ts";
import { sectorSpread } from "./ground-sectors.ts";
import { type RingCells, ringCells } from "./ring-cells.ts";
import { type Tin, tinHeight } from "./tin-height.ts";
import { triangulatePlan } from "./triangulate-plan.ts";

/** A triangulated surface through the ground around a stockpile: for ground that bends. */
export interface BaseTin extends BaseSurface, Tin {
  readonly kind: "tin";
  /** Share of the ring's cells that count as ground, 0 to 1. */
  readonly inlierShare: number;
}

/**
 * Fewer cells do not distinguish the ground's bends from what stands on it. More refuses heaps with little free
 * ground around them.
 */
const MIN_CELLS = 60;
/**
 * Distance between vertices along the footprint, metres, and how many there are. Closer ones follow single stones,
 * wider ones cut off bends of the ground.
 */
const NODE_M = 1.5;
const FEWEST_NODES = 12;
const MOST_NODES = 120;
/**
 * A vertex lies at the median of the ring's ground within this distance along the line, metres: over as many
 * cells as a square of the ring's width has on either side.
 */
const REACH_M = 1.5;
/**
 * Cells of ground that a vertex takes, and their share of what is there; else its neighbours decide. More leaves
 * more to the neighbours, fewer follows single cells.
 */
const NODE_CELLS = 8;
const NODE_GROUND = 0.5;
/**
 * Vertices across the footprint within it. What a ring shows of the middle is smooth: more would only cost time.
 */
const ACROSS = 8;
/**
 * Mean height below a pile that a ring cannot show, as a share of how far the ring bends from a plane: on
 * grounds of waves 14 to 31 m long and of hollows below a pile 20 m wide it was 0.1 to 0.65, mostly 0.45.
 */
const UNSEEN = 0.5;
/** Rounds of averaging; changes fade by a factor of 1 / e in ACROSS2 / 10 rounds. */
const ROUNDS = 100;

/**
 * Lays a triangulated surface over a footprint: vertices along its line at the median height of the ground
 * beside them, and within it as smooth as a stretched skin (each the mean of its neighbours; no higher and no
 * lower than the rim after the trend is taken off). What stands on up to some 40 % of the ring does not
 * count: a robust trend that may be twisted like a saddle separates it from the ground.
 * @returns `undefined` when the ring has too few cells with data: near the edge of the survey.
 */
export function fitBaseTin(
  surface: HeightField,
  polygon: PlanPolygon,
  ringM = ringWidthM(surface),
): BaseTin | undefined {
  const ring = ringCells(surface, polygon, ringM);
  if (ring.alongM.length < MIN_CELLS) return undefined;
  const trend = fitRobustTrend(ring.points, "saddle") ?? fitRobustTrend(ring.points);
  if (trend === undefined) return undefined;
  const rim = nodesAlong(polygon, ring.perimeterM);
  const offsets = rimOffsets(ring, trend, rim.length);
  if (offsets === undefined) return undefined;
  const plan = [...rim, ...nodesWithin(polygon)];
  const triangles = triangulatePlan(Float64Array.from(plan.flat()));
  if (triangles.length === 0) return undefined;
  const above = stretched(offsets, plan.length, triangles);
  const tin: Tin = {
    vertices: plan.flatMap(([x, y], i) => [x, y, trend.heightAt(x, y) + (above[i] ?? 0)]),
    triangles,
  };
  return {
    ...tin,
    kind: "tin",
    nmadM: spreadAlong(ring, trend, offsets),
    unevenM: Math.hypot(
      sectorSpread(ring, trend.residualsM, trend.isInlier),
      UNSEEN * bendOf(ring, trend),
    ),
    inlierShare: trend.inlierShare,
    heightAt: tinHeight(tin),
  };
}

/** How far the ground of the ring bends from a plane, metres. */
function bendOf(ring: RingCells, { isInlier }: RobustTrend): number {
  const plane = fitRobustTrend(ring.points);
  return plane === undefined ? 0 : sectorSpread(ring, plane.residualsM, isInlier);
}

/** Places along a polygon's line, evenly spaced from its first vertex. */
function nodesAlong(polygon: PlanPolygon, perimeterM: number): [number, number][] {
  const count = Math.min(MOST_NODES, Math.max(FEWEST_NODES, Math.round(perimeterM / NODE_M)));
  const nodes: [number, number][] = [];
  let walkedM = 0;
  for (const [i, [x, y]] of polygon.entries()) {
    const [toX, toY] = polygon[(i + 1) % polygon.length] ?? [x, y];
    const lengthM = Math.hypot(toX - x, toY - y);
    while (nodes.length < count) {
      const t = ((nodes.length * perimeterM) / count - walkedM) / lengthM;
      if (!(t < 1)) break;
      nodes.push([x + t * (toX - x), y + t * (toY - y)]);
    }
    walkedM += lengthM;
  }
  return nodes;
}

/** Places within a polygon, on a lattice that keeps off its line by half its spacing or so. */
function nodesWithin(polygon: PlanPolygon): [number, number][] {
  const [west, east] = [Math.min, Math.max].map((pick) => pick(...polygon.map(([x]) => x)));
  const [south, north] = [Math.min, Math.max].map((pick) => pick(...polygon.map(([, y]) => y)));
  if (west === undefined || east === undefined || south === undefined || north === undefined) {
    return [];
  }
  const stepM = Math.max(east - west, north - south) / ACROSS;
  const offM = stepM / 3;
  const nodes: [number, number][] = [];
  for (let y = south + stepM / 2; y < north; y += stepM) {
    for (let x = west + stepM / 2; x < east; x += stepM) {
      const isOff = [-1, 0, 1].every((i) =>
        [-1, 0, 1].every((j) => isInside(polygon, x + i * offM, y + j * offM)),
      );
      if (isOff) nodes.push([x, y]);
    }
  }
  return nodes;
}

/**
 * Median height of the ground about the trend beside each node of the rim, metres; where a machine hides
 * it, what the nearest nodes on either side say. `undefined`: none has ground.
 */
function rimOffsets(
  { alongM, perimeterM }: RingCells,
  { residualsM, isInlier }: RobustTrend,
  count: number,
): Float64Array | undefined {
  const ground: number[][] = Array.from({ length: count }, () => []);
  const seen = new Float64Array(count);
  const stepM = perimeterM / count;
  const reach = Math.max(1, Math.round(REACH_M / stepM));
  for (const [i, residual] of residualsM.entries()) {
    const nearest = Math.round((alongM[i] ?? 0) / stepM);
    for (let k = nearest - reach; k <= nearest + reach; k += 1) {
      const node = (k + count) % count;
      seen[node] = (seen[node] ?? 0) + 1;
      if (isInlier[i] === 1) ground[node]?.push(residual);
    }
  }
  const known = ground.map((heights, node) =>
    heights.length >= NODE_CELLS && heights.length >= NODE_GROUND * (seen[node] ?? 0)
      ? (upperMedian(Float64Array.from(heights)) ?? 0)
      : undefined,
  );
  if (known.every((height) => height === undefined)) return undefined;
  return Float64Array.from(known, (height, node) => height ?? between(known, node));
}

/** Linear between the nearest known nodes on either side of one. */
function between(known: readonly (number | undefined)[], node: number): number {
  const count = known.length;
  const next = (step: number) => {
    let away = 1;
    while (known[(node + step * away + count * away) % count] === undefined) away += 1;
    return { away, height: known[(node + step * away + count * away) % count] ?? 0 };
  };
  const [before, after] = [next(-1), next(1)];
  return (before.height * after.away + after.height * before.away) / (before.away + after.away);
}

/** Heights of all vertices: the rim's given, each other the mean of those it shares an edge with. */
function stretched(rim: Float64Array, count: number, triangles: readonly number[]): Float64Array {
  const neighbours: Set<number>[] = Array.from({ length: count }, () => new Set());
  for (let i = 0; i < triangles.length; i += 3) {
    const corners = triangles.slice(i, i + 3);
    for (const from of corners) {
      for (const to of corners) if (to !== from) neighbours[from]?.add(to);
    }
  }
  const heights = new Float64Array(count);
  heights.set(rim);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let vertex = rim.length; vertex < count; vertex += 1) {
      const around = neighbours[vertex] ?? new Set();
      let sum = 0;
      for (const other of around) sum += heights[other] ?? 0;
      if (around.size > 0) heights[vertex] = sum / around.size;
    }
  }
  return heights;
}

/** Spread of the ring's ground about the line through the nodes, metres. */
function spreadAlong(
  { alongM, perimeterM }: RingCells,
  { residualsM, isInlier }: RobustTrend,
  offsets: Float64Array,
): number {
  const stepM = perimeterM / offsets.length;
  const deviations = residualsM.map((residual, i) => {
    const reached = (alongM[i] ?? 0) / stepM;
    const node = Math.floor(reached) % offsets.length;
    const [from, to] = [offsets[node] ?? 0, offsets[(node + 1) % offsets.length] ?? 0];
    return Math.abs(residual - from - (reached - Math.floor(reached)) * (to - from));
  });
  return MAD_TO_SIGMA * (upperMedian(deviations.filter((_, i) => isInlier[i] === 1)) ?? 0);
}
