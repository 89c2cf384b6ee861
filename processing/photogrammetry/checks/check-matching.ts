import { LIMITS } from "../../gates/gate-thresholds.ts";
import type { GateFinding } from "../../gates/gates.ts";
import { asPercent } from "../../numeric/rounding.ts";
import type { FailedPair, VerifiedPair } from "../matching/verified-pair.ts";

/** The matched block as the gates see it. */
export interface MatchedBlock {
  /** Names of the images that were matched, by index. */
  readonly names: readonly string[];
  readonly pairs: readonly VerifiedPair[];
  readonly failed: readonly FailedPair[];
  /**
   * Share of an image that its neighbour should show by the tags (`overlapByTags`), 0 to 1. `undefined`:
   * there are no positions, so pairs were tried blindly and most of them do not match.
   */
  readonly expectedOverlap: number | undefined;
}

export interface MatchingCheck {
  readonly findings: readonly GateFinding[];
  /** Images outside the largest connected block, or held by too few pairs. */
  readonly leftOut: readonly number[];
}

/**
 * Gates WEAK_TEXTURE, DISCONNECTED and NO_OVERLAP, in the order in which one explains the next. Images
 * that hardly match lack texture, unless their tags say that they do not show the same ground.
 */
export function checkMatching({
  names,
  pairs,
  failed,
  expectedOverlap,
}: MatchedBlock): MatchingCheck {
  const findings: GateFinding[] = [];
  const count = names.length;
  const tried = pairs.length + failed.length;
  const inliers = pairs.reduce((sum, pair) => sum + pair.matches.length / 2, 0);
  const meanInliers = pairs.length === 0 ? 0 : inliers / pairs.length;
  const isBlind = expectedOverlap === undefined;
  const verifiedShare = tried === 0 ? 0 : pairs.length / tried;
  const hasFewMatches = tried > 0 && meanInliers < LIMITS.inliersOfPair;
  if (hasFewMatches || (!isBlind && verifiedShare < LIMITS.verifiedShare)) {
    if (!isBlind && expectedOverlap < LIMITS.expectedOverlap) {
      findings.push(noOverlap(asPercent(expectedOverlap)));
    } else if (hasFewMatches) {
      findings.push(
        weakTexture(Math.round(meanInliers), LIMITS.inliersOfPair, "matches in a pair"),
      );
    } else {
      const [value, threshold] = [asPercent(verifiedShare), asPercent(LIMITS.verifiedShare)];
      findings.push(weakTexture(value, threshold, "% of the pairs match"));
    }
  }

  const block = largestBlock(count, pairs);
  const held = new Int32Array(count);
  for (const { first, second } of pairs) {
    held[first] = (held[first] ?? 0) + 1;
    held[second] = (held[second] ?? 0) + 1;
  }
  const all = names.map((_, i) => i);
  const outside = all.filter((i) => !block.has(i));
  const loose = all.filter((i) => block.has(i) && (held[i] ?? 0) < LIMITS.pairsOfImage);
  const connectedShare = block.size / Math.max(1, count);
  const tooFew = block.size - loose.length < LIMITS.fewestImages;
  if (outside.length > 0) {
    const isBroken = connectedShare < LIMITS.connectedShare || tooFew;
    findings.push({
      gate: "DISCONNECTED",
      severity: isBroken ? "reject" : "warn",
      value: asPercent(connectedShare),
      threshold: asPercent(LIMITS.connectedShare),
      unit: "% of the images hang together",
      advice:
        "Parts of the survey share no ground: close the gap with more images, or process them apart.",
      images: outside.map((i) => names[i] ?? ""),
    });
  }
  if (loose.length > 0 || tooFew) {
    findings.push({
      gate: "NO_OVERLAP",
      severity: tooFew ? "reject" : "warn",
      value: loose.length === 0 ? block.size : LIMITS.pairsOfImage - 1,
      threshold: loose.length === 0 ? LIMITS.fewestImages : LIMITS.pairsOfImage,
      unit: loose.length === 0 ? "images" : "neighbours",
      advice: "Fly with 75 % overlap along and 65 % across; these images see too little in common.",
      images: (tooFew ? all : loose).map((i) => names[i] ?? ""),
    });
  }
  return { findings, leftOut: [...outside, ...loose].sort((a, b) => a - b) };
}

function noOverlap(value: number): GateFinding {
  return {
    gate: "NO_OVERLAP",
    severity: "reject",
    value,
    threshold: asPercent(LIMITS.expectedOverlap),
    unit: "% of an image lies within its neighbour, by their positions",
    advice: "Fly with 75 % overlap along and 65 % across, so that three images show each place.",
    images: [],
  };
}

function weakTexture(value: number, threshold: number, unit: string): GateFinding {
  return {
    gate: "WEAK_TEXTURE",
    severity: "reject",
    value,
    threshold,
    unit,
    advice:
      "The ground has too little texture: fly lower, with more overlap, in even light; snow, water, " +
      "fresh concrete and leaves in the wind cannot be measured.",
    images: [],
  };
}

/** Images of the largest set that hangs together by pairs; of equal ones the first. */
function largestBlock(count: number, pairs: readonly VerifiedPair[]): ReadonlySet<number> {
  const parent = Int32Array.from({ length: count }, (_, i) => i);
  const rootOf = (i: number): number => {
    let root = i;
    while (parent[root] !== root) root = parent[root] ?? root;
    parent[i] = root;
    return root;
  };
  for (const { first, second } of pairs) {
    const [a, b] = [rootOf(first), rootOf(second)];
    parent[Math.max(a, b)] = Math.min(a, b);
  }
  const blocks = new Map<number, Set<number>>();
  for (let i = 0; i < count; i += 1) {
    const block = blocks.get(rootOf(i)) ?? new Set();
    blocks.set(rootOf(i), block.add(i));
  }
  return [...blocks.values()].reduce((a, b) => (b.size > a.size ? b : a), new Set<number>());
}
