import { DomainError } from "../errors.ts";
import { type LonLat, MIN_AREA_M2, type Ring, VERTEX_COUNT } from "./geofence.ts";
import { ringAreaM2 } from "./ring-area.ts";
import { findFlaw, type RingFlaw, SAME_PLACE_DEG } from "./ring-flaws.ts";

/** Vertices that are not the outline of an area, and why. */
export class RingError extends DomainError {
  /** Index of the vertex that is wrong, from 0, as given; `undefined`: the outline as a whole. */
  readonly vertex: number | undefined;

  constructor(vertex: number | undefined, reason: string) {
    super("PARAMETER_INVALID", reason);
    this.vertex = vertex;
  }
}

/** The corners of an outline: `lonsDeg` unwrapped, so that no edge jumps at the antimeridian. */
interface Corners {
  /** Index of each corner among the vertices as given. */
  readonly vertices: readonly number[];
  readonly lonsDeg: Float64Array;
  readonly latsDeg: Float64Array;
}

/**
 * The closed ring through `vertices`, in their order, and its area on the ellipsoid, square metres.
 * A closing vertex and repetitions of the vertex before are left out. Coordinates are within [-180,
 * 180] and [-90, 90].
 * @throws RingError when they are not 3 to 1,000 corners of one area of 1 m2 or more. That includes
 * crossing or touching itself, a spike, a ring around a pole, and one wider than 180 degrees.
 */
export function fenceRing(vertices: readonly LonLat[]): { ring: Ring; areaM2: number } {
  const open = withoutClosing(vertices);
  if (open.length > VERTEX_COUNT.max) throw wrongCount(open.length);
  const corners = cornersOf(open);
  if (corners.vertices.length < VERTEX_COUNT.min) throw wrongCount(corners.vertices.length);
  refuseWide(corners);
  const flaw = findFlaw(...inPlane(corners));
  if (flaw !== undefined) throw flawError(flaw, corners.vertices);
  const areaM2 = ringAreaM2(corners.lonsDeg, corners.latsDeg);
  if (areaM2 < MIN_AREA_M2) {
    throw new RingError(
      undefined,
      `has an area of ${areaM2.toFixed(3)} m2; an outline has ${MIN_AREA_M2} m2 or more`,
    );
  }
  const kept = corners.vertices.flatMap((vertex) => open.slice(vertex, vertex + 1));
  return { ring: [...kept, ...kept.slice(0, 1)], areaM2 };
}

/**
 * Longitudes of neighbours joined in the shorter direction, in degrees: beyond +-180 behind the
 * antimeridian. Whole turns are added to the longitude itself, so that nothing is rounded elsewhere.
 */
export function unwrappedLons(vertices: readonly LonLat[]): Float64Array {
  const lonsDeg = new Float64Array(vertices.length);
  let turns = 0;
  let before = vertices[0]?.[0] ?? 0;
  for (const [i, [lonDeg]] of vertices.entries()) {
    if (lonDeg - before > 180) turns -= 1;
    if (lonDeg - before < -180) turns += 1;
    lonsDeg[i] = lonDeg + turns * 360;
    before = lonDeg;
  }
  return lonsDeg;
}

function withoutClosing(vertices: readonly LonLat[]): readonly LonLat[] {
  const [first, ...others] = vertices;
  if (first === undefined) return [];
  const last = others.findLastIndex((vertex) => !isSame(first, vertex));
  return vertices.slice(0, last + 2);
}

function isSame(a: LonLat, b: LonLat): boolean {
  // 360 degrees apart is the antimeridian written as 180 and as -180.
  const lonDeg = Math.abs(a[0] - b[0]) % 360;
  return lonDeg <= SAME_PLACE_DEG && Math.abs(a[1] - b[1]) <= SAME_PLACE_DEG;
}

function cornersOf(open: readonly LonLat[]): Corners {
  const kept = open.flatMap((vertex, i) => {
    const before = open[i - 1];
    return before !== undefined && isSame(before, vertex) ? [] : [i];
  });
  const lonsDeg = unwrappedLons(open);
  return {
    vertices: kept,
    lonsDeg: Float64Array.from(kept, (i) => lonsDeg[i] as number),
    latsDeg: Float64Array.from(kept, (i) => (open[i] as LonLat)[1]),
  };
}

/** @throws RingError for an outline whose inside is not clear, because it goes half round the Earth. */
function refuseWide({ vertices, lonsDeg }: Corners): void {
  for (const [i, vertex] of vertices.entries()) {
    const previous = i === 0 ? vertices.length - 1 : i - 1;
    const stepDeg = (lonsDeg[i] as number) - (lonsDeg[previous] as number);
    if (Math.abs(stepDeg) % 360 === 180) {
      throw new RingError(
        vertex,
        `is 180 degrees of longitude from vertex ${vertices[previous]}, so that either direction could be meant`,
      );
    }
    if (i === 0 && Math.abs(stepDeg) > 180) {
      throw new RingError(
        undefined,
        "goes once round the Earth; an outline must not hold a pole or be wider than 180 degrees of longitude",
      );
    }
  }
  const widthDeg = Math.max(...lonsDeg) - Math.min(...lonsDeg);
  if (widthDeg > 180) {
    throw new RingError(
      undefined,
      `is ${widthDeg} degrees of longitude wide; an outline is at most 180 degrees wide`,
    );
  }
}

/** The corners in a plane in which a degree is about as long in both directions. */
function inPlane({ lonsDeg, latsDeg }: Corners): [x: Float64Array, y: Float64Array] {
  const middleDeg = (Math.min(...latsDeg) + Math.max(...latsDeg)) / 2;
  const scale = Math.cos((middleDeg * Math.PI) / 180);
  const [originDeg = 0] = lonsDeg;
  return [lonsDeg.map((lonDeg) => (lonDeg - originDeg) * scale), latsDeg];
}

function wrongCount(count: number): RingError {
  const { min, max } = VERTEX_COUNT;
  return new RingError(
    undefined,
    `has ${count} different vertices; an outline has ${min} to ${max}, a closing one not counted`,
  );
}

function flawError(flaw: RingFlaw, vertices: readonly number[]): RingError {
  const edgeFrom = (corner: number) =>
    `vertex ${vertices[corner]} to vertex ${vertices[(corner + 1) % vertices.length]}`;
  switch (flaw.kind) {
    case "spike":
      return new RingError(vertices[flaw.corner], "is a spike: the outline turns back on itself");
    case "repeat":
      return new RingError(
        vertices[flaw.corner],
        `is at the place of vertex ${vertices[flaw.of]}: the outline touches itself`,
      );
    case "touch":
      return new RingError(
        vertices[flaw.corner],
        `lies on the edge from ${edgeFrom(flaw.edge)}: the outline touches itself`,
      );
    case "crossing": {
      const end = vertices[(flaw.other + 1) % vertices.length];
      return new RingError(
        vertices[flaw.other],
        `begins an edge, to vertex ${end}, that crosses the edge from ${edgeFrom(flaw.edge)}`,
      );
    }
  }
}
