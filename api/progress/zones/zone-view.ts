import type { WorkZone, ZoneSurface } from "../../../domain/sites/work-zone.ts";
import { ringGeometry } from "../../representations/ring-geometry.ts";
import type { CsvColumns } from "../../representations/send-list.ts";
import type { SurfaceUrl } from "../../representations/surface-urls.ts";
import { polygonOf } from "../../schemas/polygon.ts";
import type { Surface, Zone } from "./zone-schemas.ts";

/** A work zone as the API shows it. */
export function zoneView(zone: WorkZone, surfaceUrl: SurfaceUrl): Zone {
  const { polygon, baseline, design, weight, activities } = zone;
  return {
    id: zone.id,
    project_id: zone.project_id,
    name: zone.name,
    ...(polygon === undefined ? {} : { polygon: polygonOf(polygon) }),
    metric: metricView(zone),
    ...(baseline === undefined ? {} : { baseline: surfaceView(baseline, surfaceUrl) }),
    ...(design === undefined ? {} : { design: surfaceView(design, surfaceUrl) }),
    ...(weight === undefined ? {} : { weight }),
    declared_progress: zone.declared_progress,
    declared_at: zone.declared_at,
    activities: {
      codes: [...activities.codes],
      wbs: [...activities.wbs],
      names: [...activities.names],
    },
    created_at: zone.created_at,
    updated_at: zone.updated_at,
  };
}

/** A work zone as a GeoJSON Feature (RFC 7946); its geometry is the outline, or null without one. */
export function zoneFeature(zone: WorkZone, surfaceUrl: SurfaceUrl): object {
  const { id, polygon: _, ...properties } = zoneView(zone, surfaceUrl);
  const geometry = zone.polygon === undefined ? null : ringGeometry(zone.polygon);
  return { type: "Feature", id, geometry, properties };
}

/** The columns of a list of zones; the outline as WKT, which GIS programs read. */
export const ZONE_COLUMNS: CsvColumns<WorkZone> = {
  id: (zone) => zone.id,
  project_id: (zone) => zone.project_id,
  name: (zone) => zone.name,
  metric: (zone) => zone.metric.kind,
  baseline: (zone) => zone.baseline?.kind,
  design: (zone) => zone.design?.kind,
  weight: (zone) => zone.weight,
  declared_progress: (zone) => zone.declared_progress,
  declared_at: (zone) => zone.declared_at,
  activity_codes: (zone) => zone.activities.codes.join("; "),
  activity_wbs: (zone) => zone.activities.wbs.join("; "),
  activity_names: (zone) => zone.activities.names.join("; "),
  created_at: (zone) => zone.created_at,
  updated_at: (zone) => zone.updated_at,
  polygon_wkt: ({ polygon }) =>
    polygon && `POLYGON((${polygon.map(([lon, lat]) => `${lon} ${lat}`).join(",")}))`,
};

function metricView({ metric }: WorkZone): Zone["metric"] {
  if (metric.kind === "height") return { ...metric, levels: [...metric.levels] };
  return metric.kind === "stages" ? { ...metric, stages: [...metric.stages] } : metric;
}

function surfaceView(surface: ZoneSurface, surfaceUrl: SurfaceUrl): Surface {
  if (surface.kind === "level") return surface;
  const { kind, surface_key } = surface;
  const surface_url = surfaceUrl(surface_key);
  return {
    kind,
    ...(surface_url === undefined ? {} : { surface_url }),
    ...(surface.kind === "raster" && surface.height_unit !== undefined
      ? { surface_height_unit: surface.height_unit }
      : {}),
    ...(surface.kind === "flight" ? { capture_id: surface.capture_id } : {}),
  };
}
