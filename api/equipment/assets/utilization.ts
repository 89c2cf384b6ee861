import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { AssetId } from "../../../domain/ids.ts";
import { localDate } from "../../../domain/local-time.ts";
import type { LiveAssets } from "../../../ingest/asset-state/asset-state.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleAsset } from "../../access/asset-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { jsonOrCsv } from "../../representations/media-types.ts";
import { CSV_TYPE, preferredType } from "../../representations/negotiation.ts";
import { type CsvColumns, sendCsv } from "../../representations/send-list.ts";
import { assetDays, createPeriods } from "../utilization/asset-days.ts";
import { checkRange, dayRange } from "../utilization/day-range.ts";
import { CalendarDate, UtilizationRow } from "../utilization/day-schemas.ts";
import { AssetPath } from "./asset-schemas.ts";

export interface UtilizationOptions {
  readonly records: RecordStore;
  readonly directory: AssetDirectory;
  readonly live: LiveAssets;
  readonly now: () => number;
}

/**
 * Longest range of one answer, days: a leap year. Every day is computed for the answer, so more takes
 * longer.
 */
const MAX_DAYS = 366;

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
      checkRange(query, nowMs, MAX_DAYS);
      const { asset, project } = visibleAsset(directory, request, params.asset_id);
      const { from, to } = dayRange(query, localDate(project.time_zone, nowMs));
      const stored = await records.pipeline.days(asset.id, from, to);
      const today = live.state(asset.id)?.today;
      const periods = createPeriods(nowMs);
      const days = assetDays(stored, today, { from, to, project, periods });
      const data = days.map(({ row }) => row);
      if (preferredType(request.headers.accept, [CSV_TYPE]) === CSV_TYPE) {
        return sendCsv(reply, data, COLUMNS);
      }
      return reply.send({ asset_id: asset.id, from, to, time_zone: project.time_zone, data });
    },
  );
};

export default utilization;
