import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { StageOutput } from "../pipeline/stage.ts";
import type { MaintenanceState } from "./maintenance-state.ts";
import { type Meters, metersOf } from "./service-due.ts";
import { HOUR_METER, ODOMETER, readMeter, type UsageMeter } from "./usage-meter.ts";

/** An asset as maintenance sees it. */
export interface WatchedAsset {
  readonly assetId: AssetId;
  /** The asset's project now: its alerts go with the machine. */
  readonly projectId: ProjectId;
  readonly name: string;
  readonly state: MaintenanceState;
}

/** Where what is found goes; a part of the pipeline's output. */
export type MaintenanceOutput = Pick<StageOutput, "raise" | "alert">;

/** Newest value of a telemetry field and its fix time. */
export type ShownMeter = { readonly value: number; readonly fixTimeMs: number } | undefined;

/** Telemetry fields of the machine's own cumulative meters. */
export const METER_FIELDS = { hours: "engine_hours", km: "odometer_km" } as const;

/** Reads the asset's meters; `wasReplaced`: what was remembered of them must be stored. */
export function readMeters(
  state: MaintenanceState,
  shown: { readonly hours: ShownMeter; readonly km: ShownMeter },
  accumulated: { readonly hours: number; readonly km: number },
): { readonly meters: Meters; readonly wasReplaced: boolean } {
  const { hours, km } = state.meters;
  const now = {
    hours: readAgain(hours, shown.hours, HOUR_METER),
    km: readAgain(km, shown.km, ODOMETER),
  };
  state.meters = now;
  return {
    meters: metersOf(now, accumulated),
    wasReplaced: now.hours?.offset !== hours?.offset || now.km?.offset !== km?.offset,
  };
}

function readAgain(
  before: UsageMeter | undefined,
  shown: ShownMeter,
  kind: Parameters<typeof readMeter>[2],
): UsageMeter | undefined {
  if (shown === undefined || shown.fixTimeMs === before?.atMs) return before;
  return readMeter(before, { shown: shown.value, atMs: shown.fixTimeMs }, kind);
}
