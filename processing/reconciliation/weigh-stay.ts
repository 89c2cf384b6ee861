import { MEDIAN_ERROR, type PayloadLevel, type PayloadWindow } from "./payload-level.ts";
import type { Stay } from "./stays.ts";
import type { WeighingErrors } from "./weighing-errors.ts";

/** `brought` to the pile, `taken` from it, `none`: left as it came, `unknown`: not weighed. */
export const LOAD_KINDS = ["brought", "taken", "none", "unknown"] as const;
export type LoadKind = (typeof LOAD_KINDS)[number];

/** `good`: both ends weighed while driving across the fence; `low`: see the remarks; `none`: not weighed. */
export const LOAD_CONFIDENCES = ["good", "low", "none"] as const;
export type LoadConfidence = (typeof LOAD_CONFIDENCES)[number];

/** A stay that is over, and what it moved. */
export interface Load {
  readonly stay: Stay & { readonly exitedMs: number };
  readonly kind: LoadKind;
  /** What was carried in and out; `undefined`: no reading says. */
  readonly before: PayloadLevel | undefined;
  readonly after: PayloadLevel | undefined;
  /** Carried in less carried out, kilograms; 0 where that is not a load, `NaN` where it is unknown. */
  readonly movedKg: number;
  /** One standard deviation of it, without the error of the machine's scale factor; 0 or `NaN` alike. */
  readonly sigmaKg: number;
  readonly confidence: LoadConfidence;
  /** Why the confidence is not good, in words. */
  readonly remarks: readonly string[];
}

/**
 * How far from a crossing a reading may be to say what was carried across, ms. More may take the next load for
 * this one, less leaves loads of slow senders unweighed.
 */
export const REACH_MS = 600_000;
/**
 * A change is a load from this many standard deviations of its weighing on. Less counts noise as loads, more
 * misses light ones.
 */
const LOAD_SIGMAS = 3;
/**
 * A reading farther from the crossing than this, ms, lowers the confidence. More calls weighings good that others
 * may have overtaken, less doubts those of slow senders.
 */
const NEAR_MS = 60_000;

/**
 * Where what a stay carried in and out is to be read: outside of the fence where the machine crossed it,
 * and not beyond the machine's neighbouring stays; inside where something else began or ended the stay
 * (first fix, fence changed, asset deleted), for then nothing was carried across.
 */
export function payloadWindows(stay: Load["stay"]): {
  readonly before: PayloadWindow;
  readonly after: PayloadWindow;
} {
  const { enteredMs, exitedMs, freeFromMs, freeToMs } = stay;
  return {
    before:
      stay.entryCause === "crossing"
        ? {
            fromMs: Math.max(freeFromMs, enteredMs - REACH_MS),
            toMs: enteredMs,
            atMs: enteredMs,
          }
        : { fromMs: enteredMs, toMs: Math.min(exitedMs, enteredMs + REACH_MS), atMs: enteredMs },
    after:
      stay.exitCause === "crossing"
        ? { fromMs: exitedMs, toMs: Math.min(freeToMs, exitedMs + REACH_MS), atMs: exitedMs }
        : { fromMs: Math.max(enteredMs, exitedMs - REACH_MS), toMs: exitedMs, atMs: exitedMs },
  };
}

/** What a stay moved, by what the machine carried when it came and when it left. */
export function weighStay(
  stay: Load["stay"],
  before: PayloadLevel | undefined,
  after: PayloadLevel | undefined,
  errors: WeighingErrors,
): Load {
  const remarks = remarksOn(stay, before, after);
  if (before === undefined || after === undefined) {
    const unknown = { kind: "unknown", movedKg: Number.NaN, sigmaKg: Number.NaN } as const;
    return { stay, before, after, ...unknown, confidence: "none", remarks };
  }
  const movedKg = before.kg - after.kg;
  const sigmaKg = Math.hypot(levelSigmaKg(before, errors), levelSigmaKg(after, errors));
  const isLoad = Math.abs(movedKg) >= Math.max(errors.leastLoadKg, LOAD_SIGMAS * sigmaKg);
  const kind = !isLoad ? "none" : movedKg > 0 ? "brought" : "taken";
  return {
    stay,
    kind,
    before,
    after,
    movedKg: isLoad ? movedKg : 0,
    sigmaKg: isLoad ? sigmaKg : 0,
    confidence: remarks.length === 0 ? "good" : "low",
    remarks,
  };
}

/**
 * One standard deviation: that of the weighing, and what scatter (bouncing) leaves in the median; all of
 * the scatter where the payload was changing.
 */
function levelSigmaKg(
  { kg, spreadKg, readings, isSteady }: PayloadLevel,
  { loadShare }: WeighingErrors,
): number {
  const medianSigmaKg = (MEDIAN_ERROR * spreadKg) / Math.sqrt(readings);
  return Math.hypot(loadShare * kg, isSteady ? medianSigmaKg : spreadKg);
}

function remarksOn(
  stay: Load["stay"],
  before: PayloadLevel | undefined,
  after: PayloadLevel | undefined,
): readonly string[] {
  return [
    ...endRemarks("before entry", "entry", stay.entryCause, before),
    ...endRemarks("after exit", "exit", stay.exitCause ?? "", after),
    ...(stay.inferred
      ? ["the stay itself was not seen, only fixes on both sides of the fence"]
      : []),
  ];
}

function endRemarks(
  when: string,
  end: string,
  cause: string,
  level: PayloadLevel | undefined,
): readonly string[] {
  const remarks = cause === "crossing" ? [] : [`${end} by ${cause}, not across the fence`];
  if (level === undefined) return [...remarks, `no payload_kg within 10 min ${when}`];
  if (level.distanceMs > NEAR_MS) {
    remarks.push(`nearest payload_kg ${Math.round(level.distanceMs / 1_000)} s ${when}`);
  }
  if (!level.isSteady) remarks.push(`payload_kg was changing ${when}`);
  return remarks;
}
