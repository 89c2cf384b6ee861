import {
  angleBetween,
  compose,
  HALF_TURN,
  inverse,
  type Rotation,
  rotate,
  type Vector3,
} from "../../geometry/rotation.ts";
import { upperMedian } from "../../numeric/median.ts";
import type { CameraPrior } from "../camera/camera-prior.ts";
import { levelFlight } from "./level-heights.ts";
import {
  alignToBaselines,
  type BaselineEvidence,
  fillRotations,
  pairWeight,
} from "./rotation-graph.ts";
import type { VerifiedPair } from "./verified-pair.ts";

/** What the pictures say of the gimbal tags. */
export interface TagVote {
  /** The corrected priors. */
  readonly priors: readonly CameraPrior[];
  /** Images whose pixels are turned by 180 degrees against their tags (a picture viewer did it). */
  readonly flipped: readonly number[];
  /** Images whose tags contradict the pictures otherwise; their rotation is their neighbours' now. */
  readonly conflicting: readonly number[];
  /** Images without tags that got a rotation from their neighbours, or from GPS baselines. */
  readonly filled: readonly number[];
  /** Median angle between relative rotations by tags and by pictures after the vote, rad; NaN: no tags. */
  readonly disagreementRad: number;
}

/** An image contradicts its tags from this median disagreement on, rad; chosen: five times what is usual. */
const CONFLICT_RAD = (20 * Math.PI) / 180;
/** A disagreement counts in full up to this, rad: all nonsense is equally bad. */
const MAX_DISAGREEMENT_RAD = Math.PI / 2;
/** Shorter baselines than this say nothing beside the errors of GPS, metres; prototype. */
const MIN_BASELINE_M = 3;
/** Attitude by the pictures, joined to tagged neighbours; chosen. By GPS baselines alone; prototype. */
const FILLED_SIGMA_RAD = 0.1;
const ALIGNED_SIGMA_RAD = 0.25;
const MAX_SWEEPS = 20;
/**
 * From this length of their mean on, the unit views are those of a flight in one direction, straight down
 * where nothing contradicts it: views scattered by 14 degrees. A circle of obliques has less.
 */
const ONE_VIEW = 0.97;
/**
 * Such a camera within this of straight down, rad, looks straight down: a gimbal holds it to 2 degrees, which is
 * surer than heights that drift by 10 m over 60. Of oblique cameras makers' presets begin at 20 degrees.
 */
const NEAR_DOWN_RAD = (15 * Math.PI) / 180;

/**
 * Compares gimbal tags with verified pairs: finds images turned by 180 degrees, images whose tags cannot
 * be true, and gives images without tags a rotation where pairs lead to one.
 */
export function voteOnTags(
  priors: readonly CameraPrior[],
  pairs: readonly VerifiedPair[],
): TagVote {
  const tagged = pairs.filter(
    ({ first, second }) => priors[first]?.rotation && priors[second]?.rotation,
  );
  const isFlipped = voteOnFlips(priors, tagged);
  const rotations = priors.map(({ rotation }, i) =>
    rotation !== undefined && isFlipped[i] ? compose(HALF_TURN, rotation) : rotation,
  );
  const conflicting = takeOutConflicts(rotations, tagged);
  // Turning helps false tags as well when they are off by more than 90 degrees: they stay false.
  const flipped = isFlipped.flatMap((yes, i) => (yes && !conflicting.includes(i) ? [i] : []));
  const kept = tagged.filter(({ first, second }) => rotations[first] && rotations[second]);
  const left = kept.map((pair) => disagreement(pair, rotations));

  const filled = new Set(fillRotations(rotations, pairs));
  const aligned = new Set<number>();
  const unlevelled = new Set<number>();
  for (const group of untaggedGroups(rotations, pairs)) {
    const { placed, isUnlevelled } = alignGroup(group, rotations, priors, pairs);
    for (const image of placed) {
      aligned.add(image);
      if (isUnlevelled) unlevelled.add(image);
    }
  }
  return {
    priors: priors.map((prior, i) => {
      let sigma = prior.rotationSigmaRad;
      if (filled.has(i)) sigma = FILLED_SIGMA_RAD;
      if (aligned.has(i)) sigma = ALIGNED_SIGMA_RAD;
      const settled = { ...prior, rotation: rotations[i], rotationSigmaRad: sigma };
      return unlevelled.has(i) ? { ...settled, isUnlevelled: true as const } : settled;
    }),
    flipped,
    conflicting,
    filled: [...filled, ...aligned]
      .filter((i) => priors[i]?.rotation === undefined)
      .sort((a, b) => a - b),
    disagreementRad: upperMedian(left) ?? Number.NaN,
  };
}

