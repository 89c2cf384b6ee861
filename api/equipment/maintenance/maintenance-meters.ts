import type { AssetId } from "../../../domain/ids.ts";
import { localDate } from "../../../domain/local-time.ts";
import type { Project } from "../../../domain/project.ts";
import { DAY_MS, MINUTE_MS } from "../../../domain/time.ts";
import type { AssetState } from "../../../ingest/asset-state/asset-state.ts";
import { METER_FIELDS } from "../../../ingest/stages/maintenance/watched-asset.ts";
import type { ServiceRow } from "../../../storage/ports/equipment/maintenance.ts";
import type { PipelineRecords } from "../../../storage/ports/pipeline.ts";
import type { TelemetryStore } from "../../../storage/ports/telemetry-store.ts";

/**
 * A service dated this little back was done at the meters of now, ms: half a tenth of an hour, below what
 * meters show; longer counts work after a service as before it.
 */
const NOW_MS = 3 * MINUTE_MS;
/**
 * How far back a machine's last reading is searched for before a service, days, each of which is a read;
 * fewer leave out machines that were away for weeks.
 */
const MAX_DAYS_BACK = 31;

/** The meters of a service. */
export type ServiceMeters = Pick<ServiceRow, "engineHours" | "hoursSource" | "odometerKm">;

export interface MeterSources {
  readonly telemetry: Pick<TelemetryStore, "read">;
  readonly pipeline: Pick<PipelineRecords, "days" | "engineOnS">;
}

/**
 * What an asset's meters showed when a service was done at `atMs`: the machine's own where it reports
 * them, looked up in its readings when the service lies back. Our own sum is kept by day: for an earlier
 * service it is that of the midnight before, so that a service falls due a day early rather than late.
 */
export async function metersAt(
  state: AssetState | undefined,
  project: Project,
  atMs: number,
  nowMs: number,
  sources: MeterSources,
): Promise<ServiceMeters> {
  if (state === undefined)
    return { engineHours: undefined, hoursSource: undefined, odometerKm: undefined };
  const isNow = nowMs - atMs <= NOW_MS;
  const shown = async (field: string): Promise<number | undefined> => {
    if (state.latest[field] === undefined) return undefined;
    return isNow
      ? state.latest[field].value
      : lastBefore(state.assetId, field, atMs, sources.telemetry);
  };
  const odometerKm = await shown(METER_FIELDS.km);
  // Neither a meter nor a sum of ours: 0 hours would be a figure that nobody measured.
  if (state.engineHours === undefined) {
    return { engineHours: undefined, hoursSource: undefined, odometerKm };
  }
  if (state.engineHours.source === "machine") {
    const engineHours = await shown(METER_FIELDS.hours);
    return {
      engineHours,
      hoursSource: engineHours === undefined ? undefined : "machine",
      odometerKm,
    };
  }
  const engineHours = isNow
    ? state.engineHours.value
    : await sumBefore(state.assetId, localDate(project.time_zone, atMs), sources.pipeline);
  return { engineHours, hoursSource: "accumulated", odometerKm };
}

/** The newest value of a field at or before `atMs`. */
async function lastBefore(
  assetId: AssetId,
  field: string,
  atMs: number,
  telemetry: MeterSources["telemetry"],
): Promise<number | undefined> {
  for (let day = 0; day < MAX_DAYS_BACK; day += 1) {
    const toMs = atMs + 1 - day * DAY_MS;
    const series = await telemetry.read({ assetId, fromMs: toMs - DAY_MS, toMs, fields: [field] });
    const value = series.columns.get(field)?.findLast((one) => !Number.isNaN(one));
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Engine hours of all local days before `day`. */
async function sumBefore(
  assetId: AssetId,
  day: string,
  pipeline: MeterSources["pipeline"],
): Promise<number> {
  const [totalS, since] = await Promise.all([
    pipeline.engineOnS(assetId),
    pipeline.days(assetId, day, "9999-12-31"),
  ]);
  const sinceS = since.reduce((sum, { engineOnS }) => sum + engineOnS, 0);
  return Math.round((Math.max(0, totalS - sinceS) / 3_600) * 100) / 100;
}
