import type { ProgressReport } from "../../../../domain/sites/progress-report.ts";
import { DAY_MS } from "../../../../domain/time.ts";
import { toTenth } from "../../../numeric/rounding.ts";
import { figure, moment } from "../../../page/figures.ts";
import { type Markup, markup } from "../../../page/markup.ts";
import type { PlannedCurve } from "./planned-curve.ts";

/** What the curve takes of a report. */
export type CurvePoint = Pick<
  ProgressReport,
  "id" | "capture_date" | "progress_percentage" | "interval_95"
>;

const WIDTH = 1_000;
const LEFT = 64;
const RIGHT = 28;
const TOP = 20;
const BOTTOM = 300;
const HEIGHT = 342;
/**
 * The forecast is drawn until so many plan durations after the start; farther it is given in words. More
 * squeezes the curve itself into a corner.
 */
const MOST_DURATIONS = 2.5;

/**
 * Planned percent over time, the actual ones of the reports with their intervals, the newest highlighted, and
 * the forecast from there to the finish at the pace so far.
 */
export function sCurve(
  report: ProgressReport,
  earlier: readonly CurvePoint[],
  plan: PlannedCurve | undefined,
): Markup {
  const nowMs = Date.parse(report.capture_date);
  const points = [...earlier, report].toSorted(
    (a, b) => Date.parse(a.capture_date) - Date.parse(b.capture_date),
  );
  const times = points.map(({ capture_date }) => Date.parse(capture_date));
  const finish = drawnForecast(report, plan, nowMs);
  const fromMs = Math.min(plan?.startMs ?? nowMs, times[0] ?? nowMs);
  const toMs = Math.max(plan?.finishMs ?? nowMs, nowMs, finish?.lateMs ?? nowMs, fromMs + DAY_MS);
  const x = (ms: number) =>
    toTenth(LEFT + ((ms - fromMs) / (toMs - fromMs)) * (WIDTH - LEFT - RIGHT));
  const y = (percent: number) => toTenth(BOTTOM - (percent / 100) * (BOTTOM - TOP));
  const line = points.map((point, i) => `${x(times[i] ?? nowMs)} ${y(point.progress_percentage)}`);
  return markup`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Planned and actual progress over time">
${[0, 20, 40, 60, 80, 100].map((tick) => markup`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(tick)}" y2="${y(tick)}"/><text class="small" x="${LEFT - 8}" y="${y(tick) + 4.5}" text-anchor="end">${tick}</text>`)}
<line class="now" x1="${x(nowMs)}" x2="${x(nowMs)}" y1="${TOP}" y2="${BOTTOM}"/>
${
  plan === undefined
    ? undefined
    : markup`<path class="planned" d="M${planned(plan, fromMs, toMs)
        .map(([ms, percent]) => `${x(ms)} ${y(percent)}`)
        .join("L")}"/>`
}
${finish === undefined ? undefined : forecastMarkup(report, finish, { x, y, nowMs })}
<path class="actual-line" d="M${line.join("L")}"/>
${points.map((point) => whisker(point, { x, y }, point.id === report.id))}
<line class="axis" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${BOTTOM}" y2="${BOTTOM}"/>
${dateTicks(fromMs, toMs).map((ms, i, all) => dateTick(ms, x(ms), i === all.length - 1))}
<text class="small" transform="translate(16 ${(TOP + BOTTOM) / 2}) rotate(-90)" text-anchor="middle">progress, %</text>
</svg>`;
}

/** Flat before the plan's start and after its finish. */
const planned = ({ points }: PlannedCurve, fromMs: number, toMs: number) => {
  const [first, last] = [points[0]?.[1] ?? 0, points.at(-1)?.[1] ?? 100];
  return [[fromMs, first] as const, ...points, [toMs, last] as const];
};

interface Scales {
  readonly x: (ms: number) => number;
  readonly y: (percent: number) => number;
}

function whisker(point: CurvePoint, { x, y }: Scales, isThis: boolean): Markup {
  const at = x(Date.parse(point.capture_date));
  const { progress_percentage: percent, interval_95: interval } = point;
  const bounds =
    interval === null
      ? undefined
      : markup`<line x1="${at}" x2="${at}" y1="${y(interval[0])}" y2="${y(interval[1])}"/>${interval.map((end) => markup`<line x1="${at - 5}" x2="${at + 5}" y1="${y(end)}" y2="${y(end)}"/>`)}`;
  return markup`<g class="point${isThis ? " this" : ""}"><title>${moment(point.capture_date)}: ${figure(percent, 1)} %</title>${bounds}<circle cx="${at}" cy="${y(percent)}" r="${isThis ? 6 : 4}"/></g>
`;
}

interface DrawnForecast {
  readonly finishMs: number;
  readonly earlyMs: number;
  readonly lateMs: number;
}

/** `undefined`: there is none, or it lies too far away to be drawn. */
function drawnForecast(
  { earned_value: earned, progress_percentage: percent }: ProgressReport,
  plan: PlannedCurve | undefined,
  nowMs: number,
): DrawnForecast | undefined {
  if (earned?.forecast_finish == null || plan === undefined || percent >= 100) return undefined;
  const finishMs = Date.parse(earned.forecast_finish);
  const limitMs = plan.startMs + MOST_DURATIONS * (plan.finishMs - plan.startMs);
  if (finishMs > limitMs || finishMs < nowMs) return undefined;
  const [early, late] = earned.forecast_finish_interval ?? [];
  return {
    finishMs,
    earlyMs: Math.max(nowMs, early === undefined ? finishMs : Date.parse(early)),
    lateMs: Math.min(limitMs, late === undefined ? finishMs : Date.parse(late)),
  };
}

function forecastMarkup(
  { progress_percentage: percent }: ProgressReport,
  { finishMs, earlyMs, lateMs }: DrawnForecast,
  { x, y, nowMs }: Scales & { readonly nowMs: number },
): Markup {
  return markup`<path class="forecast" d="M${x(nowMs)} ${y(percent)}L${x(finishMs)} ${y(100)}"/>
<g class="point forecast-finish"><title>forecast finish ${new Date(finishMs).toISOString().slice(0, 10)}</title><line x1="${x(earlyMs)}" x2="${x(lateMs)}" y1="${y(100)}" y2="${y(100)}"/><circle cx="${x(finishMs)}" cy="${y(100)}" r="4"/></g>`;
}

/** The last one ends at its tick: half of it would hang over. */
function dateTick(ms: number, at: number, isLast: boolean): Markup {
  const day = new Date(ms).toISOString().slice(0, 10);
  const anchor = isLast ? "end" : "middle";
  return markup`<line class="axis" x1="${at}" x2="${at}" y1="${BOTTOM}" y2="${BOTTOM + 5}"/><text class="small" x="${isLast ? at + 4 : at}" y="${BOTTOM + 22}" text-anchor="${anchor}">${day}</text>`;
}

/** Six dates from end to end, fewer where days would repeat. */
function dateTicks(fromMs: number, toMs: number): number[] {
  const parts = Math.max(1, Math.min(5, Math.floor((toMs - fromMs) / DAY_MS)));
  return Array.from({ length: parts + 1 }, (_, i) => fromMs + ((toMs - fromMs) * i) / parts);
}
