import { SIGMAS_95 } from "../../../domain/sites/measurement.ts";
import { type BaseChoice, stockpileStatus } from "../../../domain/sites/stockpile.ts";
import { rounded } from "../../../processing/numeric/rounding.ts";
import type { ListedStockpile } from "../../../storage/ports/sites/stockpiles.ts";
import { ringGeometry } from "../../representations/ring-geometry.ts";
import type { CsvColumns } from "../../representations/send-list.ts";
import type { SurfaceUrl } from "../../representations/surface-urls.ts";
import { polygonOf } from "../../schemas/polygon.ts";
import type { Base, Stockpile } from "./stockpile-schemas.ts";

/** A stockpile as the API shows it: the contract's fields first. */
export function stockpileView(stockpile: ListedStockpile, surfaceUrl: SurfaceUrl): Stockpile {
  const { measurement_id, current_sigma_m3: sigmaM3, density_t_per_m3 } = stockpile;
  const { footprint, geofence_id } = stockpile;
  return {
    id: stockpile.id,
    material: stockpile.material,
    location: stockpile.location,
    current_volume_m3: stockpile.current_volume_m3,
    max_capacity_m3: stockpile.max_capacity_m3,
    last_measured: stockpile.last_measured,
    status: statusOf(stockpile),
    project_id: stockpile.project_id,
    volume_basis: stockpile.volume_basis,
    is_outdated: stockpile.volume_basis === "measured" && !stockpile.has_datum,
    ...(measurement_id === undefined ? {} : { measurement_id }),
    ...(sigmaM3 === undefined ? {} : { uncertainty_95_m3: rounded(SIGMAS_95 * sigmaM3, 3) }),
    ...(density_t_per_m3 === undefined
      ? {}
      : {
          tonnes: rounded(stockpile.current_volume_m3 * density_t_per_m3, 3),
          density_t_per_m3,
        }),
    thresholds: stockpile.thresholds,
    ...(footprint === undefined ? {} : { footprint: polygonOf(footprint) }),
    footprint_status: stockpile.footprint_state,
    base: baseView(stockpile.base, surfaceUrl),
    ...(geofence_id === undefined ? {} : { geofence_id }),
    created_at: stockpile.created_at,
    updated_at: stockpile.updated_at,
  };
}

/** A stockpile as a GeoJSON Feature (RFC 7946); its geometry is the footprint, or null without one. */
export function stockpileFeature(stockpile: ListedStockpile, surfaceUrl: SurfaceUrl): object {
  const { id, footprint: _, ...properties } = stockpileView(stockpile, surfaceUrl);
  const { footprint } = stockpile;
  const geometry = footprint === undefined ? null : ringGeometry(footprint);
  return { type: "Feature", id, geometry, properties };
}

/** The columns of a list of stockpiles; the footprint as WKT, which GIS programs read. */
export const STOCKPILE_COLUMNS: CsvColumns<ListedStockpile> = {
  id: (stockpile) => stockpile.id,
  material: (stockpile) => stockpile.material,
  location: (stockpile) => stockpile.location,
  current_volume_m3: (stockpile) => stockpile.current_volume_m3,
  max_capacity_m3: (stockpile) => stockpile.max_capacity_m3,
  last_measured: (stockpile) => stockpile.last_measured,
  status: (stockpile) => statusOf(stockpile),
  project_id: (stockpile) => stockpile.project_id,
  volume_basis: (stockpile) => stockpile.volume_basis,
  is_outdated: (stockpile) => stockpileView(stockpile, noUrl).is_outdated,
  measurement_id: (stockpile) => stockpile.measurement_id,
  uncertainty_95_m3: (stockpile) => stockpileView(stockpile, noUrl).uncertainty_95_m3,
  tonnes: (stockpile) => stockpileView(stockpile, noUrl).tonnes,
  density_t_per_m3: (stockpile) => stockpile.density_t_per_m3,
  footprint_status: (stockpile) => stockpile.footprint_state,
  base_method: (stockpile) => stockpile.base.method,
  geofence_id: (stockpile) => stockpile.geofence_id,
  created_at: (stockpile) => stockpile.created_at,
  updated_at: (stockpile) => stockpile.updated_at,
  footprint_wkt: ({ footprint }) =>
    footprint && `POLYGON((${footprint.map(([lon, lat]) => `${lon} ${lat}`).join(",")}))`,
};

const noUrl: SurfaceUrl = () => undefined;

const statusOf = (stockpile: ListedStockpile): Stockpile["status"] =>
  stockpileStatus(stockpile, stockpile.current_volume_m3);

function baseView(base: BaseChoice, surfaceUrl: SurfaceUrl): Base {
  if (base.method === "level") return { method: "level", height_m: base.height_m };
  if (base.method !== "survey") return { method: base.method };
  const surface_url = surfaceUrl(base.surface_key);
  return {
    method: "survey",
    ...(surface_url === undefined ? {} : { surface_url }),
    ...(base.height_unit === undefined ? {} : { surface_height_unit: base.height_unit }),
  };
}
