import type { ActiveFault } from "../../maintenance/fault-book.ts";
import { newMaintenanceState } from "../../maintenance/maintenance-state.ts";
import type { Baseline } from "../../maintenance/service-due.ts";
import type { AssetTrack } from "../../track/asset-track.ts";
import type { Exceedance } from "../../track/exceedance.ts";
import { usageTotals } from "../../utilization/usage-totals.ts";
import { METER_FIELDS, type MetersNow, readMeters } from "./watched-asset.ts";

/** What the API shows of an asset's maintenance; replaced, never changed in place. */
export interface MaintenanceView extends MetersNow {
  /** Where each item's interval is counted from, as far as the pipeline has met it. */
  readonly baselines: ReadonlyMap<string, Baseline>;
  readonly faults: readonly ActiveFault[];
  /** Limits that are exceeded. */
  readonly exceedances: readonly Exceedance[];
}

/** What there is of an asset that was never heard of. */
export const NO_MAINTENANCE: MaintenanceView = {
  ...readMeters(
    newMaintenanceState().meters,
    { hours: undefined, km: undefined },
    { hours: 0, km: 0, knowsHours: false, knowsKm: false },
  ),
  baselines: new Map(),
  faults: [],
  exceedances: [],
};

/** The asset's meters as of its newest readings. */
export function metersNow(track: AssetTrack): MetersNow {
  const shown = {
    hours: track.latest.get(METER_FIELDS.hours),
    km: track.latest.get(METER_FIELDS.km),
  };
  return readMeters(track.maintenance.meters, shown, usageTotals(track));
}

export function maintenanceView(track: AssetTrack): MaintenanceView {
  const { faults, services } = track.maintenance;
  return {
    ...metersNow(track),
    baselines: new Map(Array.from(services, ([item, { baseline }]) => [item, baseline])),
    faults: [...faults.values()],
    exceedances: track.exceedances.filter(({ cleared }) => cleared === undefined),
  };
}
