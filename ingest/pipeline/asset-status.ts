import type { AssetRegistration, AssetStatus } from "../../domain/asset.ts";
import { localDate, shiftSecondsElapsed } from "../../domain/local-time.ts";
import type { Project } from "../../domain/project.ts";
import type { AssetState } from "./asset-state.ts";
import { MAX_GAP_MS } from "./work.ts";

/**
 * The contract's status at `nowMs`: `maintenance` when a person said so or a critical alert is open;
 * else work seen within the last 5 min makes an asset active.
 */
export function assetStatus(
  asset: AssetRegistration,
  state: AssetState | undefined,
  nowMs: number,
): AssetStatus {
  if (asset.maintenance || state?.hasCriticalAlert) return "maintenance";
  if (state === undefined) return "idle";
  return nowMs - state.lastWorkedAtMs <= MAX_GAP_MS ? "active" : "idle";
}

/**
 * Working seconds inside the shift since local midnight / shift seconds elapsed since then x 100;
 * 0 to 100, one decimal; 0 while none has elapsed or nothing was reported today.
 */
export function utilizationToday(
  project: Project,
  state: AssetState | undefined,
  nowMs: number,
): number {
  const today = state?.today;
  if (today === undefined || today.day !== localDate(project.time_zone, nowMs)) return 0;
  const elapsedS = shiftSecondsElapsed(project, nowMs);
  if (elapsedS <= 0) return 0;
  return Math.min(100, Math.round((today.workingS / elapsedS) * 1000) / 10);
}
