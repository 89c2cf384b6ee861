import type { Curve, CurvePoint } from "./requests.ts";

/** Where a curve is drawn, CSS pixels. */
export interface CurveBox {
  readonly width: number;
  readonly height: number;
}

type Place = readonly [x: number, y: number];

/** A report as it is drawn. */
export interface DrawnReport {
  readonly id: string;
  readonly at: Place;
  /** Lower and upper end of the interval of the percent, and of the whole project; absent: not bounded. */
  readonly seen: readonly [low: number, high: number] | undefined;
  readonly whole: readonly [low: number, high: number] | undefined;
  /** A part of the project was never seen: the percent is of the rest. */
  readonly isOfPart: boolean;
}

/** Everything that a curve draws, CSS pixels from its upper left corner. */
export interface CurveLayout {
  readonly plan: readonly Place[];
  readonly reports: readonly DrawnReport[];
  readonly forecast:
    | { readonly from: Place; readonly to: Place; readonly early: number; readonly late: number }
    | undefined;
  /** The forecast, or an end of its interval, lies beyond the right edge. */
  readonly isForecastCut: boolean;
  readonly percents: readonly { readonly percent: number; readonly y: number }[];
  readonly dates: readonly { readonly ms: number; readonly x: number }[];
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

const LEFT = 44;
const RIGHT = 16;
const TOP = 10;
const BOTTOM = 28;
/** Room of a date under the axis, pixels: a closer pair would touch. */
const DATE_PX = 104;
const DAY_MS = 86_400_000;
/**
 * A forecast is drawn until so many plan durations after the start; farther it is only in words. More squeezes the
 * curve itself into a corner.
 */
const MOST_DURATIONS = 2.5;

/** Lays a curve out; `undefined`: there is neither a plan nor a report. */
export function curveLayout(curve: Curve, { width, height }: CurveBox): CurveLayout | undefined {
  const { plan, actual, earned_value: forecast } = curve;
  const times = actual.map(({ capture_date }) => Date.parse(capture_date));
  const [startMs, finishMs] = [plan?.start, plan?.finish].map((time) =>
    time === undefined ? undefined : Date.parse(time),
  );
  const known = [...times, startMs, finishMs].filter((ms) => ms !== undefined);
  if (known.length === 0) return undefined;
  const fromMs = Math.min(...known);
  const limitMs =
    startMs === undefined || finishMs === undefined
      ? Math.max(...known)
      : Math.max(...times, startMs + MOST_DURATIONS * (finishMs - startMs));
  const ends = [
    forecast?.forecast_finish,
    ...(forecast?.forecast_finish_interval_95 ?? []),
  ].flatMap((time) => (time === null || time === undefined ? [] : Date.parse(time)));
  const drawnEnds = ends.map((ms) => Math.min(ms, limitMs));
  const toMs = Math.max(...known, ...drawnEnds, fromMs + DAY_MS);
  const right = width - RIGHT;
  const bottom = height - BOTTOM;
  const x = (ms: number) => tenth(LEFT + ((ms - fromMs) / (toMs - fromMs)) * (right - LEFT));
  const y = (percent: number) => tenth(bottom - (percent / 100) * (bottom - TOP));
  const points = plan?.points.map(
    ({ at, planned_percent }): Place => [x(Date.parse(at)), y(planned_percent)],
  );
  return {
    plan: points === undefined ? [] : whole(points, x(fromMs), x(toMs)),
    // One that saw nothing has no percent: its words say so.
    reports: actual
      .filter(({ seen_percent }) => seen_percent > 0)
      .map((report) => reportPlace(report, x, y)),
    forecast: forecastPlace(curve, limitMs, x, y),
    isForecastCut: ends.some((ms) => ms > limitMs),
    percents: [0, 25, 50, 75, 100].map((percent) => ({ percent, y: y(percent) })),
    dates: dateTicks(fromMs, toMs, right - LEFT).map((ms) => ({ ms, x: x(ms) })),
    ...{ left: LEFT, right, bottom },
  };
}

const tenth = (value: number): number => Math.round(value * 10) / 10;

/** Flat before the plan's start and after its finish. */
function whole(points: readonly Place[], left: number, right: number): readonly Place[] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return points;
  return [[left, first[1]], ...points, [right, last[1]]];
}

type Scale = (value: number) => number;

function reportPlace(report: CurvePoint, x: Scale, y: Scale): DrawnReport {
  const ends = (interval: readonly number[] | null) => {
    const [low, high] = interval ?? [];
    return low === undefined || high === undefined ? undefined : ([y(low), y(high)] as const);
  };
  return {
    id: report.report_id,
    at: [x(Date.parse(report.capture_date)), y(report.progress_percentage)],
    seen: ends(report.seen_interval_95),
    whole: ends(report.interval_95),
    isOfPart: report.seen_percent < 100,
  };
}

function forecastPlace(
  { earned_value: forecast, plan, actual }: Curve,
  limitMs: number,
  x: Scale,
  y: Scale,
): CurveLayout["forecast"] {
  const newest = actual.at(-1);
  if (forecast?.forecast_finish == null || plan === null || newest === undefined) return undefined;
  if (newest.progress_percentage >= 100) return undefined;
  const fromMs = Date.parse(newest.capture_date);
  const finishMs = Date.parse(forecast.forecast_finish);
  if (finishMs > limitMs || finishMs < fromMs) return undefined;
  const [early, late] = (forecast.forecast_finish_interval_95 ?? []).map((time) =>
    Date.parse(time),
  );
  return {
    from: [x(fromMs), y(newest.progress_percentage)],
    to: [x(finishMs), y(100)],
    early: x(Math.max(fromMs, early ?? finishMs)),
    late: x(Math.min(limitMs, late ?? finishMs)),
  };
}

/** Dates from end to end, as many as have room, whole days apart. */
function dateTicks(fromMs: number, toMs: number, px: number): readonly number[] {
  const most = Math.max(1, Math.floor(px / DATE_PX));
  const days = Math.ceil((toMs - fromMs) / DAY_MS / most);
  const stepMs = Math.max(1, days) * DAY_MS;
  const count = Math.floor((toMs - fromMs) / stepMs);
  return Array.from({ length: count + 1 }, (_, i) => fromMs + i * stepMs);
}

/** The path of a line. */
export const linePath = (places: readonly Place[]): string =>
  places.length === 0 ? "" : `M${places.map(([x, y]) => `${x} ${y}`).join("L")}`;
