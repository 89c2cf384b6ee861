import type { GeofenceId, MeasurementId, ProjectId, StockpileId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import type { StockpileMeasurement } from "../../../domain/sites/measurement.ts";
import {
  type BaseChoice,
  type FootprintState,
  materialKey,
  type Stockpile,
  type StockpileThresholds,
} from "../../../domain/sites/stockpile.ts";
import type { ListedStockpile } from "../../ports/sites/stockpiles.ts";
import type { SqlValue } from "../sql/database.ts";
import { msOf } from "../sql/times.ts";

/** A row of `stockpiles` without its datum. */
export type StoredStockpile = {
  readonly id: string;
  readonly project_id: string;
  readonly material: string;
  readonly location: string;
  readonly max_capacity_m3: number;
  readonly density_t_per_m3: number | null;
  readonly thresholds: StockpileThresholds;
  readonly footprint: Stockpile["footprint"] | null;
  readonly footprint_state: FootprintState;
  readonly base: BaseChoice;
  readonly geofence_id: string | null;
  readonly current_volume_m3: number;
  readonly current_sigma_m3: number | null;
  readonly volume_basis: Stockpile["volume_basis"];
  readonly measurement_id: string | null;
  readonly last_measured_ms: number;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
};

/** Columns of `StoredStockpile`, in the order of `stockpileValues`. */
export const STOCKPILE_COLUMNS = `id, project_id, material, location, max_capacity_m3,
  density_t_per_m3, thresholds, footprint, footprint_state, base, geofence_id, current_volume_m3,
  current_sigma_m3, volume_basis, measurement_id, last_measured_ms, created_at_ms, updated_at_ms`;

/** The values of `STOCKPILE_COLUMNS`, of `datum` and of `material_key`: `$1` to `$20`. */
export function stockpileValues(stockpile: Stockpile): readonly SqlValue[] {
  return [
    stockpile.id,
    stockpile.project_id,
    stockpile.material,
    stockpile.location,
    stockpile.max_capacity_m3,
    stockpile.density_t_per_m3 ?? null,
    JSON.stringify(stockpile.thresholds),
    jsonOrNull(stockpile.footprint),
    stockpile.footprint_state,
    JSON.stringify(stockpile.base),
    stockpile.geofence_id ?? null,
    stockpile.current_volume_m3,
    stockpile.current_sigma_m3 ?? null,
    stockpile.volume_basis,
    stockpile.measurement_id ?? null,
    msOf(stockpile.last_measured),
    msOf(stockpile.created_at),
    msOf(stockpile.updated_at),
    jsonOrNull(stockpile.datum),
    materialKey(stockpile.material),
  ];
}

export const toListed = (
  row: StoredStockpile & { readonly has_datum: boolean },
): ListedStockpile => ({ ...fieldsOf(row), has_datum: row.has_datum });

function fieldsOf(row: StoredStockpile): Omit<Stockpile, "datum"> {
  return {
    id: row.id as StockpileId,
    project_id: row.project_id as ProjectId,
    material: row.material,
    location: row.location,
    max_capacity_m3: row.max_capacity_m3,
    density_t_per_m3: row.density_t_per_m3 ?? undefined,
    thresholds: row.thresholds,
    footprint: row.footprint ?? undefined,
    footprint_state: row.footprint_state,
    base: row.base,
    geofence_id: (row.geofence_id as GeofenceId | null) ?? undefined,
    current_volume_m3: row.current_volume_m3,
    current_sigma_m3: row.current_sigma_m3 ?? undefined,
    volume_basis: row.volume_basis,
    measurement_id: (row.measurement_id as MeasurementId | null) ?? undefined,
    last_measured: isoTime(row.last_measured_ms),
    created_at: isoTime(row.created_at_ms),
    updated_at: isoTime(row.updated_at_ms),
  };
}

export function toStockpile(row: StoredStockpile & { readonly datum: unknown }): Stockpile {
  return { ...fieldsOf(row), datum: row.datum ?? undefined };
}

/** The values of `id, stockpile_id, job_id, measured_at_ms, recorded_at_ms, body`. */
export function measurementValues(measurement: StockpileMeasurement): readonly SqlValue[] {
  const { id, stockpile_id, job_id, measured_at, recorded_at } = measurement;
  const body = JSON.stringify(measurement);
  return [id, stockpile_id, job_id, msOf(measured_at), msOf(recorded_at), body];
}

const jsonOrNull = (value: unknown): string | null =>
  value === undefined ? null : JSON.stringify(value);
