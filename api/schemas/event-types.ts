import { Type } from "typebox";
import { isTypeFilter } from "../../domain/events/event-filter.ts";
import { invalidParameter } from "../validation/validation.ts";

/** Most types of one request, and their longest form; there are fewer and shorter ones. */
const MAX_TYPES = 50;
const MAX_TYPE_LENGTH = 64;

/** The query parameter for types of events; spread into the route's own. */
export const EVENT_TYPES_PARAMETER = {
  type: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: MAX_TYPE_LENGTH }), {
      explode: false,
      maxItems: MAX_TYPES,
      description:
        "Types, separated by commas; `*` at the end of one matches any ending. A type includes its revisions and withdrawals",
    }),
  ),
};

/** The filters of the query parameter, or of that body field. @throws ParameterError for a type that there is not. */
export function readEventTypes(
  types: readonly string[] | undefined,
  parameter = "type",
): readonly string[] | undefined {
  const unknown = types?.find((type) => !isTypeFilter(type));
  if (unknown !== undefined) throw invalidParameter(parameter, "must name types of events");
  return types;
}
