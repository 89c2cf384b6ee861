import { momentsOf, wallMs } from "../../time/zone.ts";

const [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS] = [1_000, 60_000, 3_600_000, 86_400_000];

/** Steps of an axis of times, ms; those below a day divide it. */
export const TICK_STEPS_MS: readonly number[] = [
  ...[1, 5, 10, 15, 30].map((n) => n * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE_MS),
  ...[1, 2, 3, 4, 6, 8, 12].map((n) => n * HOUR_MS),
  ...[1, 2, 7, 14, 28, 91, 364].map((n) => n * DAY_MS),
];

/**
 * Times of an axis from `fromMs` to `toMs` at which a clock in the zone shows whole steps, ascending. An hour that the
 * clock shows twice has the step twice; one that it leaves out has none. uPlot's own are those of the browser's clock,
 * and wrong on the days on which that is changed.
 */
export function tickPlaces(
  fromMs: number,
  toMs: number,
  stepMs: number,
  zone: string,
): readonly number[] {
  const ends = [fromMs, toMs].map((ms) => wallMs(ms, zone) - ms);
  const first = Math.ceil((fromMs + Math.min(...ends)) / stepMs) * stepMs;
  const places: number[] = [];
  for (let wall = first; wall <= toMs + Math.max(...ends); wall += stepMs) {
    places.push(...momentsOf(wall, zone));
  }
  return places.filter((ms) => ms >= fromMs && ms <= toMs).sort((a, b) => a - b);
}
