import type { SitePlace } from "../../../model/measure.ts";

/** A point that is measured from or to. */
export interface Point {
  /** What was typed or pointed at, metres; `undefined`: empty; NaN: no number. */
  readonly eastM: number | undefined;
  readonly northM: number | undefined;
  /** The site there; `undefined`: it has nothing there, or the point is not set. */
  readonly place: SitePlace | undefined;
}

export type Points = readonly [a: Point, b: Point];

const UNSET: Point = { eastM: undefined, northM: undefined, place: undefined };
export const NO_POINTS: Points = [UNSET, UNSET];

/** A place that somebody pointed at: the first point, then the second, then the first again. */
export function pointedAt(points: Points, place: SitePlace): Points {
  const { eastM, northM } = place;
  // A millimetre is finer than anything that can be pointed at, and can be read in a field.
  const point = { eastM: toMillimetre(eastM), northM: toMillimetre(northM), place };
  const [a, b] = points;
  return a.place === undefined || b.place !== undefined ? [point, UNSET] : [a, point];
}

/** A point of which something was typed. `placeAt` is asked where both numbers are there. */
export function typed(
  point: Point,
  change: Partial<Pick<Point, "eastM" | "northM">>,
  placeAt: (eastM: number, northM: number) => SitePlace | undefined,
): Point {
  const { eastM, northM } = { ...point, ...change };
  const isWhole = isNumber(eastM) && isNumber(northM);
  return { eastM, northM, place: isWhole ? placeAt(eastM, northM) : undefined };
}

/** Whether both numbers of a point are there, and the site is not. */
export const isBeside = ({ eastM, northM, place }: Point): boolean =>
  isNumber(eastM) && isNumber(northM) && place === undefined;

const isNumber = (value: number | undefined): value is number =>
  value !== undefined && !Number.isNaN(value);

const toMillimetre = (metres: number): number => Math.max(0, Math.round(metres * 1_000) / 1_000);
