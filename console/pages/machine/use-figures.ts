import { dayIn, isKnownZone } from "../../time/zone.ts";

/** A figure of a day or of several, seconds or metres. */
export interface UseFigure {
  /** `null`: not known. */
  readonly value: number | null;
  /** `null`: not kept. */
  readonly lower: number | null;
  readonly upper: number | null;
}

interface EngineTime {
  readonly engine_on: UseFigure;
  readonly working: UseFigure;
  readonly overtime: UseFigure;
}

/**
 * Time with the engine on in which the machine neither worked nor worked overtime, seconds. Unknown where one of the
 * three is: an unknown time is not 0. What is less than nothing, where they come from different sources, is 0.
 */
export function idleOf({ engine_on, working, overtime }: EngineTime): UseFigure {
  const less = (engine: number | null, ...others: readonly (number | null)[]) =>
    engine === null || others.some((one) => one === null)
      ? null
      : Math.max(
          0,
          others.reduce<number>((rest, one) => rest - (one ?? 0), engine),
        );
  return {
    value: less(engine_on.value, working.value, overtime.value),
    lower: less(engine_on.lower, working.upper, overtime.upper),
    upper: less(engine_on.upper, working.lower, overtime.lower),
  };
}

/**
 * The first of the last `days` calendar dates up to a moment, and that of the moment itself: the latest that it is in
 * any of the zones, as the service's own answer ends with; in UTC where there is none, or none that the browser knows.
 */
export function lastDays(
  days: number,
  nowMs: number,
  zones: readonly string[],
): { readonly from: string; readonly to: string } {
  const today = zones.filter(isKnownZone).map((zone) => dayIn(nowMs, zone));
  const to = today.sort().at(-1) ?? dayOf(nowMs);
  return { from: dayOf(Date.parse(to) - (days - 1) * 86_400_000), to };
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Calendar dates from the first to the last, ascending. */
export function daysBetween(from: string, to: string): readonly string[] {
  const days: string[] = [];
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += 86_400_000) days.push(dayOf(ms));
  return days;
}
