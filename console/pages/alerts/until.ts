import { readTime } from "../../time/zone.ts";

const HOUR_MS = 3_600_000;
/** Longest mute of the service. */
const MOST_MS = 30 * 24 * HOUR_MS;

/** Hours that a mute usually lasts: an errand, half a shift, a shift, a day, a week. */
export const MUTE_HOURS = [1, 4, 12, 24, 168] as const;

/**
 * The end of a mute: some hours from now, or without hours a time of a zone (`2026-11-28T18:00`). `undefined`: it is not
 * within what the service takes.
 */
export function untilOf(
  hours: string,
  time: string,
  nowMs: number,
  zone: string,
): number | undefined {
  const untilMs = hours === "" ? readTime(time, zone).ms : nowMs + Number(hours) * HOUR_MS;
  return untilMs > nowMs && untilMs <= nowMs + MOST_MS ? untilMs : undefined;
}
