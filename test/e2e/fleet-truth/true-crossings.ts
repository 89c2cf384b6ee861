import { type DateSpan, dateSpan, depthM } from "./date-span.ts";
import { placeAt, pointsBetween } from "./track.ts";
import type { TruthAsset, TruthFence } from "./truth.ts";

export type CrossingType = "entered" | "exited";

/**
 * Whether the fixes can show the crossing. `clear`: fixes on both sides of it lie farther
 * from the edge than noise reaches. `within_noise`: the stay, or the absence, that it began or ended never
 * went that far. `between_fixes`: it did, but no fix was taken meanwhile.
 */
export const VISIBILITIES = ["clear", "within_noise", "between_fixes"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** A machine truly crossed the edge of a fence, and the span in which a record of it is rightly dated. */
export interface TrueCrossing extends DateSpan {
  readonly assetId: string;
  readonly fenceId: string;
  readonly type: CrossingType;
  /** True time, ms since the Unix epoch; several where it went to and fro within the noise before it was over. */
  readonly timesMs: readonly number[];
  readonly visibility: Visibility;
}

/** Where a machine was when it was first heard: clearly in or out, or too near to the edge to say. */
export type StartSide = "inside" | "outside" | "unclear";

/** Everything true of one machine and one fence. */
export interface Passages {
  readonly start: StartSide;
  readonly crossings: readonly TrueCrossing[];
}

/** Standard deviations of one axis that noise hardly ever exceeds. */
const NOISE_DEVIATIONS = 3;

/**
 * How far beyond the edge a machine must be so that its fix shows it, metres. A rule that believes a fix only
 * where it lies farther from the edge than its accuracy must see it there, noise or not.
 */
export function noiseM({ accuracyM, sigmaM }: TruthAsset): number {
  return accuracyM + NOISE_DEVIATIONS * sigmaM;
}

interface Edge {
  readonly type: CrossingType;
  readonly atMs: number;
}

/** One machine, one fence of its project, and the edges that it went over, oldest first. */
interface Pair {
  readonly asset: TruthAsset;
  readonly fence: TruthFence;
  readonly edges: readonly Edge[];
}

/**
 * Says of every true crossing of one machine and one fence whether it could be seen. A crossing is clear
 * where the side of the fixes changes, passing over fixes within the noise. Of several crossings within
 * the noise one is clear, and the others are not.
 */
export function passagesOf(asset: TruthAsset, fence: TruthFence): Passages {
  const edges = edgesOf(asset, fence.id);
  const pair = { asset, fence, edges };
  const crossings: TrueCrossing[] = [];
  let side: CrossingType | undefined;
  let next = 0;
  let start: StartSide = "unclear";
  for (const atMs of asset.fixTimesMs) {
    const depth = depthM(placeAt(asset.track, atMs), fence);
    if (Math.abs(depth) < noiseM(asset)) continue;
    const now = depth > 0 ? "entered" : "exited";
    const first = next;
    while ((edges[next]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs) next += 1;
    const group = edges.slice(first, next);
    if (side === undefined) {
      if (atMs === asset.firstHeardMs) start = depth > 0 ? "inside" : "outside";
      else crossings.push(...unclearStart(pair, atMs));
    }
    if (side === undefined || side === now) crossings.push(...unclear(pair, group));
    else crossings.push(...overTo(pair, group, now));
    side = now;
  }
  if (side === undefined) crossings.push(...unclearStart(pair, Number.POSITIVE_INFINITY));
  crossings.push(...unclear(pair, edges.slice(next)));
  return { start, crossings };
}

/** The crossings between two clear fixes, of which the second is on the other side. */
function overTo(pair: Pair, group: readonly Edge[], to: CrossingType): readonly TrueCrossing[] {
  const { asset, fence } = pair;
  const over = group.filter(({ type }) => type === to);
  const [first] = over;
  if (first === undefined) throw new Error(`${asset.id} changed sides of ${fence.id} by no edge`);
  const clear: TrueCrossing = {
    ...{ assetId: asset.id, fenceId: fence.id, type: to, visibility: "clear" },
    timesMs: over.map(({ atMs }) => atMs),
    ...spanOf(pair, group),
  };
  const others = group.filter((edge) => edge !== first);
  return [clear, ...unclear(pair, others)];
}

/** Crossings that need not be seen: because they were too shallow, else because no fix was taken. */
function unclear(pair: Pair, group: readonly Edge[]): readonly TrueCrossing[] {
  const { asset, fence } = pair;
  const deepestM = (fromMs: number, toMs: number) =>
    pointsBetween(asset.track, fromMs, toMs).reduce(
      (deepest, point) => Math.max(deepest, Math.abs(depthM(point, fence))),
      0,
    );
  return group.map((edge): TrueCrossing => {
    const { fromMs, toMs } = neighboursOf(pair, [edge]);
    const reachM = Math.min(deepestM(fromMs, edge.atMs), deepestM(edge.atMs, toMs));
    return {
      ...{ assetId: asset.id, fenceId: fence.id, type: edge.type, timesMs: [edge.atMs] },
      visibility: reachM < noiseM(asset) ? "within_noise" : "between_fixes",
      ...spanOf(pair, [edge]),
    };
  });
}

/**
 * A machine whose first fix does not say where it is, being too near to the edge or no true one. The
 * mistake is noticed by the first clear fix and, where that is too far away to be believed, the next
 * one. What is recorded then is not a false crossing.
 */
function unclearStart({ asset, fence }: Pair, clearMs: number): readonly TrueCrossing[] {
  const [firstMs] = asset.fixTimesMs;
  if (firstMs === undefined) return [];
  const isInside = depthM(placeAt(asset.track, firstMs), fence) > 0;
  return [
    {
      ...{ assetId: asset.id, fenceId: fence.id, visibility: "within_noise" },
      ...{ type: isInside ? "entered" : "exited", timesMs: [firstMs] },
      ...{ fromMs: firstMs, toMs: asset.fixTimesMs.find((tMs) => tMs > clearMs) ?? clearMs },
    },
  ];
}

/** The dates that suit crossings that follow each other. */
function spanOf(pair: Pair, group: readonly Edge[]): DateSpan {
  const [firstMs, lastMs] = [group[0]?.atMs ?? 0, group.at(-1)?.atMs ?? 0];
  return dateSpan(pair.asset, pair.fence, [firstMs, lastMs], neighboursOf(pair, group));
}

/** From the edge before the group to the edge after it; the ends of the run where there is none. */
function neighboursOf({ asset, edges }: Pair, group: readonly Edge[]): DateSpan {
  const { timesMs } = asset.track;
  const first = edges.findIndex(({ atMs }) => atMs === group[0]?.atMs);
  const last = edges.findIndex(({ atMs }) => atMs === group.at(-1)?.atMs);
  return {
    fromMs: edges[first - 1]?.atMs ?? timesMs[0] ?? 0,
    toMs: edges[last + 1]?.atMs ?? timesMs.at(-1) ?? 0,
  };
}

/** The edges that the machine went over, oldest first. */
function edgesOf(asset: TruthAsset, fenceId: string): readonly Edge[] {
  return asset.visits
    .filter((visit) => visit.fenceId === fenceId)
    .flatMap(({ enteredMs, exitedMs }): Edge[] => [
      ...(enteredMs === undefined ? [] : [{ type: "entered" as const, atMs: enteredMs }]),
      ...(exitedMs === undefined ? [] : [{ type: "exited" as const, atMs: exitedMs }]),
    ])
    .sort((a, b) => a.atMs - b.atMs);
}
