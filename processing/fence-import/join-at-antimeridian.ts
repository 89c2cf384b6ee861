import type { LonLat } from "../../domain/geometry/geofence.ts";

/** How near two ends of a cut must be to be one, degrees: 1 um, far more than rounding, far less than a fence. */
const SAME_DEG = 1e-8;

/**
 * Joins the two rings of an outline that was cut at the antimeridian, as RFC 7946 section 3.1.9 asks
 * writers to; closed. `undefined`: the rings do not share exactly one edge there, so they are not the halves
 * of one outline.
 */
export function joinAtAntimeridian(
  rings: readonly (readonly LonLat[])[],
): readonly LonLat[] | undefined {
  const [first, second, third] = rings.map(openRing);
  if (first === undefined || second === undefined || third !== undefined) return undefined;
  const [west, east] = sideOf(first) > 0 ? [first, second] : [second, first];
  if (!(sideOf(west) > 0 && sideOf(east) < 0)) return undefined;
  const westCut = cutOf(west, 180);
  const eastCut = cutOf(east, -180);
  if (westCut === undefined || eastCut === undefined) return undefined;
  const wests = fromCut(west, westCut);
  const easts = fromCut(east, eastCut);
  const [westFrom, westTo] = [wests.at(0), wests.at(-1)];
  const [eastFrom, eastTo] = [easts.at(0), easts.at(-1)];
  // Wound the same way, one goes up where the other goes down.
  const isOpposite = isLevel(westFrom, eastTo) && isLevel(westTo, eastFrom);
  const isAlike = isLevel(westFrom, eastFrom) && isLevel(westTo, eastTo);
  if (isOpposite === isAlike) return undefined;
  const others = isOpposite ? easts : easts.toReversed();
  // The ends of the cut stay, once: nothing says whether they were corners before, and the ground is the same.
  const open = [...wests, ...others.slice(1, -1)];
  return [...open, ...open.slice(0, 1)];
}

/** A ring without its closing corner. */
function openRing(ring: readonly LonLat[]): readonly LonLat[] {
  const [first] = ring;
  const last = ring.at(-1);
  const isClosed = first !== undefined && last !== undefined && isSame(first, last);
  return isClosed ? ring.slice(0, -1) : ring;
}

/** Sum of the longitudes: the side of the antimeridian that a ring lies on. */
const sideOf = (ring: readonly LonLat[]): number =>
  ring.reduce((sum, [lonDeg]) => sum + Math.sign(lonDeg), 0);

/** Index of the corner that the one edge along the meridian begins at; `undefined`: there is not one. */
function cutOf(ring: readonly LonLat[], edgeDeg: number): number | undefined {
  const isOn = (i: number) =>
    Math.abs((ring[i % ring.length]?.[0] ?? Number.NaN) - edgeDeg) <= SAME_DEG;
  const starts = ring.flatMap((_, i) => (isOn(i) && isOn(i + 1) ? [i] : []));
  const touching = ring.filter((_, i) => isOn(i)).length;
  return starts.length === 1 && touching === 2 ? starts[0] : undefined;
}

/** The corners from the end of the cut round to its beginning. */
const fromCut = (ring: readonly LonLat[], cut: number): readonly LonLat[] => [
  ...ring.slice(cut + 1),
  ...ring.slice(0, cut + 1),
];

const isLevel = (a: LonLat | undefined, b: LonLat | undefined): boolean =>
  a !== undefined && b !== undefined && Math.abs(a[1] - b[1]) <= SAME_DEG;

const isSame = (a: LonLat, b: LonLat): boolean => a[0] === b[0] && a[1] === b[1];
