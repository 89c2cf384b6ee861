import { inverse, rotate, type Vector3 } from "../../geometry/rotation.ts";
import { upperMedian } from "../../numeric/median.ts";
import { project } from "../camera/camera.ts";
import type { CameraPrior, LensPrior } from "../camera/camera-prior.ts";
import { rotationFromGimbal } from "../camera/gimbal-rotation.ts";
import type { SurveyImage } from "../camera/survey-image.ts";

/** Partners chosen for each image; more cost time and hold weak blocks together. Prototype: 6 to 10. */
const NEIGHBOURS = 8;
/** Of these, so many in each quarter of the compass first, so that strips are tied to each other. */
const PER_QUARTER = 2;
/** Share of the footprint that two images have in common, at least; chosen: below it few matches hold. */
const MIN_OVERLAP = 0.1;
/** The nearest images are partners whatever the tags of attitude say, which may be false; chosen. */
const NEAREST = 2;
/** Samples along each edge of an image, from which overlap is counted. */
const SAMPLES = 6;
/** Rays flatter than this (rise over run) meet the ground too far away to match anything; chosen, 15 degrees. */
const MIN_DIP = 0.27;
/** Overlap along the flight line that is assumed to derive the height from the spacing; usual practice. */
const ASSUMED_OVERLAP = 0.75;
/** A barometric height further than this factor from the height by spacing is false; chosen. */
const MAX_HEIGHT_FACTOR = 4;
/** Partners of another day chosen for each image; chosen: half of those of its own flight. */
const NEIGHBOURS_BETWEEN = 4;
/** Spacing below which images say nothing of the height: the camera stood still, metres; chosen. */
const MIN_SPACING_M = 0.5;
/** Height above ground where it is not known, metres; prototype. */
const USUAL_HEIGHT_M = 60;

/**
 * Images before and after it in time that an image is paired with where no positions show which ones share
 * its ground: at two seconds an image it reaches the next strip but one. Fewer would miss strips that
 * overlap, more cost 0.1 s of CPU a pair.
 */
const NEIGHBOURS_IN_TIME = 30;
/** Images without positions up to which all pairs are tried, for a kite comes back at any time: 1,770 pairs. */
const MOST_FOR_ALL_PAIRS = 60;

/** Heights below it are not a flight, metres; chosen. */
const LEAST_HEIGHT_M = 5;

/** An image as it is laid on level ground: height above it, and the pixel rays. */
interface Footprint {
  readonly pose: { readonly rotation: Float64Array; readonly centre: Vector3 };
  readonly lens: LensPrior["intrinsics"];
  /** Places on the ground that the image shows, ENU with the ground at 0. */
  readonly ground: readonly Vector3[];
}

/**
 * Pairs of images worth matching, `[first, second]` with `first < second`, in order: for each image those
 * that show most of the same ground by GPS and gimbal (straight down where the gimbal is not known). Also the
 * nearest ones, and the ones before and after it in time. Images without a position have only the latter;
 * where none has a position, these are many.
 */
export function selectPairs(
  images: readonly SurveyImage[],
  priors: readonly CameraPrior[],
  lenses: readonly LensPrior[],
): readonly (readonly [number, number])[] {
  const chosen = new Set<number>();
  const add = (i: number, j: number) => {
    if (i !== j) chosen.add(Math.min(i, j) * images.length + Math.max(i, j));
  };
  const heights = heightsAboveGround(images, priors, lenses);
  const footprints = priors.map((prior, i) => footprint(prior, lenses, heights[i] ?? 0));
  priors.forEach((_, i) => {
    for (const j of partners(i, footprints)) add(i, j);
  });
  const order = images
    .map((image, i) => ({ i, at: image.capturedAtMs ?? i }))
    .sort((a, b) => a.at - b.at || a.i - b.i);
  const isBlind = footprints.every((one) => one === undefined);
  const reach = images.length <= MOST_FOR_ALL_PAIRS ? images.length : NEIGHBOURS_IN_TIME;
  order.forEach(({ i }, k) => {
    for (const { i: before } of order.slice(Math.max(0, k - (isBlind ? reach : 1)), k)) {
      if (mayOverlap(footprints[before], footprints[i])) add(before, i);
    }
  });
  return [...chosen]
    .sort((a, b) => a - b)
    .map((key) => [Math.floor(key / images.length), key % images.length] as const);
}

/** Images of one flight, with positions in a frame that others share. */
export interface FlightImages {
  readonly images: readonly SurveyImage[];
  readonly priors: readonly CameraPrior[];
}

