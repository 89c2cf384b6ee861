import { type Static, Type } from "typebox";
import { Location } from "../geodesy.ts";
import { EVENT_TYPES } from "./events.ts";

/** Every type; of those that are about the same as the one before them, the end alone. */
function listedTypes(): string {
  const dotOf = (type = "") => type.lastIndexOf(".");
  const shown = EVENT_TYPES.map((type, i) => {
    const before = EVENT_TYPES[i - 1];
    const isAlike = before?.slice(0, dotOf(before)) === type.slice(0, dotOf(type));
    return isAlike ? type.slice(dotOf(type)) : type;
  });
  return `\`${shown.join("`, `")}\``;
}

/**
 * An event as clients read it: in `GET /events`, on the stream, over MQTT and in webhooks alike. What
 * does not apply to an event is absent, never null.
 */
export const EventView = Type.Object(
  {
    id: Type.String({ description: "The same for every revision of one event" }),
    sequence: Type.Integer({
      minimum: 1,
      description: "Rises in the order in which events became known; has gaps",
    }),
    revision: Type.Integer({
      minimum: 1,
      description: "1 when first published; each change is the next",
    }),
    type: Type.String({
      description: `${listedTypes()}; followed by \`.revised\` when it changes an earlier event, by \`.withdrawn\` when that did not happen`,
    }),
    project_id: Type.Optional(Type.String()),
    asset_id: Type.Optional(Type.String()),
    geofence_id: Type.Optional(Type.String()),
    visit_id: Type.Optional(Type.String({ description: "The stay in the geofence" })),
    occurred_at: Type.String({ format: "date-time", description: "When it happened" }),
    recorded_at: Type.String({ format: "date-time", description: "When it was recorded" }),
    location: Type.Optional(Location),
    accuracy_meters: Type.Optional(Type.Number()),
    inferred: Type.Boolean({
      description: "Concluded from the fixes before and after, without one in between",
    }),
    cause: Type.Optional(Type.String({ description: "Why, where it is not the usual cause" })),
    withdrawn: Type.Boolean(),
    data: Type.Object({}, { additionalProperties: true, description: "By type" }),
  },
  { title: "Event" },
);
export type EventView = Static<typeof EventView>;
