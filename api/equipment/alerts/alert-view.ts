import type { Alert as StoredAlert } from "../../../storage/ports/equipment/alerts.ts";
import type { Alert } from "./alert-schemas.ts";

/** An alert as the API shows it. */
export function alertView(alert: StoredAlert): Alert {
  return {
    id: alert.id,
    type: alert.type,
    severity: alert.severity,
    status: alert.state,
    project_id: alert.projectId,
    ...(alert.assetId === undefined ? {} : { asset_id: alert.assetId }),
    ...(alert.geofenceId === undefined ? {} : { geofence_id: alert.geofenceId }),
    ...(alert.visitId === undefined ? {} : { visit_id: alert.visitId }),
    message: alert.message,
    opened_at: new Date(alert.openedAtMs).toISOString(),
    ...timeAt("device_time", alert.deviceTimeMs),
    ...timeAt("acknowledged_at", alert.acknowledgedAtMs),
    ...(alert.acknowledgedBy === undefined ? {} : { acknowledged_by: alert.acknowledgedBy }),
    ...(alert.acknowledgedName === undefined
      ? {}
      : { acknowledged_by_name: alert.acknowledgedName }),
    ...(alert.note === undefined ? {} : { note: alert.note }),
    ...(alert.muteId === undefined ? {} : { mute_id: alert.muteId }),
    ...timeAt("resolved_at", alert.resolvedAtMs),
    ...(alert.resolution === undefined ? {} : { resolution: alert.resolution }),
    occurrences: alert.occurrences,
    data: { ...alert.data },
  };
}

function timeAt<Name extends string>(
  name: Name,
  ms: number | undefined,
): { [Key in Name]?: string } {
  return ms === undefined ? {} : ({ [name]: new Date(ms).toISOString() } as Record<Name, string>);
}
