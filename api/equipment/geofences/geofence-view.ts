import type { Geofence as Fence, LonLat } from "../../../domain/geometry/geofence.ts";
import { ringGeometry } from "../../representations/ring-geometry.ts";
import type { CsvColumns } from "../../representations/send-list.ts";
import { drawnView } from "../../schemas/drawn-shape.ts";
import { polygonOf } from "../../schemas/polygon.ts";
import type { Geofence } from "./geofence-schemas.ts";

/** A fence as the API shows it. */
export function geofenceView(fence: Fence): Geofence {
  return {
    id: fence.id,
    name: fence.name,
    status: "active",
    area_sqm: fence.area_sqm,
    project_id: fence.project_id,
    kind: fence.kind,
    polygon: polygonOf(fence.ring),
    shape: fence.drawn?.type ?? "polygon",
    ...(fence.drawn === undefined ? {} : drawnView(fence.drawn)),
    alert_on: [...fence.alert_on],
    ...fence.rules,
    created_at: fence.created_at,
    updated_at: fence.updated_at,
  };
}

/** The columns of a list of fences; the outline as WKT, which GIS programs read. */
export const GEOFENCE_COLUMNS: CsvColumns<Fence> = {
  id: (fence) => fence.id,
  name: (fence) => fence.name,
  status: () => "active",
  area_sqm: (fence) => fence.area_sqm,
  project_id: (fence) => fence.project_id,
  kind: (fence) => fence.kind,
  alert_on: (fence) => fence.alert_on.join(" "),
  exit_buffer_m: (fence) => fence.rules.exit_buffer_m,
  confirm_fixes: (fence) => fence.rules.confirm_fixes,
  min_dwell_s: (fence) => fence.rules.min_dwell_s,
  created_at: (fence) => fence.created_at,
  updated_at: (fence) => fence.updated_at,
  polygon_wkt: (fence) => `POLYGON((${wktOf(fence.ring)}))`,
  shape: (fence) => fence.drawn?.type ?? "polygon",
  drawn_wkt: ({ drawn }) => {
    if (drawn === undefined) return "";
    return drawn.type === "circle"
      ? `POINT(${wktOf([drawn.centre])})`
      : `LINESTRING(${wktOf(drawn.line)})`;
  },
  radius_m: ({ drawn }) => (drawn?.type === "circle" ? drawn.radius_m : ""),
  width_m: ({ drawn }) => (drawn?.type === "corridor" ? drawn.width_m : ""),
};

const wktOf = (positions: readonly LonLat[]): string =>
  positions.map(([lonDeg, latDeg]) => `${lonDeg} ${latDeg}`).join(",");

/** A fence as a GeoJSON Feature (RFC 7946); its geometry is [longitude, latitude]. */
export function geofenceFeature(fence: Fence): object {
  const { id, polygon: _, ...properties } = geofenceView(fence);
  return { type: "Feature", id, geometry: ringGeometry(fence.ring), properties };
}
