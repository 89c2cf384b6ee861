import type { Geofence } from "../../../domain/geometry/geofence.ts";
import { ringGeometry } from "../../representations/ring-geometry.ts";
import { geofenceView } from "./geofence-view.ts";

/** A fence as a GeoJSON Feature (RFC 7946); its geometry is [longitude, latitude]. */
export function geofenceFeature(fence: Geofence): object {
  const { id, polygon: _, ...properties } = geofenceView(fence);
  return { type: "Feature", id, geometry: ringGeometry(fence.ring), properties };
}
