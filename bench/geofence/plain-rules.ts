import type { FenceFix } from "../../ingest/geofence/crossing.ts";

/** A rule that uses only the distance to the edge; the evaluator is compared with it. */
export interface PlainRule {
  /** Distance beyond the edge at which one fix is enough: this many accuracies, and at least so many metres. */
  readonly sureAccuracies: number;
  readonly sureM: number;
  /** Fixes in a row beyond the edge by their accuracy that are enough; `Infinity`: never. */
  readonly inARow: number;
}

/** Every fix is believed. */
export const SET_DIFFERENCE: PlainRule = { sureAccuracies: 0, sureM: 0, inARow: 1 };
/** The rule as it was first designed: one accuracy beyond the edge is enough, without a buffer. */
export const DESIGN_RULE: PlainRule = { sureAccuracies: 1, sureM: 10, inARow: 2 };
export const ONCE_ACCURACY: PlainRule = { ...DESIGN_RULE, inARow: Number.POSITIVE_INFINITY };
export const TWICE_ACCURACY: PlainRule = { ...ONCE_ACCURACY, sureAccuracies: 2 };

/** Pairs of crossings that the rule finds; `insideM`: metres to the edge, positive inside. */
export function pairsByRule(
  { sureAccuracies, sureM, inARow }: PlainRule,
  fixes: readonly { readonly insideM: number; readonly fix: FenceFix }[],
): number {
  let isIn = (fixes[0]?.insideM ?? 0) >= 0;
  let crossings = 0;
  let count = 0;
  for (const { insideM, fix } of fixes) {
    const beyondM = isIn ? -insideM : insideM;
    const isPlain = sureAccuracies === 0;
    count = beyondM > (isPlain ? 0 : fix.accuracyM) ? count + 1 : 0;
    const isSure = beyondM > Math.max(sureAccuracies * fix.accuracyM, sureM);
    if (!isSure && count < inARow) continue;
    isIn = !isIn;
    crossings += 1;
    count = 0;
  }
  return crossings / 2;
}