/** Angle between what a pair's pictures and the two rotations say, rad. */
function disagreement(
  { first, second, rotation }: VerifiedPair,
  rotations: readonly (Rotation | undefined)[],
): number {
  const a = rotations[first];
  const b = rotations[second];
  if (a === undefined || b === undefined) return Number.NaN;
  return angleBetween(rotation, compose(b, inverse(a)));
}

/**
 * Which images to turn so that pairs agree: from the strongest pair on each image takes the state that
 * agrees with those before it, then sweeps change single images while that helps. A group of joined
 * images may be turned as a whole without any pair noticing: GPS baselines decide, else the majority.
 */
function voteOnFlips(
  priors: readonly CameraPrior[],
  pairs: readonly VerifiedPair[],
): readonly boolean[] {
  const plain = priors.map(({ rotation }) => rotation);
  const turned = plain.map((rotation) => rotation && compose(HALF_TURN, rotation));
  const state: (boolean | undefined)[] = priors.map(() => undefined);
  const cost = (pair: VerifiedPair, a: boolean, b: boolean) => {
    const rotations: (Rotation | undefined)[] = [];
    rotations[pair.first] = (a ? turned : plain)[pair.first];
    rotations[pair.second] = (b ? turned : plain)[pair.second];
    return pairWeight(pair) * Math.min(MAX_DISAGREEMENT_RAD, disagreement(pair, rotations));
  };
  const costs = pairs.map((pair) => [
    [cost(pair, false, false), cost(pair, false, true)],
    [cost(pair, true, false), cost(pair, true, true)],
  ]);
  const costOf = (k: number, a: boolean, b: boolean) => costs[k]?.[a ? 1 : 0]?.[b ? 1 : 0] ?? 0;
  /** Cost of an image in a state beside the images that have one. */
  const costOfImage = (image: number, candidate: boolean) =>
    pairs.reduce((sum, { first, second }, k) => {
      if (first === image) {
        const other = state[second];
        return other === undefined ? sum : sum + costOf(k, candidate, other);
      }
      if (second !== image) return sum;
      const other = state[first];
      return other === undefined ? sum : sum + costOf(k, other, candidate);
    }, 0);
  const choose = (image: number) => costOfImage(image, true) < costOfImage(image, false);

  const byStrength = pairs.toSorted(
    (a, b) => b.matches.length - a.matches.length || a.first - b.first || a.second - b.second,
  );
  for (const { first: root } of byStrength) {
    if (state[root] !== undefined) continue;
    const group = [root];
    state[root] = false;
    for (;;) {
      const next = byStrength.find(
        ({ first, second }) => (state[first] === undefined) !== (state[second] === undefined),
      );
      if (next === undefined) break;
      const image = state[next.first] === undefined ? next.first : next.second;
      state[image] = choose(image);
      group.push(image);
    }
    for (let sweep = 0; sweep < MAX_SWEEPS; sweep += 1) {
      const changed = group.filter((image) => {
        const better = choose(image);
        const isChange =
          better !== state[image] && costOfImage(image, true) !== costOfImage(image, false);
        if (isChange) state[image] = better;
        return isChange;
      });
      if (changed.length === 0) break;
    }
    if (isWholeGroupTurned(group, state, priors, pairs)) {
      for (const image of group) state[image] = state[image] !== true;
    }
  }
  return state.map((value) => value === true);
}

function isWholeGroupTurned(
  group: readonly number[],
  state: readonly (boolean | undefined)[],
  priors: readonly CameraPrior[],
  pairs: readonly VerifiedPair[],
): boolean {
  const members = new Set(group);
  let agreement = 0;
  for (const pair of pairs) {
    const rotation = priors[pair.first]?.rotation;
    const baseline = gpsBaseline(pair, priors);
    if (!members.has(pair.first) || rotation === undefined || baseline === undefined) continue;
    const seen = state[pair.first] ? compose(HALF_TURN, rotation) : rotation;
    const [x, y, z] = rotate(seen, baseline);
    const [dx, dy, dz] = pair.direction;
    agreement += pairWeight(pair) * (x * dx + y * dy + z * dz);
  }
  if (agreement !== 0) return agreement < 0;
  return group.filter((image) => state[image]).length > group.length / 2;
}

/** Direction from the first to the second camera by GPS, ENU; `undefined` where it is too short. */
function gpsBaseline(
  { first, second }: VerifiedPair,
  priors: readonly CameraPrior[],
): Vector3 | undefined {
  const a = priors[first]?.centre;
  const b = priors[second]?.centre;
  if (a === undefined || b === undefined) return undefined;
  const length = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  if (length < MIN_BASELINE_M) return undefined;
  return [(b[0] - a[0]) / length, (b[1] - a[1]) / length, (b[2] - a[2]) / length];
}

/**
 * Takes away the rotations of images that contradict most of their pairs, the worst one first: what it
 * contradicted may be right after that. Changes `rotations`; gives the images, rising.
 */
