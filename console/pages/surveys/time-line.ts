import { TICK_STEPS_MS, tickPlaces } from "../../parts/chart/tick-places.ts";
import type { ListedSurvey } from "./requests.ts";

type Flown = Pick<ListedSurvey, "id" | "captured_at" | "project_id" | "source">;

/** What one ground was surveyed for, on each date that it was. */
export interface Lane<T extends Flown> {
  readonly key: string;
  /** The earliest first. */
  readonly surveys: readonly T[];
}

/** Marks that a phone has room for, with a date at each. */
const MOST_TICKS = 4;
/** As the last of the steps of an axis: whole weeks. */
const YEAR_MS = 364 * 86_400_000;
/** Room at either end of the axis, percent: the outermost marks are whole. */
const EDGE_PERCENT = 2;

/** Surveys by stockpile, or by project where they are of progress or of a flight alone; the last one flown first. */
export function lanesOf<T extends Flown>(surveys: readonly T[]): readonly Lane<T>[] {
  const ascending = surveys.toSorted((a, b) => msOf(a) - msOf(b));
  const lanes = new Map<string, T[]>();
  for (const survey of ascending) {
    const lane = lanes.get(keyOf(survey)) ?? [];
    lanes.set(keyOf(survey), lane);
    lane.push(survey);
  }
  return [...lanes]
    .map(([key, ofLane]) => ({ key, surveys: ofLane }))
    .toSorted((a, b) => lastMs(b) - lastMs(a));
}

const msOf = ({ captured_at }: Flown): number => Date.parse(captured_at);
const lastMs = ({ surveys }: Lane<Flown>): number => Math.max(...surveys.map(msOf));

const keyOf = ({ source, project_id }: Flown): string =>
  source.kind === "stockpile_measurement"
    ? `${project_id} ${source.stockpile_id}`
    : `${project_id} ${source.kind}`;

/** An axis of times. */
export interface TimeAxis {
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs: number;
  /** ms since the Unix epoch. */
  readonly ticks: readonly number[];
  /** Place of a time, percent of the width. */
  readonly placeOf: (ms: number) => number;
}

/** The axis from the first to the last survey, with a few whole days or hours of the zone. */
export function axisOf(surveys: readonly Flown[], zone: string): TimeAxis {
  const times = surveys.map(msOf);
  const [fromMs, toMs] = [Math.min(...times), Math.max(...times)];
  const spanMs = toMs - fromMs;
  const stepMs =
    TICK_STEPS_MS.find((step) => spanMs / step <= MOST_TICKS) ??
    Math.ceil(spanMs / MOST_TICKS / YEAR_MS) * YEAR_MS;
  const placeOf = (ms: number) =>
    spanMs === 0 ? 50 : EDGE_PERCENT + ((100 - 2 * EDGE_PERCENT) * (ms - fromMs)) / spanMs;
  return { fromMs, toMs, stepMs, ticks: tickPlaces(fromMs, toMs, stepMs, zone), placeOf };
}
