import type { DrawnShape, LonLat, Ring } from "../../domain/geometry/geofence.ts";
import type { GeofenceId, ProjectId } from "../../domain/ids.ts";
import { fenceShape, holds } from "../../ingest/geofence/fence-shape.ts";
import { outlineOf } from "../../processing/fence-outline/outline.ts";
import { placeAt } from "./ellipsoid.ts";

/** How an outline compares with the shape itself. */
export interface ShapeTrial {
  readonly points: number;
  readonly inside: number;
  /** Points on whose side the two differ. */
  readonly differing: number;
  /** The farthest of those from the true edge, metres. */
  readonly farthestM: number;
  readonly corners: number;
}

/** Half of the points lie this near to the edge, metres: elsewhere nothing could differ. */
const NEAR_EDGE_M = 0.5;

const versionOf = (ring: Ring) => ({
  ...{
    geofenceId: "f" as GeofenceId,
    projectId: "p" as ProjectId,
    name: "",
    kind: "zone" as const,
  },
  ...{ ring, areaSqm: 1, alertOn: [], validFromMs: 0, validToMs: undefined, revision: 1 },
  rules: { exit_buffer_m: 0, confirm_fixes: 1, min_dwell_s: 0 },
});

/** Whether the outline, as fixes are evaluated by it, holds the point. */
function outlineTest(drawn: DrawnShape) {
  const { ring } = outlineOf(drawn);
  const shape = fenceShape(versionOf(ring));
  const isInOutline = ([lonDeg, latDeg]: LonLat) => holds(shape, { lonDeg, latDeg });
  return { isInOutline, corners: ring.length - 1 };
}

/**
 * Compares points around a circle by its outline and by a dense polygon, whose corners are computed on the
 * ellipsoid by another method than the outline's.
 */
export function circleTrial(
  drawn: DrawnShape & { type: "circle" },
  points: number,
  random: () => number,
  denseCorners: number,
): ShapeTrial {
  const { centre, radius_m } = drawn;
  const dense = Array.from({ length: denseCorners }, (_, i) =>
    placeAt(centre, (2 * Math.PI * i) / denseCorners, radius_m),
  );
  const truth = fenceShape(versionOf([...dense, ...dense.slice(0, 1)]));
  const { isInOutline, corners } = outlineTest(drawn);
  let [inside, differing, farthestM] = [0, 0, 0];
  for (let i = 0; i < points; i += 1) {
    const fromEdgeM = (2 * random() - 1) * NEAR_EDGE_M;
    const distanceM = i % 2 === 0 ? 1.2 * radius_m * Math.sqrt(random()) : radius_m + fromEdgeM;
    const [lonDeg, latDeg] = placeAt(centre, 2 * Math.PI * random(), distanceM);
    const isInside = isInOutline([lonDeg, latDeg]);
    if (isInside) inside += 1;
    if (holds(truth, { lonDeg, latDeg }) === isInside) continue;
    differing += 1;
    farthestM = Math.max(farthestM, Math.abs(distanceM - radius_m));
  }
  return { points, inside, differing, farthestM, corners };
}

/** Compares places beside a corridor's line by its outline and by their true distance from the line. */
export function corridorTrial(
  drawn: DrawnShape & { type: "corridor" },
  points: number,
  random: () => number,
): ShapeTrial {
  const { isInOutline, corners } = outlineTest(drawn);
  const depthAt = depthInCorridor(drawn);
  const { line, width_m } = drawn;
  let [inside, differing, farthestM] = [0, 0, 0];
  for (let i = 0; i < points; i += 1) {
    const piece = Math.floor(random() * (line.length - 1));
    const from = line[piece] ?? [0, 0];
    const to = line[piece + 1] ?? from;
    const share = random();
    const stepDeg = ((to[0] - from[0] + 540) % 360) - 180;
    const foot: LonLat = [from[0] + share * stepDeg, from[1] + share * (to[1] - from[1])];
    const fromEdgeM = (2 * random() - 1) * Math.min(NEAR_EDGE_M, width_m / 2);
    const awayM = i % 2 === 0 ? 0.6 * width_m * random() : width_m / 2 + fromEdgeM;
    const eastDeg = stepDeg * Math.cos((foot[1] * Math.PI) / 180);
    const across = Math.atan2(eastDeg, to[1] - from[1]) + (random() < 0.5 ? 1 : -1) * (Math.PI / 2);
    // Some in all directions from a corner or end, the others straight away from the line.
    const place =
      i % 8 === 0 ? placeAt(from, 2 * Math.PI * random(), awayM) : placeAt(foot, across, awayM);
    const depthM = depthAt(place);
    const isInside = isInOutline(place);
    if (isInside) inside += 1;
    if (depthM >= 0 === isInside) continue;
    differing += 1;
    farthestM = Math.max(farthestM, Math.abs(depthM));
  }
  return { points, inside, differing, farthestM, corners };
}

