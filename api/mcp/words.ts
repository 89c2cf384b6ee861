import { DAY_S } from "../../domain/time.ts";

/** Words that several tools use for what the API reports. */

const MINUTE_S = 60;
const HOUR_S = 3_600;

/** `3 h before`: how long the first time lies before the second, in whole units; `0 s before` for what is later. */
export function ageText(time: string, at: string): string {
  const seconds = Math.max(0, (Date.parse(at) - Date.parse(time)) / 1_000);
  if (seconds < MINUTE_S) return `${Math.round(seconds)} s before`;
  if (seconds < HOUR_S) return `${Math.round(seconds / MINUTE_S)} min before`;
  if (seconds < 2 * DAY_S) return `${Math.round(seconds / HOUR_S)} h before`;
  return `${Math.round(seconds / DAY_S)} days before`;
}

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

export const placeText = ({ latitude, longitude }: Place): string =>
  `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`;

/** `2.5 h`, below an hour `4.5 min`; `not known` where there is none: what is not known is not 0. */
export function durationText(seconds: number | null): string {
  if (seconds === null) return "not known";
  return seconds < HOUR_S
    ? `${(seconds / MINUTE_S).toFixed(1)} min`
    : `${(seconds / HOUR_S).toFixed(1)} h`;
}

/** `between 12.0 and 40.5 %`, or that there is no interval. */
export const intervalText = (
  interval: readonly number[] | null | undefined,
  unit: string,
): string => {
  const [low, high] = interval ?? [];
  return low === undefined || high === undefined
    ? "without an interval, since it cannot be bounded"
    : `95 % interval ${low} to ${high} ${unit}`;
};

/** What a list that was cut short leaves out. */
export const restText = (shown: number, total: number): readonly string[] =>
  shown < total ? [`${total - shown} more are not listed: narrow the question.`] : [];
