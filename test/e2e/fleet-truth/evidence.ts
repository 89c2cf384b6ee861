import { depthM } from "./date-span.ts";
import type { FleetScore } from "./fleet-score.ts";
import { placeAt } from "./track.ts";
import { noiseM } from "./true-crossings.ts";
import type { FleetTruth } from "./truth.ts";

/** Most mistakes that are shown of a run, and fixes before and after each. */
const MOST = 10;
const FIXES_AROUND = 3;

/** The first mistakes of a run, each with where the machine truly was at the fixes around. */
export function evidenceText(truth: FleetTruth, { missed, wrong }: FleetScore): readonly string[] {
  return [
    ...missed
      .slice(0, MOST)
      .map((one) => `missed ${lineOf(truth, { ...one, atMs: one.timesMs[0] ?? 0 })}`),
    // A doubled crossing fails the run, so none of them is cut off.
    ...[
      ...wrong.filter(({ kind }) => kind === "doubled"),
      ...wrong.filter(({ kind }) => kind !== "doubled").slice(0, MOST),
    ].map(({ kind, atMs, record }) => `false (${kind}) ${lineOf(truth, { ...record, atMs })}`),
  ];
}

function lineOf(
  { assets, fences }: FleetTruth,
  one: { readonly assetId: string; readonly fenceId: string; type: string; readonly atMs: number },
): string {
  const asset = assets.find(({ id }) => id === one.assetId);
  const fence = fences.find(({ id }) => id === one.fenceId);
  const head = `${one.assetId} ${one.type} ${one.fenceId} at ${new Date(one.atMs).toISOString()}`;
  if (asset === undefined || fence === undefined) return `${head}: not in the truth`;
  const next = asset.fixTimesMs.findIndex((timeMs) => timeMs > one.atMs);
  const around = asset.fixTimesMs.slice(Math.max(0, next - FIXES_AROUND), next + FIXES_AROUND);
  const depths = around.map((timeMs) => {
    const seconds = ((timeMs - one.atMs) / 1_000).toFixed(0);
    return `${seconds} s ${depthM(placeAt(asset.track, timeMs), fence).toFixed(0)} m`;
  });
  const noise = `noise ${noiseM(asset).toFixed(1)} m, clock ${asset.clockSkewMs / 1_000} s`;
  return `${head} (${noise}); depth at fixes: ${depths.join(", ")}`;
}