/** Radii of curvature of WGS 84 at a latitude, as metres per degree; the distances here are short. */
function scaleAt(latDeg: number): readonly [lonM: number, latM: number] {
  const [a, e2, rad] = [6_378_137, 6.694_379_990_14e-3, Math.PI / 180];
  const sin = Math.sin(latDeg * rad);
  const w = Math.sqrt(1 - e2 * sin * sin);
  return [(a / w) * Math.cos(latDeg * rad) * rad, ((a * (1 - e2)) / w ** 3) * rad];
}

/** Pieces of the line are cut so short that they are straight on a flat map around the place: degrees. */
const PIECE_DEG = 0.001;

/** Metres from the edge of a corridor, positive inside: by the distance on the ellipsoid, piece by piece. */
function depthInCorridor({ line, width_m }: DrawnShape & { type: "corridor" }) {
  const [[originDeg, originLatDeg] = [0, 0]] = line;
  const turned = (lonDeg: number) => ((lonDeg - originDeg + 540) % 360) - 180;
  const nodes: LonLat[] = [[0, originLatDeg]];
  let lastDeg = 0;
  for (const [i, [lonDeg, latDeg]] of line.entries()) {
    const before = line[i - 1];
    if (before === undefined) continue;
    const fromLat = before[1];
    const stepDeg = ((lonDeg - before[0] + 540) % 360) - 180;
    const count = Math.ceil(Math.max(Math.abs(stepDeg), Math.abs(latDeg - fromLat)) / PIECE_DEG);
    for (let k = 1; k <= count; k += 1) {
      nodes.push([lastDeg + (stepDeg * k) / count, fromLat + ((latDeg - fromLat) * k) / count]);
    }
    lastDeg += stepDeg;
  }
  const marginM = 1.5 * width_m + 200;
  const ownScaleM = nodes.map(([, latDeg], i) => {
    const [lonM] = scaleAt((latDeg + (nodes[i - 1]?.[1] ?? latDeg)) / 2);
    return lonM;
  });
  return ([lonDeg, latDeg]: LonLat): number => {
    const [lonM, latM] = scaleAt(latDeg);
    const x = turned(lonDeg);
    let best2 = Number.POSITIVE_INFINITY;
    for (let i = 1; i < nodes.length; i += 1) {
      const [a, b] = [nodes[i - 1] ?? [0, 0], nodes[i] ?? [0, 0]];
      if (Math.abs(a[1] - latDeg) * latM > marginM) continue;
      // Beside a pole nearly all pieces end here; the scale half-way is never the smallest of the three.
      if (Math.abs(a[0] - x) * Math.min(lonM, ownScaleM[i] ?? 0) > marginM) continue;
      // The scale half-way between the place and the piece: the flat map's error is then of third order.
      const [middleM] = scaleAt((latDeg + (a[1] + b[1]) / 2) / 2);
      const [ax, ay] = [(a[0] - x) * middleM, (a[1] - latDeg) * latM];
      const [dx, dy] = [(b[0] - a[0]) * middleM, (b[1] - a[1]) * latM];
      const u = Math.min(1, Math.max(0, -(ax * dx + ay * dy) / (dx * dx + dy * dy)));
      const distance2 = (ax + u * dx) ** 2 + (ay + u * dy) ** 2;
      if (distance2 < best2) best2 = distance2;
    }
    return width_m / 2 - Math.sqrt(best2);
  };
}
