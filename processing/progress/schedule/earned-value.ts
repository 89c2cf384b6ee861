import type { EarnedValue } from "../../../domain/sites/progress-report.ts";
import { DAY_MS, MINUTE_MS } from "../../../domain/time.ts";
import { firstWhere } from "../../numeric/bisection.ts";
import { roundTo } from "../../numeric/rounding.ts";
import type { Plan } from "./plan.ts";

/** Percent that sums of shares may be off by. */
const ROUNDING = 1e-9;
/**
 * Forecasts beyond this many plan durations say only that the pace is nearly nothing: a date in the next century
 * would be read as a forecast.
 */
const MOST_DURATIONS = 20;

/** Progress of the project at a time. */
export interface ProgressPoint {
  /** ms since the Unix epoch. */
  readonly atMs: number;
  /** 0 to 100. */
  readonly percent: number;
}

/**
 * Earned value at the time of the last point (docs/progress-method.md#earned-value), with the budget as 100:
 *
 * - PV = planned percent, EV = actual percent, both to one decimal; SV = EV - PV; SPI = EV / PV
 * - ES (earned schedule) = the time into the plan at which PV = EV, with periods of a minute. Where the plan
 *   is flat at EV, ES is the time next to now. Nothing earned of something planned: 0.
 * - SPI(t) = ES / AT, AT = now - planned start; forecast finish = start + planned duration / SPI(t)
 *
 * `history`: progress up to now, ascending by time. A finished project (100) is evaluated at the first time
 * it was finished, and has that as its finish. `interval95` of the newest progress makes that of the
 * forecast. Nothing earned, or a pace that needs more than 20 times the planned duration: no forecast. Before
 * the planned start there are PV, EV and SV only.
 */
export function earnedValue(
  plan: Plan,
  history: readonly ProgressPoint[],
  interval95: readonly [low: number, high: number] | null = null,
): EarnedValue | undefined {
  const newest = history.at(-1);
  if (newest === undefined) return undefined;
  const isFinished = newest.percent >= 100;
  const nowMs = isFinished ? finishedAt(history) : newest.atMs;
  const planned = tenth(plan.plannedPercent(newest.atMs));
  const earned = tenth(newest.percent);
  const values = {
    planned_value: planned,
    earned_value: earned,
    schedule_variance: tenth(earned - planned),
    spi: planned > 0 ? round(earned / planned, 1_000) : null,
  };
  const actualMs = nowMs - plan.startMs;
  if (actualMs <= 0) {
    return {
      ...values,
      spi_t: null,
      earned_schedule_days: null,
      forecast_finish: isFinished ? iso(nowMs) : null,
      forecast_finish_interval: null,
    };
  }
  const earnedMs = earnedScheduleMs(plan, newest.percent, nowMs);
  const at = (percent: number) => forecastMs(plan, percent, nowMs);
  const finishMs = isFinished ? nowMs : at(newest.percent);
  return {
    ...values,
    spi_t: round(earnedMs / actualMs, 1_000),
    earned_schedule_days: tenth(earnedMs / DAY_MS),
    forecast_finish: finishMs === undefined ? null : iso(finishMs),
    forecast_finish_interval: isFinished ? [iso(nowMs), iso(nowMs)] : intervalOf(interval95, at),
  };
}

/** When progress reached 100 for good. */
function finishedAt(history: readonly ProgressPoint[]): number {
  let atMs = 0;
  for (let i = history.length - 1; i >= 0; i--) {
    const point = history[i];
    if (point === undefined || point.percent < 100) break;
    atMs = point.atMs;
  }
  return atMs;
}

/** More progress finishes earlier. `null` where an end of it cannot be bounded. */
function intervalOf(
  interval: readonly [low: number, high: number] | null,
  at: (percent: number) => number | undefined,
): readonly [early: string, late: string] | null {
  if (interval === null) return null;
  const [low, high] = interval;
  const early = at(Math.min(100, high));
  const late = at(Math.max(0, low));
  return early === undefined || late === undefined ? null : [iso(early), iso(late)];
}

function forecastMs(plan: Plan, percent: number, nowMs: number): number | undefined {
  const actualMs = nowMs - plan.startMs;
  const earnedMs = earnedScheduleMs(plan, percent, nowMs);
  const durationMs = plan.finishMs - plan.startMs;
  const neededMs = (durationMs * actualMs) / earnedMs;
  const isBounded = earnedMs > 0 && neededMs <= MOST_DURATIONS * Math.max(durationMs, actualMs);
  return isBounded ? plan.startMs + neededMs : undefined;
}

/** Time into the plan at which it plans `percent`, ms, 0 to the plan's duration. */
function earnedScheduleMs(plan: Plan, percent: number, nowMs: number): number {
  const planned = (minute: number) => plan.plannedPercent(plan.startMs + minute * MINUTE_MS);
  // Who has earned nothing is on plan while nothing is planned, and has come nowhere afterwards.
  if (percent <= 0 && plan.plannedPercent(nowMs) > 0) return 0;
  const minutes = Math.ceil((plan.finishMs - plan.startMs) / MINUTE_MS);
  const reached = firstWhere(minutes, (minute) => planned(minute) >= percent - ROUNDING);
  const passed = firstWhere(minutes, (minute) => planned(minute) > percent + ROUNDING);
  const first = crossing(planned, percent, reached) * MINUTE_MS;
  const last = crossing(planned, percent, passed) * MINUTE_MS;
  return Math.min(Math.max(nowMs - plan.startMs, first), last);
}

/** Where the plan is at `percent` in the minute that ends at `end`: C + (EV - PV_C) / (PV_C+1 - PV_C). */
function crossing(planned: (minute: number) => number, percent: number, end: number): number {
  if (end === 0) return 0;
  const from = planned(end - 1);
  const to = planned(end);
  return to > from ? end - 1 + Math.min(1, Math.max(0, (percent - from) / (to - from))) : end;
}

/** No -0. */
const round = (value: number, parts: number): number => roundTo(value, parts) + 0;
const tenth = (value: number): number => round(value, 10);
const iso = (ms: number): string => new Date(Math.round(ms)).toISOString();