/**
 * Pairs worth matching between two flights over one site, `[index in a, index in b]`, in order: for each
 * image of `a` the four of `b` that show most of the same ground, and for each of `b` the best of `a`. At
 * most four times the images of `a` and one for each of `b`.
 */
export function selectPairsBetween(
  a: FlightImages,
  b: FlightImages,
  lenses: readonly LensPrior[],
): readonly (readonly [number, number])[] {
  // Barometers start anew at each take-off: each flight has heights of its own.
  const [ofA, ofB] = [a, b].map(({ images, priors }) => {
    const heights = heightsAboveGround(images, priors, lenses);
    return priors.map((prior, i) => footprint(prior, lenses, heights[i] ?? 0));
  });
  const chosen = new Set<number>();
  (ofA ?? []).forEach((here, i) => {
    for (const j of mostShared(here, ofB ?? [], NEIGHBOURS_BETWEEN)) {
      chosen.add(i * b.images.length + j);
    }
  });
  (ofB ?? []).forEach((here, j) => {
    for (const i of mostShared(here, ofA ?? [], 1)) chosen.add(i * b.images.length + j);
  });
  return [...chosen]
    .sort((p, q) => p - q)
    .map((key) => [Math.floor(key / b.images.length), key % b.images.length] as const);
}

/** The footprints that have most ground in common with one, the best first. */
function mostShared(
  here: Footprint | undefined,
  there: readonly (Footprint | undefined)[],
  most: number,
): readonly number[] {
  if (here === undefined) return [];
  return there
    .flatMap((other, j) =>
      other === undefined
        ? []
        : [{ j, overlap: (seenShare(here, other) + seenShare(other, here)) / 2 }],
    )
    .filter(({ overlap }) => overlap >= MIN_OVERLAP)
    .sort((p, q) => q.overlap - p.overlap || p.j - q.j)
    .slice(0, most)
    .map(({ j }) => j);
}

/**
 * How much of an image's ground its best neighbour shows as well, 0 to 1, by position and gimbal: the
 * median over the images with a position, 0 without any. A flight as recommended has 0.75.
 */
export function overlapByTags(
  images: readonly SurveyImage[],
  priors: readonly CameraPrior[],
  lenses: readonly LensPrior[],
): number {
  const heights = heightsAboveGround(images, priors, lenses);
  // A barometer counts here even where the spacing contradicts it: that is what overlap is about.
  const heightOf = (i: number) =>
    Math.max(LEAST_HEIGHT_M, images[i]?.relativeAltitudeM ?? heights[i] ?? 0);
  const footprints = priors.flatMap((prior, i) => footprint(prior, lenses, heightOf(i)) ?? []);
  const best = footprints.map((here) =>
    Math.max(0, ...footprints.map((there) => (there === here ? 0 : seenShare(here, there)))),
  );
  return upperMedian(best) ?? 0;
}

function partners(i: number, footprints: readonly (Footprint | undefined)[]): readonly number[] {
  const here = footprints[i];
  if (here === undefined) return [];
  const others = footprints.flatMap((there, j) => {
    if (there === undefined || j === i) return [];
    const [dx, dy] = offset(here, there);
    const overlap = (seenShare(here, there) + seenShare(there, here)) / 2;
    const quarter = (dx >= 0 ? 1 : 0) + (dy >= 0 ? 2 : 0);
    return [{ j, overlap, quarter, distance: Math.hypot(dx, dy) }];
  });
  const ranked = others
    .filter(({ overlap }) => overlap >= MIN_OVERLAP)
    .sort((a, b) => b.overlap - a.overlap || a.distance - b.distance || a.j - b.j);
  const inQuarter = [0, 0, 0, 0];
  const first = ranked.filter(({ quarter }) => {
    inQuarter[quarter] = (inQuarter[quarter] ?? 0) + 1;
    return (inQuarter[quarter] ?? 0) <= PER_QUARTER;
  });
  const rest = ranked.filter((other) => !first.includes(other));
  const nearest = others
    .filter(({ j }) => mayOverlap(here, footprints[j]))
    .sort((a, b) => a.distance - b.distance || a.j - b.j)
    .slice(0, NEAREST);
  return [...first, ...rest]
    .slice(0, NEIGHBOURS)
    .concat(nearest)
    .map(({ j }) => j);
}

