import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import type { MaintenanceState } from "../../maintenance/maintenance-state.ts";
import { type Meters, metersOf } from "../../maintenance/service-due.ts";
import {
  HOUR_METER,
  ODOMETER,
  readMeter,
  type UsageMeter,
  type UsageTotals,
} from "../../maintenance/usage-meter.ts";
import type { StageOutput } from "../stage.ts";

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

/** The machine's own meters read again, and everything that intervals are counted by. */
export interface MetersNow {
  readonly own: MaintenanceState["meters"];
  readonly meters: Meters;
}

/** Reads an asset's meters, going on from what is remembered of them. */
export function readMeters(
  { hours, km }: MaintenanceState["meters"],
  shown: { readonly hours: ShownMeter; readonly km: ShownMeter },
  accumulated: UsageTotals,
): MetersNow {
  const own = {
    hours: readAgain(hours, shown.hours, HOUR_METER),
    km: readAgain(km, shown.km, ODOMETER),
  };
  return { own, meters: metersOf(own, accumulated) };
}

function readAgain(
  before: UsageMeter | undefined,
  shown: ShownMeter,
  kind: Parameters<typeof readMeter>[2],
): UsageMeter | undefined {
  if (shown === undefined || shown.fixTimeMs === before?.atMs) return before;
  return readMeter(before, { shown: shown.value, atMs: shown.fixTimeMs }, kind);
}
