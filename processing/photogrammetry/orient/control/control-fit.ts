import { LIMITS } from "../../../gates/gate-thresholds.ts";
import { weightedSimilarity } from "../../../geometry/fit-similarity.ts";
import { rotate, type Vector3 } from "../../../geometry/rotation.ts";
import {
  applySimilarity,
  invertSimilarity,
  type Similarity,
} from "../../../geometry/similarity.ts";
import { upperMedian } from "../../../numeric/median.ts";
import type { BundleState } from "../../bundle/bundle-problem.ts";
import { locate, misfitPx } from "../block/marked-points.ts";
import type { ControlTarget, ImageMark } from "../block/orientation.ts";
import { poseOf, type SurveyBlock } from "../block/survey-block.ts";
import { PIXEL_CORNER, scaleMark } from "./scale-mark.ts";

/** A block that was adjusted without its control points. */
export interface FreeBlock {
  readonly block: SurveyBlock;
  readonly state: BundleState;
}

/** How a free block lies among the control points. */
export interface ControlFit {
  /** From the block's frame to that of the points; `undefined`: no three points agree on one. */
  readonly similarity: Similarity | undefined;
  /** The points with the marks that fit; those that do not fit are not among them. */
  readonly accepted: readonly ControlTarget[];
  /** Root mean square distance of the points that were tried from where the block has them, metres. */
  readonly rmsM: number;
  /** Points that fit. */
  readonly located: number;
  /** What pixels of marks were multiplied by; 1 but for marks made on pictures of another size. */
  readonly markScale: number;
}

/** Triples tried: all of 12 points; of more, a random choice that misses a good one in 1e-6 at a third wrong. */
const MOST_TRIPLES = 220;
/**
 * Distance from its mark beyond which a mark is wrong, pixels of the working size: people point to 1 to 3, at
 * a field's corner to 8. Smaller errors are checked when the block is adjusted.
 */
export const WRONG_MARK_PX = 12;
/**
 * How far a free block may be bent against its control, as a share of the control's extent: a dome of 1 m over 60 m
 * is usual of nadir flights (docs/photogrammetry.md#real-flights).
 */
export const BENT_SHARE = 0.02;
/**
 * The same of so few points that the rest could not show which one is wrong: up to here all of them are
 * taken, and their residuals reported.
 */
const FEW_SHARE = 0.05;
/** Points of which one can be left out: four others agree. */
const MANY_POINTS = 5;
/** Times its declared standard deviation that a point may lie off. */
export const POINT_SIGMAS = 4;
/** Factors between the size of the pictures that were marked and that of the files that are tried, and their step. */
const SCALES = { least: 0.2, most: 5, step: 1.02 } as const;
/** Marks count as made on other pictures when that makes the points fit so many times better. */
const MUCH_BETTER = 5;
/** Widths of such pictures are whole hundreds of pixels, within the accuracy of the factor (share). */
const SNAP = { widthPx: 100, within: 0.006 } as const;

/**
 * Finds how a free block lies among its control points, and which points and marks take part: first each
 * point is located by those of its marks that agree. Then the similarity that most points agree on is taken
 * (three at a time, as in RANSAC). Last, each mark is compared with the projection of its point's
 * coordinates.
 */
export function fitControl(free: FreeBlock, control: readonly ControlTarget[]): ControlFit {
  const used = control.filter(({ isCheck }) => !isCheck);
  const asGiven = fitScaled(free, used, 1);
  if (asGiven.similarity !== undefined) return asGiven;
  const scale = bestMarkScale(free, used);
  if (scale === undefined) return asGiven;
  const scaled = fitScaled(free, used, scale);
  const isBetter = scaled.similarity !== undefined && scaled.rmsM * MUCH_BETTER < asGiven.rmsM;
  return isBetter ? scaled : asGiven;
}

function scaleMarks(targets: readonly ControlTarget[], scale: number): readonly ControlTarget[] {
  if (scale === 1) return targets;
  return targets.map((target) => ({
    ...target,
    marks: target.marks.map((mark) => scaleMark(mark, scale)),
  }));
}

