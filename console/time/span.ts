import { dayBegin } from "./zone.ts";

/** Times from `fromMs` up to but not at `toMs`, ms since the Unix epoch. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const HOUR_MS = 3_600_000;
/** Longest range that the service has tracks of, ms. */
const LONGEST_MS = 7 * 24 * HOUR_MS;

/** Ranges that a button chooses. */
export const PRESETS = ["hour", "day", "today", "yesterday"] as const;
export type Preset = (typeof PRESETS)[number];

/** A range that a button chooses, by the calendar of a zone: yesterday may have 23 or 25 hours. */
export function presetSpan(preset: Preset, nowMs: number, zone: string): Span {
  const midnight = (days: number) => dayBegin(nowMs, days, zone);
  switch (preset) {
    case "hour":
      return { fromMs: nowMs - HOUR_MS, toMs: nowMs };
    case "day":
      return { fromMs: nowMs - 24 * HOUR_MS, toMs: nowMs };
    case "today":
      return { fromMs: midnight(0), toMs: Math.max(nowMs, midnight(0) + 1) };
    case "yesterday":
      return { fromMs: midnight(-1), toMs: midnight(0) };
  }
}

/** What is wrong with a range that somebody typed; nothing where it can be asked for. */
export function spanFlaw({ fromMs, toMs }: Span): "incomplete" | "order" | "long" | undefined {
  if (Number.isNaN(fromMs) || Number.isNaN(toMs)) return "incomplete";
  if (fromMs >= toMs) return "order";
  return toMs - fromMs > LONGEST_MS ? "long" : undefined;
}