function takeOutConflicts(
  rotations: (Rotation | undefined)[],
  pairs: readonly VerifiedPair[],
): readonly number[] {
  const taken: number[] = [];
  for (;;) {
    let worst = -1;
    let most = CONFLICT_RAD;
    rotations.forEach((rotation, image) => {
      if (rotation === undefined) return;
      const angles = pairs
        .filter(({ first, second }) => first === image || second === image)
        .map((pair) => disagreement(pair, rotations))
        .filter((angle) => !Number.isNaN(angle));
      const middle = upperMedian(angles) ?? Number.NaN;
      if (middle > most) {
        worst = image;
        most = middle;
      }
    });
    if (worst < 0) return taken.toSorted((a, b) => a - b);
    rotations[worst] = undefined;
    taken.push(worst);
  }
}

/** Groups of images that pairs join and of which none has a rotation; single images are not a group. */
function untaggedGroups(
  rotations: readonly (Rotation | undefined)[],
  pairs: readonly VerifiedPair[],
): readonly (readonly number[])[] {
  const groupOf = new Map<number, number[]>();
  for (const { first, second } of pairs) {
    if (rotations[first] !== undefined || rotations[second] !== undefined) continue;
    const a = groupOf.get(first) ?? [first];
    const b = groupOf.get(second) ?? [second];
    const joined = a === b ? a : [...a, ...b];
    for (const image of joined) groupOf.set(image, joined);
  }
  return [...new Set(groupOf.values())].map((group) => group.toSorted((a, b) => a - b));
}

interface AlignedGroup {
  readonly placed: readonly number[];
  /** Neither heights that agree nor views straight down say which way is down. */
  readonly isUnlevelled: boolean;
}

/** Rotations of a group without any tags: relative ones by the pairs, all turned onto GPS baselines. */
function alignGroup(
  group: readonly number[],
  rotations: (Rotation | undefined)[],
  priors: readonly CameraPrior[],
  pairs: readonly VerifiedPair[],
): AlignedGroup {
  const members = new Set(group);
  const inside = pairs.filter(({ first }) => members.has(first));
  const relative: (Rotation | undefined)[] = rotations.map(() => undefined);
  relative[group[0] ?? 0] = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  fillRotations(relative, inside);

  const evidence: BaselineEvidence[] = inside.flatMap((pair) => {
    const baseline = gpsBaseline(pair, priors);
    const rotation = relative[pair.first];
    if (baseline === undefined || rotation === undefined) return [];
    const direction = rotate(inverse(rotation), pair.direction);
    return [{ direction, baseline, weight: pairWeight(pair) }];
  });
  const view = group
    .map((image) => relative[image])
    .reduce<Vector3>(
      ([x, y, z], r) => [x + (r?.[6] ?? 0), y + (r?.[7] ?? 0), z + (r?.[8] ?? 0)],
      [0, 0, 0],
    );
  const length = Math.hypot(...view);
  if (length === 0) return NOT_ALIGNED;
  const meanView = [view[0] / length, view[1] / length, view[2] / length] as const;
  const frame = alignToBaselines(evidence, meanView);
  if (frame === undefined) return NOT_ALIGNED;
  const turned = (by: Rotation) => relative.map((rotation) => rotation && compose(rotation, by));
  let found = turned(frame);
  const isNearDown = rotate(inverse(frame), meanView)[2] < -Math.cos(NEAR_DOWN_RAD);
  const isOneView = length / group.length >= ONE_VIEW;
  const isDoubted = !(isOneView && isNearDown) && contradictsHeights(group, found, priors, inside);
  if (isOneView && (isNearDown || isDoubted)) {
    const level = alignToBaselines(evidence.map(flattened), meanView, { isDown: true });
    if (level !== undefined) found = turned(level);
  }
  const placed = group.filter((image) => {
    const rotation = found[image];
    if (rotation === undefined) return false;
    rotations[image] = rotation;
    return true;
  });
  return { placed, isUnlevelled: isDoubted && !isOneView };
}

const NOT_ALIGNED: AlignedGroup = { placed: [], isUnlevelled: false };

/** Whether heights scatter or drift beyond what such attitudes and positions explain. */
function contradictsHeights(
  group: readonly number[],
  rotations: readonly (Rotation | undefined)[],
  priors: readonly CameraPrior[],
  pairs: readonly VerifiedPair[],
): boolean {
  const turned = priors.map((prior, i) => ({ ...prior, rotation: rotations[i] }));
  return levelFlight(group, turned, pairs)?.agreement.isDoubted === true;
}

/** A baseline without its height. */
function flattened({ baseline, ...rest }: BaselineEvidence): BaselineEvidence {
  const length = Math.hypot(baseline[0], baseline[1]) || 1;
  return { ...rest, baseline: [baseline[0] / length, baseline[1] / length, 0] };
}
