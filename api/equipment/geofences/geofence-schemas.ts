import { type Static, Type } from "typebox";
import {
  ALERT_TRIGGERS,
  CrossingRules,
  GEOFENCE_KINDS,
} from "../../../domain/geometry/geofence.ts";
import { GeofenceId, ProjectId } from "../../../domain/ids.ts";
import { Circle, CircleChange, Corridor, CorridorChange } from "../../schemas/drawn-shape.ts";
import { listOf } from "../../schemas/page.ts";
import { Polygon } from "../../schemas/polygon.ts";
import { Timestamp } from "../../schemas/timestamp.ts";

const Name = Type.String({ minLength: 1, maxLength: 200 });
const Trigger = Type.Enum([...ALERT_TRIGGERS]);
const AlertOn = Type.Union([Type.Array(Trigger), Trigger], {
  title: "AlertOn",
  description:
    "Crossings that open an alert; one text is an array of one, an empty array none. Absent: both. Visits and events are always kept",
});
const Kind = Type.Enum([...GEOFENCE_KINDS], {
  title: "GeofenceKind",
  description: "zone: shown as the place of the assets in it",
});
const { exit_buffer_m, confirm_fixes, min_dwell_s } = CrossingRules.properties;

export const GeofencePath = Type.Object({ geofence_id: GeofenceId });

/** The states of a fence that exists; a deleted one is not found. */
export const GEOFENCE_STATUSES = ["active"] as const;
const SHAPES = ["polygon", "circle", "corridor"] as const;

/** The contract's geofence (id, name, status, area_sqm) and what else a person said of it. */
export const Geofence = Type.Object(
  {
    id: GeofenceId,
    name: Name,
    status: Type.Enum([...GEOFENCE_STATUSES]),
    area_sqm: Type.Number({ description: "Square metres on the WGS 84 ellipsoid, two decimals" }),
    project_id: ProjectId,
    kind: Kind,
    polygon: Polygon,
    shape: Type.Enum([...SHAPES], {
      description: "How it was drawn; `polygon` is the outline of a circle or corridor",
    }),
    circle: Type.Optional(Circle),
    corridor: Type.Optional(Corridor),
    alert_on: Type.Array(Trigger),
    ...CrossingRules.properties,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "Geofence" },
);
export type Geofence = Static<typeof Geofence>;

export const GeofenceList = listOf("GeofenceList", Geofence);

const Extras = {
  kind: Type.Optional(Kind),
  exit_buffer_m: Type.Optional(exit_buffer_m),
  confirm_fixes: Type.Optional(confirm_fixes),
  min_dwell_s: Type.Optional(min_dwell_s),
};

const Drawing = {
  name: Name,
  project_id: ProjectId,
};
const Options = {
  alert_on: Type.Optional(AlertOn),
  id: Type.Optional(GeofenceId),
  valid_from: Type.Optional(
    Type.String({
      format: "date-time",
      title: "ValidFrom",
      description:
        "When the fence came into force, at most 72 h ago; fixes since then are evaluated by it too. Absent: now",
    }),
  ),
  ...Extras,
};

/** What a body of POST /equipment/geofences has beside the ground, which `readGround` reads. */
export const NewGeofenceFields = Type.Object({ ...Drawing, ...Options });

/** Body of POST /equipment/geofences: the contract's, or one with a circle or corridor instead of the polygon. */
export const NewGeofence = Type.Unsafe<
  Static<typeof NewGeofenceFields> & Partial<Record<(typeof SHAPES)[number], unknown>>
>({
  anyOf: [
    Type.Object({ ...Drawing, polygon: Polygon, ...Options }, { title: "NewGeofence" }),
    Type.Object({ ...Drawing, circle: Circle, ...Options }, { title: "NewCircleGeofence" }),
    Type.Object({ ...Drawing, corridor: Corridor, ...Options }, { title: "NewCorridorGeofence" }),
  ],
});

/** Body of PATCH /equipment/geofences/{id}; absent fields stay as they are (RFC 7396). */
export const GeofenceChange = Type.Object(
  {
    name: Type.Optional(Name),
    polygon: Type.Optional(Polygon),
    circle: Type.Optional(CircleChange),
    corridor: Type.Optional(CorridorChange),
    alert_on: Type.Optional(AlertOn),
    ...Extras,
  },
  { title: "GeofenceChange" },
);
export type GeofenceChange = Static<typeof GeofenceChange>;
