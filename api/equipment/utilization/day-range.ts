import { localDate } from "../../../domain/local-time.ts";
import { DAY_MS } from "../../../domain/time.ts";
import { invalidParameter } from "../../validation/validation.ts";

const DEFAULT_DAYS = 7;

/** The calendar dates `[from, to]` of a request; without them the last seven days up to `today`. */
export function dayRange(
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  today: string,
): { readonly from: string; readonly to: string } {
  const to = query.to ?? later(today, query.from);
  return { from: query.from ?? dayOf(dayNumber(to) + 1 - DEFAULT_DAYS), to };
}

/**
 * Before the asset is looked up, so that a wrong range is a 400 whatever the asset. Without a last
 * day it is today, which is not the same date everywhere: what fits some time zone passes.
 * @throws ParameterError
 */
export function checkRange(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  nowMs: number,
  maxDays: number,
): void {
  if (to !== undefined && dayNumber(to) < DEFAULT_DAYS) {
    throw invalidParameter("to", "must not be before 1970-01-08");
  }
  if (from === undefined) return;
  if (dayNumber(from) < 0) throw invalidParameter("from", "must not be before 1970-01-01");
  if (from > (to ?? localDate("Etc/GMT-14", nowMs))) {
    throw invalidParameter("from", "must not be after to");
  }
  if (dayNumber(to ?? localDate("Etc/GMT+12", nowMs)) - dayNumber(from) >= maxDays) {
    throw invalidParameter("from", `must be less than ${maxDays} days before to`);
  }
}

function later(day: string, other: string | undefined): string {
  return other !== undefined && other > day ? other : day;
}

/** Days since 1970-01-01 of a calendar date. */
export function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

function dayOf(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}
