import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { DateTime } from "luxon";
import { type Static, Type } from "typebox";
import { AssetId } from "../../../domain/ids.ts";
import { localDate, localDayAt, overlapMs } from "../../../domain/local-time.ts";
import type { Project } from "../../../domain/project.ts";
import { DAY_MS } from "../../../domain/time.ts";
import type { DayTotals, LiveAssets } from "../../../ingest/asset-state/asset-state.ts";
import {
  BASES,
  type DayFigure,
  dayFigures,
  type FigurePeriod,
} from "../../../ingest/asset-state/day-figures.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import { unpackUsage } from "../../../ingest/track/day-usage.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleAsset } from "../../access/asset-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { jsonOrCsv } from "../../representations/media-types.ts";
import { CSV_TYPE, preferredType } from "../../representations/negotiation.ts";
import { percentOf } from "../../representations/percent.ts";
import { type CsvColumns, sendCsv } from "../../representations/send-list.ts";
import { invalidParameter } from "../../validation/validation.ts";
import { AssetPath } from "./asset-schemas.ts";

export interface UtilizationOptions {
  readonly records: RecordStore;
  readonly directory: AssetDirectory;
  readonly live: LiveAssets;
  readonly now: () => number;
}

/** Longest range of one answer, days: a leap year. Chosen. */
const MAX_DAYS = 366;
const DEFAULT_DAYS = 7;

/** A number, or null where nothing is known. */
function orNull(description: string) {
  return Type.Union([Type.Number(), Type.Null()], { description });
}

const CalendarDate = Type.String({ format: "date" });

const Figure = Type.Object(
  {
    value: orNull("Seconds or metres; null: nothing is known"),
    lower: orNull("Lower bound; null: not kept"),
    upper: orNull("Upper bound; null: not kept"),
    basis: Type.Enum([...BASES], { description: "Where most of its time comes from" }),
    seen_percent: orNull("Of the day, today of the day so far, that was seen; null: not kept"),
    parts: Type.Object(
      { observed: Type.Number(), meter: Type.Number(), bridged: Type.Number() },
      { description: "The value by its sources" },
    ),
    reason: Type.Optional(Type.String({ description: "Why there is no value, or are no bounds" })),
  },
  { title: "UtilizationFigure" },
);

const UtilizationRow = Type.Object(
  {
    day: Type.String({ format: "date", description: "Local calendar date of the project" }),
    utilization: Type.Union([Type.Number({ minimum: 0, maximum: 100 }), Type.Null()], {
      description:
        "Working time in the shift, percent of the shift; today: of the shift so far; null: not known",
    }),
    working_s: orNull("Working seconds inside the shift"),
    overtime_s: orNull("Working seconds outside the shift"),
    engine_on_s: orNull("Seconds in which the engine ran"),
    distance_m: orNull("Metres"),
    figures: Type.Object(
      { working: Figure, overtime: Figure, engine_on: Figure, distance: Figure },
      { description: "The same figures with what they are computed from" },
    ),
  },
  { title: "UtilizationDay" },
);
type UtilizationRow = Static<typeof UtilizationRow>;

const Utilization = Type.Object(
  {
    asset_id: AssetId,
    from: CalendarDate,
    to: CalendarDate,
    time_zone: Type.String(),
    data: Type.Array(UtilizationRow, {
      description: "Days on which the asset reported, and those between two reports, ascending",
    }),
  },
  { title: "Utilization" },
);

const COLUMNS: CsvColumns<UtilizationRow> = {
  day: (row) => row.day,
  utilization: (row) => row.utilization ?? undefined,
  working_s: (row) => row.working_s ?? undefined,
  overtime_s: (row) => row.overtime_s ?? undefined,
  engine_on_s: (row) => row.engine_on_s ?? undefined,
  distance_m: (row) => row.distance_m ?? undefined,
  ...figureColumns("working"),
  ...figureColumns("overtime"),
  ...figureColumns("engine_on"),
  ...figureColumns("distance"),
};

/** Bounds, basis and share of a figure, as columns of their own. */
function figureColumns(name: keyof UtilizationRow["figures"]): CsvColumns<UtilizationRow> {
  return {
    [`${name}_lower`]: (row) => row.figures[name].lower ?? undefined,
    [`${name}_upper`]: (row) => row.figures[name].upper ?? undefined,
    [`${name}_basis`]: (row) => row.figures[name].basis,
    [`${name}_seen_percent`]: (row) => row.figures[name].seen_percent ?? undefined,
  };
}

