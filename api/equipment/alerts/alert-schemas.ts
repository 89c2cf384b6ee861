import { type Static, Type } from "typebox";
import { ALERT_SEVERITIES, ALERT_STATES } from "../../../domain/equipment/alert.ts";
import {
  AlertId,
  AlertMuteId,
  AssetId,
  GeofenceId,
  ProjectId,
  VisitId,
} from "../../../domain/ids.ts";
import { EVENT_TYPES_PARAMETER } from "../../schemas/event-types.ts";
import { listOf } from "../../schemas/page.ts";
import { severalOf } from "../../schemas/several.ts";

export const Timestamp = Type.String({
  title: "Timestamp",
  format: "date-time",
  description: "ISO 8601, UTC",
});
export const Severity = Type.Enum([...ALERT_SEVERITIES]);
const Status = Type.Enum([...ALERT_STATES], {
  description: "open, acknowledged by a person or a mute, or resolved by an event",
});

/** Longest note of a person, characters: a paragraph. Every list shows it, so longer ones make lists large. */
const MAX_NOTE_LENGTH = 1_000;
export const Note = Type.String({ maxLength: MAX_NOTE_LENGTH });

export const AlertPath = Type.Object({ alert_id: AlertId });

/** Something that a person should check. */
export const Alert = Type.Object(
  {
    id: AlertId,
    type: Type.String({ description: "Type of the event that opened it" }),
    severity: Severity,
    status: Status,
    project_id: ProjectId,
    asset_id: Type.Optional(AssetId),
    geofence_id: Type.Optional(GeofenceId),
    visit_id: Type.Optional(VisitId),
    message: Type.String({ description: "One sentence for a person" }),
    opened_at: Timestamp,
    device_time: Type.Optional(
      Type.String({
        format: "date-time",
        description:
          "When it opened by the device's clock, where that is ahead of ours; opened_at is then the time of receipt",
      }),
    ),
    acknowledged_at: Type.Optional(Timestamp),
    acknowledged_by: Type.Optional(
      Type.String({ description: "Id of the API key; `admin`: the key of ADMIN_API_KEY" }),
    ),
    acknowledged_by_name: Type.Optional(Type.String({ description: "Name of that key" })),
    note: Type.Optional(Note),
    mute_id: Type.Optional(AlertMuteId),
    resolved_at: Type.Optional(Timestamp),
    resolution: Type.Optional(
      Type.String({ description: "Why it is resolved, such as exited, cleared, withdrawn" }),
    ),
    occurrences: Type.Integer({ minimum: 1, description: "How often it occurred while open" }),
    data: Type.Record(Type.String(), Type.Unknown(), { description: "Data of the event" }),
  },
  { title: "Alert" },
);
export type Alert = Static<typeof Alert>;

export const AlertList = listOf("AlertList", Alert);

/** Query parameters that choose alerts by what they are. */
export const ALERT_FILTERS = {
  status: severalOf(Status),
  severity: severalOf(Severity),
  ...EVENT_TYPES_PARAMETER,
};

/** Body of POST /equipment/alerts/{id}/acknowledge, which may be left out. */
export const Acknowledgement = Type.Union(
  [Type.Object({ note: Type.Optional(Note) }, { title: "Acknowledgement" }), Type.Null()],
  { description: "May be left out" },
);
