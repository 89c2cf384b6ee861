/** A place as the API writes it: degrees north, degrees east, WGS 84. */
export type LatLng = readonly [latitude: number, longitude: number];

/**
 * How the API takes a fence, where a rectangle is a polygon of four corners; and what is drawn to measure in a survey:
 * a line without a width, and a single place.
 */
export type Shape = "polygon" | "circle" | "corridor" | "line" | "point";

/** A fence, or what is measured, as far as it is drawn. */
export interface Draft {
  readonly shape: Shape;
  /** Corners of the polygon, the centre of the circle, the line or that of the corridor, or the place. */
  readonly points: readonly LatLng[];
  /** Radius of the circle or width of the corridor, metres; `undefined`: not given yet. */
  readonly sizeM: number | undefined;
}

/** Corners that a shape needs. */
const LEAST: Readonly<Record<Shape, number>> = {
  polygon: 3,
  circle: 1,
  corridor: 2,
  line: 2,
  point: 1,
};
/** Width of a corridor before anybody says one, metres: a haul road of two lanes for articulated trucks. */
const CORRIDOR_M = 12;

export const emptyDraft = (shape: Shape): Draft => ({
  shape,
  points: [],
  sizeM: shape === "corridor" ? CORRIDOR_M : undefined,
});

/** Whether it is a circle or a place: one corner, which the next one replaces. */
export const isSingle = ({ shape }: Pick<Draft, "shape">): boolean =>
  shape === "circle" || shape === "point";

/** Whether a size belongs to it. */
export const isSized = ({ shape }: Pick<Draft, "shape">): boolean =>
  shape === "circle" || shape === "corridor";

/** Whether it could be a fence; whether it is a right one, only the service says. */
export function isDrawn(draft: Draft): boolean {
  const { shape, points, sizeM } = draft;
  return points.length >= LEAST[shape] && (!isSized(draft) || sizeM !== undefined);
}

/** Least corners of its shape: with so many, none can be deleted. */
export const leastPoints = ({ shape }: Draft): number => LEAST[shape];

/** With one more corner at the end; the centre of a circle or a single place is replaced. */
export function withPoint(draft: Draft, point: LatLng): Draft {
  return { ...draft, points: isSingle(draft) ? [point] : [...draft.points, point] };
}

/** With a corner somewhere else. */
export const movedPoint = (draft: Draft, index: number, point: LatLng): Draft => ({
  ...draft,
  points: draft.points.map((one, i) => (i === index ? point : one)),
});

/** Without a corner. */
export const withoutPoint = (draft: Draft, index: number): Draft => ({
  ...draft,
  points: draft.points.filter((_, i) => i !== index),
});

/** With a corner in the middle of the edge that leaves a corner; the last one of a line has no such edge. */
export function withMiddle(draft: Draft, index: number): Draft {
  const { points, shape } = draft;
  const from = points[index];
  const to = points[index + 1] ?? (shape === "polygon" ? points[0] : undefined);
  if (from === undefined || to === undefined || points.length < 2) return draft;
  const middle: LatLng = [rounded((from[0] + to[0]) / 2), rounded((from[1] + to[1]) / 2)];
  return { ...draft, points: [...points.slice(0, index + 1), middle, ...points.slice(index + 1)] };
}

/** The four corners of a rectangle between two opposite ones, along parallels and meridians. */
export const rectangleOf = ([south, west]: LatLng, [north, east]: LatLng): Draft => ({
  shape: "polygon",
  points: [
    [south, west],
    [south, east],
    [north, east],
    [north, west],
  ],
  sizeM: undefined,
});

/** Decimals of a degree that are drawn: 1 cm, finer than anybody points at. */
export const DECIMALS = 7;

export const rounded = (degrees: number): number => Number(degrees.toFixed(DECIMALS));

/** What the API stores of a fence's ground. */
export interface FenceGround {
  readonly shape: Shape;
  readonly polygon: readonly LatLngLike[];
  readonly circle?: { readonly centre: LatLngLike; readonly radius_m: number };
  readonly corridor?: { readonly line: readonly LatLngLike[]; readonly width_m: number };
}
type LatLngLike = readonly number[];

/** A fence that is stored, to be drawn on: a circle by its centre, not by its outline. */
export function draftOf({ shape, polygon, circle, corridor }: FenceGround): Draft {
  if (shape === "circle" && circle !== undefined) {
    return { shape, points: [latLng(circle.centre)], sizeM: circle.radius_m };
  }
  if (shape === "corridor" && corridor !== undefined) {
    return { shape, points: corridor.line.map(latLng), sizeM: corridor.width_m };
  }
  return { shape: "polygon", points: polygon.map(latLng), sizeM: undefined };
}

const latLng = ([lat = 0, lng = 0]: LatLngLike): LatLng => [lat, lng];

/** The member of a request that draws a fence, by its shape; a line or a place is none. */
export function groundOf({ shape, points, sizeM = 0 }: Draft) {
  const pairs = points.map(([lat, lng]): [number, number] => [lat, lng]);
  const [centre = [0, 0] as [number, number]] = pairs;
  if (shape === "circle") return { circle: { centre, radius_m: sizeM } };
  if (shape === "corridor") return { corridor: { line: pairs, width_m: sizeM } };
  return { polygon: pairs };
}

/** Whether two are the same ground: what is not changed is not sent, because new edges end visits. */
export const isSameGround = (a: Draft, b: Draft): boolean =>
  a.shape === b.shape && JSON.stringify(groundOf(a)) === JSON.stringify(groundOf(b));

/** Which corner a name of the API's errors means, such as `polygon[3]` or `circle.centre`. */
export function cornerOf(parameter: string): number | undefined {
  if (parameter.startsWith("circle.centre")) return 0;
  const index = /^(?:polygon|footprint|corridor\.line)\[(\d+)\]/.exec(parameter)?.[1];
  return index === undefined ? undefined : Number(index);
}
