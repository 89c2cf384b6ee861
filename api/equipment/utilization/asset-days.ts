import { DateTime } from "luxon";
import type { Static } from "typebox";
import { localDayAt, overlapMs } from "../../../domain/local-time.ts";
import type { Project } from "../../../domain/project.ts";
import type { DayTotals } from "../../../ingest/asset-state/asset-state.ts";
import {
  type DayFigure,
  dayFigures,
  type FigurePeriod,
} from "../../../ingest/asset-state/day-figures.ts";
import { unpackUsage } from "../../../ingest/track/day-usage.ts";
import type { UtilizationDay } from "../../../storage/ports/pipeline.ts";
import { percentOf } from "../../representations/percent.ts";
import type { Figure, UtilizationRow } from "./day-schemas.ts";

/** A day of an asset, and the period that its figures are for. */
export interface AssetDay {
  readonly row: UtilizationRow;
  readonly period: FigurePeriod;
}

/** The period of a local day of a project: the whole of it; of today, what has passed of it. */
export type Periods = (day: string, project: Project) => FigurePeriod;

/** Periods at `nowMs`; each is worked out once. */
export function createPeriods(nowMs: number): Periods {
  const known = new Map<string, FigurePeriod>();
  return (day, project) => {
    const key = `${project.id} ${day}`;
    const period = known.get(key) ?? periodOf(day, project, nowMs);
    known.set(key, period);
    return period;
  };
}

/**
 * The days `[from, to]` of an asset, ascending: those stored, and today as it is live.
 * @param stored of this asset
 */
export function assetDays(
  stored: readonly UtilizationDay[],
  today: DayTotals | undefined,
  {
    from,
    to,
    project,
    periods,
  }: {
    readonly from: string;
    readonly to: string;
    readonly project: Project;
    readonly periods: Periods;
  },
): readonly AssetDay[] {
  const totals = new Map<string, DayTotals>();
  for (const day of stored) totals.set(day.day, { ...day, usage: unpackUsage(day.usage) });
  // The live state is ahead of its stored row by up to one pipeline commit.
  if (today !== undefined && today.day >= from && today.day <= to) totals.set(today.day, today);
  return [...totals.values()]
    .sort((a, b) => (a.day < b.day ? -1 : 1))
    .map((day) => {
      const period = periods(day.day, project);
      return { row: rowOf(day, period), period };
    });
}

function rowOf(totals: DayTotals, period: FigurePeriod): UtilizationRow {
  const figures = dayFigures(totals, period);
  return {
    day: totals.day,
    utilization: shareOf(figures.working.value, period),
    working_s: figures.working.value,
    overtime_s: figures.overtime.value,
    engine_on_s: figures.engine_on.value,
    distance_m: figures.distance.value,
    figures: {
      working: figureView(figures.working),
      overtime: figureView(figures.overtime),
      engine_on: figureView(figures.engine_on),
      distance: figureView(figures.distance),
    },
  };
}

const figureView = ({ seen, ...figure }: DayFigure): Static<typeof Figure> => ({
  ...figure,
  seen_percent: seen === null ? null : percentOf(seen),
});

function periodOf(day: string, project: Project, nowMs: number): FigurePeriod {
  const noonMs = DateTime.fromISO(`${day}T12:00`, { zone: project.time_zone }).toMillis();
  const { startMs, endMs, shift } = localDayAt(project, noonMs);
  const isToday = nowMs >= startMs && nowMs < endMs;
  const toMs = isToday ? nowMs : endMs;
  return { ms: toMs - startMs, shiftMs: overlapMs(shift, startMs, toMs) };
}

/** Working time as percent of the shift, one decimal; `null`: not known. */
export function shareOf(
  workingS: number | null,
  { shiftMs }: Pick<FigurePeriod, "shiftMs">,
): number | null {
  if (workingS === null) return null;
  if (shiftMs <= 0) return 0;
  return Math.min(100, Math.round((workingS * 1e6) / shiftMs) / 10);
}
