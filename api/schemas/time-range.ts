import { Type } from "typebox";
import { invalidParameter } from "../validation/validation.ts";
import { readInstant } from "./instant.ts";

/** Query parameters of a list that is about a stretch of time; spread into the route's own. */
export const TIME_RANGE_PARAMETERS = {
  from: Type.Optional(
    Type.String({ format: "date-time", description: "Inclusive; absent: from the first on" }),
  ),
  to: Type.Optional(
    Type.String({ format: "date-time", description: "Exclusive; absent: to the last" }),
  ),
};

/**
 * The half-open interval `[fromMs, toMs)` of the parameters given, ms since the Unix epoch.
 * @throws ParameterError for an invalid instant, or an end before the start.
 */
export function readTimeRange(query: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}): { readonly fromMs?: number; readonly toMs?: number } {
  const fromMs = query.from === undefined ? undefined : readInstant("from", query.from);
  const toMs = query.to === undefined ? undefined : readInstant("to", query.to);
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) {
    throw invalidParameter("from", "must not be after to");
  }
  return {
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(toMs === undefined ? {} : { toMs }),
  };
}
