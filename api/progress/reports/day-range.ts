import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { DAY_MS } from "../../../domain/time.ts";
import { invalidParameter } from "../../validation/validation.ts";

/** Ends of the calendar that every store of ours takes, ms since the Unix epoch. */
const OLDEST_MS = 0;
const NEWEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const isDate = Compile(Type.String({ format: "date" }));
const isDateTime = Compile(Type.String({ format: "date-time" }));

const Day = (description: string) =>
  Type.Optional(
    Type.String({
      description: `${description}: an ISO 8601 date; a whole timestamp means its day in UTC`,
      examples: ["2026-03-05"],
    }),
  );

/** Query parameters of a list that is about a stretch of days; spread into the route's own. */
export const DAY_PARAMETERS = {
  from_date: Day("First day, inclusive"),
  to_date: Day("Last day, inclusive"),
};

/**
 * The half-open interval `[fromMs, toMs)` from the start of the first day to the end of the last (UTC), ms
 * since the Unix epoch.
 * @throws ParameterError for a text that is not a day, or a last day before the first.
 */
export function readDayRange(query: {
  readonly from_date?: string | undefined;
  readonly to_date?: string | undefined;
}): { readonly fromMs?: number; readonly toMs?: number } {
  const firstMs = query.from_date === undefined ? undefined : readDay("from_date", query.from_date);
  const lastMs = query.to_date === undefined ? undefined : readDay("to_date", query.to_date);
  if (firstMs !== undefined && lastMs !== undefined && firstMs > lastMs) {
    throw invalidParameter("from_date", "must not be after to_date");
  }
  return {
    ...(firstMs === undefined ? {} : { fromMs: clamped(firstMs) }),
    ...(lastMs === undefined ? {} : { toMs: clamped(lastMs + DAY_MS) }),
  };
}

/** The start of a day, ms since the Unix epoch. */
function readDay(parameter: string, text: string): number {
  const ms = isDate.Check(text) || isDateTime.Check(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) {
    throw invalidParameter(parameter, "must be an ISO 8601 date, such as 2026-03-05");
  }
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

/** No report lies outside. */
const clamped = (ms: number): number => Math.min(NEWEST_MS, Math.max(OLDEST_MS, ms));