/** GET /assets/{asset_id}/utilization, mounted at `/api/v1/equipment`. */
const utilization: FastifyPluginAsyncTypebox<UtilizationOptions> = async (app, options) => {
  const { records, directory, live, now } = options;
  app.get(
    "/assets/:asset_id/utilization",
    {
      config: { access: "equipment:read" },
      schema: {
        operationId: "getAssetUtilization",
        tags: ["equipment"],
        summary: "Working time per local day of the asset's project",
        params: AssetPath,
        querystring: Type.Object({
          from: Type.Optional(Type.String({ format: "date", description: "First day, inclusive" })),
          to: Type.Optional(Type.String({ format: "date", description: "Last day, inclusive" })),
        }),
        response: { 200: jsonOrCsv("Utilisation by day", Utilization), ...FAILURES },
      },
    },
    async (request, reply) => {
      const { query, params } = request;
      const nowMs = now();
      checkRange(query, nowMs);
      const { asset, project } = visibleAsset(directory, request, params.asset_id);
      const today = localDate(project.time_zone, nowMs);
      const to = query.to ?? later(today, query.from);
      const from = query.from ?? dayOf(dayNumber(to) + 1 - DEFAULT_DAYS);
      const state = live.state(asset.id);
      const rows = new Map<string, UtilizationRow>();
      for (const day of await records.pipeline.days(asset.id, from, to)) {
        const totals = { ...day, usage: unpackUsage(day.usage) };
        rows.set(day.day, rowOf(totals, project, nowMs));
      }
      // The live state is ahead of its stored row by up to one pipeline commit.
      const totals = state?.today;
      if (totals !== undefined && totals.day >= from && totals.day <= to) {
        rows.set(totals.day, rowOf(totals, project, nowMs));
      }
      const data = [...rows.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
      if (preferredType(request.headers.accept, [CSV_TYPE]) === CSV_TYPE) {
        return sendCsv(reply, data, COLUMNS);
      }
      return reply.send({ asset_id: asset.id, from, to, time_zone: project.time_zone, data });
    },
  );
};

function rowOf(totals: DayTotals, project: Project, nowMs: number): UtilizationRow {
  const period = periodOf(totals.day, project, nowMs);
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

/** The whole of a day; of today, what has passed of it. */
function periodOf(day: string, project: Project, nowMs: number): FigurePeriod {
  const noonMs = DateTime.fromISO(`${day}T12:00`, { zone: project.time_zone }).toMillis();
  const { startMs, endMs, shift } = localDayAt(project, noonMs);
  const isToday = nowMs >= startMs && nowMs < endMs;
  const toMs = isToday ? nowMs : endMs;
  return { ms: toMs - startMs, shiftMs: overlapMs(shift, startMs, toMs) };
}

/** Working time as percent of the shift, one decimal. */
function shareOf(workingS: number | null, { shiftMs }: FigurePeriod): number | null {
  if (workingS === null) return null;
  if (shiftMs <= 0) return 0;
  return Math.min(100, Math.round((workingS * 1e6) / shiftMs) / 10);
}

/**
 * Before the asset is looked up, so that a wrong range is a 400 whatever the asset. Without a last
 * day it is today, which is not the same date everywhere: what fits some time zone passes.
 * @throws ParameterError
 */
function checkRange(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  nowMs: number,
): void {
  if (to !== undefined && dayNumber(to) < DEFAULT_DAYS) {
    throw invalidParameter("to", "must not be before 1970-01-08");
  }
  if (from === undefined) return;
  if (dayNumber(from) < 0) throw invalidParameter("from", "must not be before 1970-01-01");
  if (from > (to ?? localDate("Etc/GMT-14", nowMs))) {
    throw invalidParameter("from", "must not be after to");
  }
  if (dayNumber(to ?? localDate("Etc/GMT+12", nowMs)) - dayNumber(from) >= MAX_DAYS) {
    throw invalidParameter("from", `must be less than ${MAX_DAYS} days before to`);
  }
}

function later(day: string, other: string | undefined): string {
  return other !== undefined && other > day ? other : day;
}

/** Days since 1970-01-01 of a calendar date. */
function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

function dayOf(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}

export default utilization;