function fitScaled(free: FreeBlock, used: readonly ControlTarget[], markScale: number): ControlFit {
  const targets = scaleMarks(used, markScale);
  const located = targets.flatMap((target) => {
    const found = agreeingMarks(free, target.marks);
    return found === undefined ? [] : [{ target, ...found }];
  });
  const best = bestSimilarity(free, located, MOST_TRIPLES);
  if (best === undefined || !isMajority(best.fitting, located.length)) {
    return {
      similarity: undefined,
      accepted: [],
      rmsM: rmsOf(free, located),
      located: 0,
      markScale,
    };
  }
  const { similarity, rmsM } = best;
  const fitting = new Set(
    located.filter((_, i) => best.fitting.has(i)).map(({ target }) => target),
  );
  const accepted = targets.flatMap((target) => {
    const limitPx = WRONG_MARK_PX + bentPx(free, similarity, best.toleranceM);
    const marks = target.marks.filter(
      (mark) => offPx(free, similarity, target.position, mark) <= limitPx,
    );
    const isLocated = located.some((one) => one.target === target);
    // A point that two of its marks put elsewhere is itself in doubt, not its marks.
    if (marks.length === 0 || (isLocated && !fitting.has(target) && marks.length > 1)) return [];
    return [{ ...target, marks }];
  });
  return { similarity, accepted, rmsM, located: best.fitting.size, markScale };
}

function isMajority(fitting: ReadonlySet<number>, located: number): boolean {
  return fitting.size >= LIMITS.controlPoints && 2 * fitting.size > located;
}

interface Located {
  readonly target: ControlTarget;
  /** In the frame of the block. */
  readonly place: Vector3;
}

/**
 * Where the marks put a point. Marks that the others contradict are left out while more than half agree; where they
 * do not, the point has no place.
 */
export function agreeingMarks(
  { block, state }: FreeBlock,
  marks: readonly ImageMark[],
  least = Math.max(2, Math.floor(marks.length / 2) + 1),
): { readonly place: Vector3 } | undefined {
  const place = locate(block, state, marks);
  if (place === undefined) return undefined;
  if (worstPx({ block, state }, place, marks) <= WRONG_MARK_PX) return { place };
  if (marks.length <= least) return undefined;
  const without = marks
    .map((left) => marks.filter((mark) => mark !== left))
    .flatMap((rest) => {
      const found = locate(block, state, rest);
      return found ? [{ rest, worst: worstPx({ block, state }, found, rest) }] : [];
    })
    .sort((a, b) => a.worst - b.worst);
  const [best] = without;
  return best && agreeingMarks({ block, state }, best.rest, least);
}

function worstPx(free: FreeBlock, place: Vector3, marks: readonly ImageMark[]): number {
  return Math.max(...marks.map((mark) => misfitPx(free.block, free.state, place, mark) ?? 0));
}

/** Distance of a mark from where the coordinates of its point project, pixels; 0 where the block has no camera. */
function offPx(
  { block, state }: FreeBlock,
  similarity: Similarity,
  position: Vector3,
  mark: ImageMark,
): number {
  const place = applySimilarity(invertSimilarity(similarity), position);
  return misfitPx(block, state, place, mark) ?? 0;
}

interface FoundSimilarity {
  readonly similarity: Similarity;
  /** Indices of the points that it fits. */
  readonly fitting: ReadonlySet<number>;
  readonly rmsM: number;
  readonly toleranceM: number;
}

