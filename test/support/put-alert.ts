import type { AlertId, AssetId, ProjectId } from "../../domain/ids.ts";
import type { Alert } from "../../storage/ports/equipment/alerts.ts";
import { NOON_MS, type TestApp } from "./api-app.ts";

/** Puts an open alert of project p1 and asset a1 into the store. */
export function putAlert(t: TestApp, id: string, alert: Partial<Alert> = {}): void {
  t.records.rows.alerts.set(id as AlertId, {
    id: id as AlertId,
    type: "equipment.geofence.entered",
    severity: "warning",
    projectId: "p1" as ProjectId,
    assetId: "a1" as AssetId,
    message: "Excavator 7 entered Crane zone",
    openedAtMs: NOON_MS,
    resolvedAtMs: undefined,
    occurrences: 1,
    data: {},
    state: "open",
    acknowledgedAtMs: undefined,
    acknowledgedBy: undefined,
    note: undefined,
    ...alert,
  });
}
