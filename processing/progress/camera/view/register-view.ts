import { type Agreement, agreementAt, texturedBlocks } from "./block-agreement.ts";
import { edgeMap } from "./edge-map.ts";
import { type FrameMap, fitFrameMap, isTurned, shiftedBy } from "./frame-map.ts";
import { type CorrelationPeak, correlationPeaks } from "./phase-correlation.ts";
import { FRAME } from "./view-frame.ts";

/** How a view lies against the reference view of a camera. */
export type Registration =
  /** The camera points where it did. */
  | {
      readonly kind: "registered";
      readonly map: FrameMap;
      /** Share of the reference's blocks that were found, 0 to 1. */
      readonly agreement: number;
    }
  /** It points elsewhere: the scene is there, shifted by more than {@link MOST_SHIFT}. */
  | { readonly kind: "moved"; readonly shiftShare: number; readonly agreement: number }
  /**
   * The scene is not found: fog, night, something before the lens, another place. Or so little of it that it
   * seems turned or zoomed: one picture in driving snow does not prove that, some in a row do.
   */
  | { readonly kind: "unclear"; readonly agreement: number };

/** Farthest that the content may lie aside, share of the picture's width (docs/progress-method.md#fixed-cameras). */
export const MOST_SHIFT = 0.1;
/**
 * Highest peaks of the correlation that are tried: each is a comparison of all blocks. Fewer lose views in which
 * a clock or a repeated facade has the higher peaks.
 */
const CANDIDATES = 6;
/**
 * How far beside a candidate blocks are searched for, pixels; then, around the best one. Time goes with the
 * square. Less loses the edges of turned views, more finds blocks by chance.
 */
const CANDIDATE_REACH = 2;
const FINE_REACH = 4;
/**
 * Share of the blocks that must be found again, and the share that is enough under a peak of so many standard
 * deviations. Measured on six simulated sites (simulators/camera-site): wrong places reach 0.30 and 10.4,
 * the right ones 0.41 and 22 in usual weather, 0.17 and 7 in driving snow.
 */
const LEAST_AGREEMENT = 0.35;
const CLEAR = { agreement: 0.2, sigmas: 14 } as const;
/**
 * Fewest blocks that a share is made of. Fewer, and two blocks found by chance are a match; more, and bare or
 * half-hidden views are unclear.
 */
const LEAST_COMPARED = 12;

/** A reference view, ready to be compared with. */
export interface Reference {
  readonly edges: Float32Array;
  readonly weights: Float32Array;
  readonly blocks: ReturnType<typeof texturedBlocks>;
}

/** `luminance` at frame size; `weights` 0 to 1: where the scene stays as it is. */
export function prepareReference(luminance: Float32Array, weights: Float32Array): Reference {
  const edges = edgeMap(luminance);
  return { edges, weights, blocks: texturedBlocks(edges, weights) };
}

/**
 * Finds how a view lies against a reference. The highest peaks of the phase correlation are candidates; the
 * one at which most of the reference's blocks are found again is taken, so that neither a clock that is
 * written into every picture nor a chance peak decides.
 * `aspect`: height of the picture over its width.
 */
export function registerView(
  reference: Reference,
  luminance: Float32Array,
  aspect: number,
): Registration {
  const view = edgeMap(luminance);
  const peaks = correlationPeaks(reference.edges, reference.weights, view, CANDIDATES);
  let best: { readonly peak: CorrelationPeak; readonly at: Agreement } | undefined;
  for (const peak of peaks) {
    const at = agreementAt(reference.blocks, view, peak, CANDIDATE_REACH);
    if (at.compared < LEAST_COMPARED) continue;
    if (best === undefined || at.share > best.at.share) best = { peak, at };
  }
  if (best === undefined) return { kind: "unclear", agreement: 0 };
  const agreement = best.at.share;
  const isClear =
    agreement >= LEAST_AGREEMENT ||
    (agreement >= CLEAR.agreement && best.peak.sigmas >= CLEAR.sigmas);
  if (!isClear) return { kind: "unclear", agreement };
  const { found } = agreementAt(reference.blocks, view, best.peak, FINE_REACH);
  const map = fitFrameMap(found) ?? shiftedBy(best.peak);
  const shiftShare = Math.hypot(map.dx / FRAME.width, (map.dy / FRAME.height) * aspect);
  if (shiftShare > MOST_SHIFT) return { kind: "moved", shiftShare, agreement };
  return isTurned(map) ? { kind: "unclear", agreement } : { kind: "registered", map, agreement };
}
