import { type Static, Type } from "typebox";
import { ASSET_ALERT_TYPES, MAX_MUTE_DAYS } from "../../../domain/equipment/alert.ts";
import { AlertMuteId, AssetId, GeofenceId, ProjectId } from "../../../domain/ids.ts";
import { listOf } from "../../schemas/page.ts";
import { Note, Severity, Timestamp } from "./alert-schemas.ts";

const AlertType = Type.Enum([...ASSET_ALERT_TYPES]);

export const AlertMutePath = Type.Object({ mute_id: AlertMuteId });

/** Body of POST /equipment/alert-mutes. */
export const NewAlertMute = Type.Object(
  {
    asset_id: AssetId,
    type: AlertType,
    geofence_id: Type.Optional(GeofenceId),
    max_severity: Type.Optional(
      Type.Enum(["info", "warning", "critical"], {
        description: "Worse alerts are not muted; absent: warning",
      }),
    ),
    until: Type.String({
      format: "date-time",
      description: `Exclusive; at most ${MAX_MUTE_DAYS} days from now`,
    }),
    note: Type.Optional(Note),
  },
  { title: "NewAlertMute" },
);

/** A rule that is muted for an asset. */
export const AlertMute = Type.Object(
  {
    id: AlertMuteId,
    project_id: ProjectId,
    asset_id: AssetId,
    type: AlertType,
    geofence_id: Type.Optional(GeofenceId),
    max_severity: Severity,
    from: Timestamp,
    until: Timestamp,
    note: Type.Optional(Note),
    created_by: Type.String({ description: "Id of the API key" }),
    created_by_name: Type.String({ description: "Name of that key" }),
  },
  { title: "AlertMute" },
);
export type AlertMute = Static<typeof AlertMute>;

export const AlertMuteList = listOf("AlertMuteList", AlertMute);