/** The similarity that most of the points fit; of equals the one with the smaller distances. */
function bestSimilarity(
  free: FreeBlock,
  located: readonly Located[],
  triples: number,
): FoundSimilarity | undefined {
  if (located.length < LIMITS.controlPoints) return undefined;
  const from = Float64Array.from(located.flatMap(({ place }) => place));
  const to = Float64Array.from(located.flatMap(({ target }) => target.position));
  const extentM = extentOf(to);
  const share = located.length < MANY_POINTS ? FEW_SHARE : BENT_SHARE;
  const tolerances = located.map(({ target: { sigmaM } }) =>
    Math.max(share * extentM, POINT_SIGMAS * Math.hypot(sigmaM.horizontal, sigmaM.vertical)),
  );
  let best: { similarity: Similarity; cost: number } | undefined;
  for (const triple of triplesOf(located.length, triples)) {
    const weights = new Float64Array(located.length);
    for (const i of triple) weights[i] = 1;
    const similarity = weightedSimilarity(from, to, weights);
    if (similarity === undefined || !looksFromAbove(free, similarity)) continue;
    const cost = distancesOf(similarity, located).reduce(
      (sum, d, i) => sum + Math.min(1, (d / (tolerances[i] ?? 1)) ** 2),
      0,
    );
    if (best === undefined || cost < best.cost) best = { similarity, cost };
  }
  if (best === undefined) return undefined;
  let { similarity } = best;
  const fits = () => distancesOf(similarity, located).map((d, i) => d <= (tolerances[i] ?? 0));
  for (let round = 0; round < 3; round += 1) {
    const weights = Float64Array.from(fits(), Number);
    const refined = weightedSimilarity(from, to, weights);
    if (refined === undefined) break;
    similarity = refined;
  }
  const fitting = new Set(fits().flatMap((yes, i) => (yes ? [i] : [])));
  const counted = fitting.size >= LIMITS.controlPoints ? [...fitting] : located.map((_, i) => i);
  const distances = distancesOf(similarity, located);
  return {
    similarity,
    fitting,
    rmsM: Math.sqrt(counted.reduce((sum, i) => sum + (distances[i] ?? 0) ** 2, 0) / counted.length),
    toleranceM: Math.max(...tolerances),
  };
}

/** Points in a plane fit their mirror image as well, with the cameras below the ground looking up. */
function looksFromAbove({ state }: FreeBlock, { rotation }: Similarity): boolean {
  let up = 0;
  for (let at = 0; at < state.rotations.length; at += 9) {
    const view = [6, 7, 8].map((k) => state.rotations[at + k] ?? 0);
    up += rotate(rotation, [view[0] ?? 0, view[1] ?? 0, view[2] ?? 0])[2];
  }
  return up < 0;
}

function distancesOf(similarity: Similarity, located: readonly Located[]): readonly number[] {
  return located.map(({ place, target: { position } }) => {
    const [x, y, z] = applySimilarity(similarity, place);
    return Math.hypot(x - position[0], y - position[1], z - position[2]);
  });
}

/** Of points that no similarity fits: the best of all together; infinite where that is seen from below. */
function rmsOf(free: FreeBlock, located: readonly Located[]): number {
  const from = Float64Array.from(located.flatMap(({ place }) => place));
  const to = Float64Array.from(located.flatMap(({ target }) => target.position));
  const similarity = weightedSimilarity(from, to, new Float64Array(located.length).fill(1));
  if (similarity === undefined || !looksFromAbove(free, similarity))
    return Number.POSITIVE_INFINITY;
  const distances = distancesOf(similarity, located);
  return Math.sqrt(distances.reduce((sum, d) => sum + d * d, 0) / distances.length);
}

/** Largest distance between two of the points along an axis, metres. */
function extentOf(points: Float64Array): number {
  return Math.max(
    ...[0, 1, 2].map((axis) => {
      const values = points.filter((_, i) => i % 3 === axis);
      return Math.max(...values) - Math.min(...values);
    }),
  );
}

