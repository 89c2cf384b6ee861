import { wantsType } from "../../../domain/events/event-filter.ts";
import { EVENT_TYPES, type EventType } from "../../../domain/events/events.ts";
import { readEventTypes } from "../../schemas/event-types.ts";

/**
 * The types of alerts that filters such as `equipment.asset.*` name.
 * @throws ParameterError naming `parameter` for a filter that no type of event matches.
 */
export function readAlertTypes(
  filters: readonly string[] | undefined,
  parameter = "type",
): readonly EventType[] | undefined {
  const read = readEventTypes(filters, parameter);
  return read && EVENT_TYPES.filter((type) => wantsType(read, type));
}