/** Share of what `from` shows of the ground that `to` shows as well, 0 to 1. */
function seenShare(from: Footprint, to: Footprint): number {
  const pixel = { u: 0, v: 0, depth: 0 };
  let seen = 0;
  for (const point of from.ground) {
    if (!project(to.lens, to.pose, point, pixel)) continue;
    const isInside =
      pixel.u >= 0 && pixel.v >= 0 && pixel.u < to.lens.widthPx && pixel.v < to.lens.heightPx;
    if (isInside) seen += 1;
  }
  return seen / SAMPLES ** 2;
}

/** Whether two images are near enough to see the same ground if both point at it; yes if not known. */
function mayOverlap(a: Footprint | undefined, b: Footprint | undefined): boolean {
  if (a === undefined || b === undefined) return true;
  const reach = ({ pose, lens }: Footprint) =>
    (pose.centre[2] * Math.hypot(lens.widthPx, lens.heightPx)) / lens.focalPx;
  return Math.hypot(...offset(a, b)) < reach(a) + reach(b);
}

function offset(a: Footprint, b: Footprint): readonly [number, number] {
  return [b.pose.centre[0] - a.pose.centre[0], b.pose.centre[1] - a.pose.centre[1]];
}

function footprint(
  { lens, centre, rotation }: CameraPrior,
  lenses: readonly LensPrior[],
  heightM: number,
): Footprint | undefined {
  const intrinsics = lenses[lens]?.intrinsics;
  if (centre === undefined || intrinsics === undefined) return undefined;
  const pose = {
    rotation: rotation ?? rotationFromGimbal({ yawDeg: 0, pitchDeg: -90, rollDeg: 0 }),
    centre: [centre[0], centre[1], heightM] as const,
  };
  const toWorld = inverse(pose.rotation);
  const ground: Vector3[] = [];
  for (let row = 0; row < SAMPLES; row += 1) {
    for (let column = 0; column < SAMPLES; column += 1) {
      const x = (((column + 0.5) / SAMPLES - 0.5) * intrinsics.widthPx) / intrinsics.focalPx;
      const y = (((row + 0.5) / SAMPLES - 0.5) * intrinsics.heightPx) / intrinsics.focalPx;
      const [east, north, up] = rotate(toWorld, [x, y, 1]);
      if (-up < MIN_DIP * Math.hypot(east, north)) continue;
      const reach = heightM / -up;
      ground.push([centre[0] + reach * east, centre[1] + reach * north, 0]);
    }
  }
  return { pose, lens: intrinsics, ground };
}

/**
 * Heights above ground, metres: the barometer's where they are there and plausible, else one height for
 * all by the spacing of the images.
 */
function heightsAboveGround(
  images: readonly SurveyImage[],
  priors: readonly CameraPrior[],
  lenses: readonly LensPrior[],
): readonly number[] {
  const bySpacing = heightBySpacing(priors, lenses);
  const known = images.flatMap(({ relativeAltitudeM }) => relativeAltitudeM ?? []);
  const usual =
    bySpacing ??
    (known.length > 0 ? Math.max(LEAST_HEIGHT_M, upperMedian(known) ?? 0) : USUAL_HEIGHT_M);
  return images.map(({ relativeAltitudeM }) => {
    if (relativeAltitudeM === undefined)
      return known.length > 0 ? Math.max(LEAST_HEIGHT_M, upperMedian(known) ?? 0) : usual;
    const isPlausible =
      relativeAltitudeM > usual / MAX_HEIGHT_FACTOR &&
      relativeAltitudeM < usual * MAX_HEIGHT_FACTOR;
    return isPlausible ? relativeAltitudeM : usual;
  });
}

/** The height from which images this far apart overlap as flights usually do. */
function heightBySpacing(
  priors: readonly CameraPrior[],
  lenses: readonly LensPrior[],
): number | undefined {
  const placed = priors.flatMap(({ centre, lens }) => (centre ? [{ centre, lens }] : []));
  const spacings = placed.map(({ centre: [x, y] }, i) =>
    Math.min(
      ...placed.map(({ centre }, j) =>
        i === j ? Number.POSITIVE_INFINITY : Math.hypot(centre[0] - x, centre[1] - y),
      ),
    ),
  );
  const spacing = upperMedian(spacings.filter((value) => Number.isFinite(value))) ?? 0;
  const lens = lenses[placed[0]?.lens ?? 0]?.intrinsics;
  if (spacing < MIN_SPACING_M || lens === undefined) return undefined;
  const shorterPx = Math.min(lens.widthPx, lens.heightPx);
  return (spacing / (1 - ASSUMED_OVERLAP)) * (lens.focalPx / shorterPx);
}