/** What a distance on the ground is in pixels of the working size, at the median camera. */
function bentPx({ block, state }: FreeBlock, similarity: Similarity, distanceM: number): number {
  const [x = 0, y = 0, z = 0] = [0, 1, 2].map(
    (axis) => upperMedian(state.points.filter((_, i) => i % 3 === axis)) ?? 0,
  );
  const depths = block.images.map((_, camera) => {
    const { centre } = poseOf(state, camera);
    return similarity.scale * Math.hypot(centre[0] - x, centre[1] - y, centre[2] - z);
  });
  const focalPx = block.lenses[0]?.intrinsics.focalPx ?? 0;
  return (distanceM * focalPx) / (upperMedian(depths) ?? 1);
}

function triplesOf(count: number, most: number): readonly (readonly number[])[] {
  const total = (count * (count - 1) * (count - 2)) / 6;
  const triples: number[][] = [];
  const every = Math.max(1, total / most);
  let next = 0;
  let seen = 0;
  for (let i = 0; i < count; i += 1) {
    for (let j = i + 1; j < count; j += 1) {
      for (let k = j + 1; k < count; k += 1) {
        if (seen >= next) {
          triples.push([i, j, k]);
          next += every;
        }
        seen += 1;
      }
    }
  }
  return triples;
}

/** The factor at which marks agree best with each other and with the coordinates; `undefined`: at none. */
function bestMarkScale(free: FreeBlock, used: readonly ControlTarget[]): number | undefined {
  const costOf = (scale: number) => {
    const targets = scaleMarks(used, scale);
    if (!targets.every((target) => isInside(free, target))) return Number.POSITIVE_INFINITY;
    const places = placesOf(free, targets);
    const found = bestSimilarity(free, places, MOST_TRIPLES / 10);
    if (found === undefined) return Number.POSITIVE_INFINITY;
    const misfits = distancesOf(found.similarity, places).map((d) => d / found.toleranceM);
    const disagreements = places.map(
      ({ place, target }) => (worstPx(free, place, target.marks) / WRONG_MARK_PX) * POINT_SIGMAS,
    );
    return [...misfits, ...disagreements].reduce(
      (sum, x) => sum + Math.min(POINT_SIGMAS, x) ** 2,
      0,
    );
  };
  const tried: { scale: number; cost: number }[] = [];
  for (let scale: number = SCALES.least; scale <= SCALES.most; scale *= SCALES.step) {
    tried.push({ scale, cost: costOf(scale) });
  }
  const finite = tried.filter(({ cost }) => Number.isFinite(cost)).sort((a, b) => a.cost - b.cost);
  const [best] = finite;
  if (best === undefined) return undefined;
  const fine = Array.from({ length: 41 }, (_, i) => best.scale * SCALES.step ** ((i - 20) / 20));
  const finest = fine
    .map((scale) => ({ scale, cost: costOf(scale) }))
    .sort((a, b) => a.cost - b.cost);
  return snapped(free, finest[0]?.scale ?? best.scale);
}

function placesOf(
  { block, state }: FreeBlock,
  targets: readonly ControlTarget[],
): readonly Located[] {
  return targets.flatMap((target) => {
    const place = locate(block, state, target.marks);
    return place === undefined ? [] : [{ target, place }];
  });
}

function isInside({ block }: FreeBlock, { marks }: ControlTarget): boolean {
  return marks.every(({ image, u, v, corner: [cornerU, cornerV] = PIXEL_CORNER }) => {
    const lens = block.lenses[block.cameraLens[block.cameraOfImage[image] ?? -1] ?? 0];
    if (lens === undefined) return true;
    const { widthPx, heightPx } = lens.intrinsics;
    return Math.abs(u - cornerU) <= widthPx && Math.abs(v - cornerV) <= heightPx;
  });
}

/** The factor of the nearest round width: exact where marks give it only to half a percent. */
function snapped({ block }: FreeBlock, scale: number): number {
  const fullPx = block.lenses[0]?.fullWidthPx;
  if (fullPx === undefined) return scale;
  const widthPx = Math.round(fullPx / scale / SNAP.widthPx) * SNAP.widthPx;
  const round = fullPx / widthPx;
  return Math.abs(round / scale - 1) <= SNAP.within ? round : scale;
}
