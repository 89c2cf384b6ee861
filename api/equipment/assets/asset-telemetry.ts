import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { type Static, Type } from "typebox";
import { FIELD_NAME, MAX_FIELDS } from "../../../domain/equipment/reading.ts";
import { AssetId } from "../../../domain/ids.ts";
import { HOUR_MS } from "../../../domain/time.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { TelemetryStore } from "../../../storage/ports/telemetry-store.ts";
import { visibleAsset } from "../../access/asset-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { jsonOrCsv } from "../../representations/media-types.ts";
import { CSV_TYPE, preferredType } from "../../representations/negotiation.ts";
import { type CsvColumns, sendCsv } from "../../representations/send-list.ts";
import { readInstant } from "../../schemas/instant.ts";
import { CursorPagination, cursorParameters } from "../../schemas/page.ts";
import { Timestamp } from "../../schemas/timestamp.ts";
import { invalidParameter } from "../../validation/validation.ts";
import { AssetPath } from "./asset-schemas.ts";
import {
  AGGREGATES,
  type Aggregate,
  aggregated,
  rowsOf,
  type SeriesRow,
  thinned,
} from "./series-rows.ts";

export interface AssetTelemetryOptions {
  readonly directory: AssetDirectory;
  readonly telemetry: Pick<TelemetryStore, "read">;
  readonly now: () => number;
}

/**
 * Longest range of one answer, days: a far page reads all rows before it, so more takes longer; a longer
 * range is several requests.
 */
const MAX_DAYS = 31;
/** How much is read from the store at a time, ms: more is memory for a long range, less is more reads. */
const SLICE_MS = 6 * HOUR_MS;
const MAX_ROWS = 10_000;

/** Longest range that is thinned: all of it is in memory at once, and 7 days at 1 Hz are 604,800 rows. */
const MAX_THINNED_DAYS = 7;

interface Range {
  readonly assetId: AssetId;
  /** Half-open interval `[fromMs, toMs)`, ms since the Unix epoch. */
  readonly fromMs: number;
  readonly toMs: number;
}

const Telemetry = Type.Object(
  {
    asset_id: AssetId,
    from: Timestamp,
    to: Timestamp,
    data: Type.Array(
      Type.Object(
        { timestamp: Timestamp },
        { additionalProperties: Type.Number(), description: "The fields that have a value then" },
      ),
      { description: "Ascending" },
    ),
    pagination: CursorPagination,
  },
  { title: "Telemetry" },
);
type Telemetry = Static<typeof Telemetry>;

/** GET /assets/{asset_id}/telemetry, mounted at `/api/v1/equipment`. */
const assetTelemetry: FastifyPluginAsyncTypebox<AssetTelemetryOptions> = async (app, options) => {
  const { directory, telemetry, now } = options;

  /** Up to `wanted` rows of `[fromMs, toMs)`, slice by slice. */
  async function readRows(
    range: Range,
    fields: readonly string[] | undefined,
    bucket: { readonly intervalMs: number; readonly aggregate: Aggregate } | undefined,
    wanted: number,
  ): Promise<readonly SeriesRow[]> {
    const rows: SeriesRow[] = [];
    // Slices end on bucket borders, so that no bucket is cut in two.
    const unitMs = bucket?.intervalMs ?? 1;
    const sliceMs = Math.ceil(SLICE_MS / unitMs) * unitMs;
    let fromMs = range.fromMs;
    while (fromMs < range.toMs && rows.length < wanted) {
      const toMs = Math.min(range.toMs, Math.floor(fromMs / unitMs) * unitMs + sliceMs);
      const series = await telemetry.read({
        assetId: range.assetId,
        fromMs,
        toMs,
        ...(fields === undefined ? {} : { fields }),
      });
      const found =
        bucket === undefined ? series : aggregated(series, bucket.intervalMs, bucket.aggregate);
      for (const row of rowsOf(found)) if (rows.push(row) >= wanted) break;
      fromMs = toMs;
    }
    return rows;
  }

  /** The whole range in at most `maxRows` rows. @throws ParameterError for fewer than two a field. */
  async function readThinned(
    range: Range,
    fields: readonly string[] | undefined,
    maxRows: number,
  ): Promise<readonly SeriesRow[]> {
    const series = await telemetry.read({ ...range, ...(fields === undefined ? {} : { fields }) });
    if (maxRows < series.columns.size * 2) {
      throw invalidParameter("max_points", "must be at least twice the number of fields");
    }
    return [...rowsOf(thinned(series, maxRows))];
  }

  app.get(
    "/assets/:asset_id/telemetry",
    {
      config: { access: "equipment:read" },
      schema: {
        operationId: "getAssetTelemetry",
        tags: ["equipment"],
        summary: "The readings of an asset, as received or per interval",
        params: AssetPath,
        querystring: Type.Object({
          from: Type.Optional(
            Type.String({ format: "date-time", description: "Inclusive; default: 24 h before to" }),
          ),
          to: Type.Optional(Type.String({ format: "date-time", description: "Exclusive; now" })),
          fields: Type.Optional(
            Type.Array(Type.String({ pattern: FIELD_NAME.source }), {
              minItems: 1,
              maxItems: MAX_FIELDS,
              explode: false,
              description: "Field names, separated by commas; absent: all",
            }),
          ),
          interval_s: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 86_400, description: "Length of a row" }),
          ),
          aggregate: Type.Enum([...AGGREGATES], {
            default: "mean",
            description: "What an interval is reduced to; has no effect without interval_s",
          }),
          max_points: Type.Optional(
            Type.Integer({
              minimum: 2,
              maximum: MAX_ROWS,
              description: "Thins the whole range to this many rows that keep its shape",
            }),
          ),
          ...cursorParameters({
            format: "date-time",
            description:
              "In place of from: `next_cursor` of the answer before, with the same other parameters",
          }),
        }),
        response: { 200: jsonOrCsv("The readings", Telemetry), ...FAILURES },
      },
    },
    async (request, reply) => {
      const { fields, interval_s, aggregate, limit, cursor } = request.query;
      const toMs = request.query.to === undefined ? now() : readInstant("to", request.query.to);
      const start = cursor === undefined ? "from" : "cursor";
      const startText = request.query[start];
      const fromMs =
        startText === undefined ? Math.max(0, toMs - 24 * HOUR_MS) : readInstant(start, startText);
      if (fromMs >= toMs) throw invalidParameter(start, "must be before to");
      if (toMs - fromMs > MAX_DAYS * 24 * HOUR_MS) {
        throw invalidParameter(start, `must be at most ${MAX_DAYS} days before to`);
      }
      const bucket =
        interval_s === undefined ? undefined : { intervalMs: interval_s * 1_000, aggregate };
      const { max_points } = request.query;
      if (max_points !== undefined && interval_s !== undefined) {
        throw invalidParameter("max_points", "and interval_s exclude each other");
      }
      if (max_points !== undefined && toMs - fromMs > MAX_THINNED_DAYS * 24 * HOUR_MS) {
        throw invalidParameter("max_points", `needs a range of at most ${MAX_THINNED_DAYS} days`);
      }
      const { asset } = visibleAsset(directory, request, request.params.asset_id);
      const range = { assetId: asset.id, fromMs, toMs };
      const rows =
        max_points === undefined
          ? await readRows(range, fields, bucket, limit + 1)
          : await readThinned(range, fields, max_points);
      const most = max_points ?? limit;
      const shown = rows.slice(0, most);
      const next = rows[most];
      if (preferredType(request.headers.accept, [CSV_TYPE]) === CSV_TYPE) {
        return sendCsv(reply, shown, columnsOf(shown, fields));
      }
      const answer: Telemetry = {
        asset_id: asset.id,
        from: new Date(fromMs).toISOString(),
        to: new Date(toMs).toISOString(),
        data: shown.map((row) => ({ ...row.values, timestamp: iso(row) })),
        pagination: {
          limit: most,
          has_more: next !== undefined,
          ...(next === undefined ? {} : { next_cursor: iso(next) }),
        },
      };
      return reply.type("application/json; charset=utf-8").send(JSON.stringify(answer));
    },
  );
};

/** One column per field, in the order asked for or else by name. */
function columnsOf(
  rows: readonly SeriesRow[],
  fields: readonly string[] | undefined,
): CsvColumns<SeriesRow> {
  const names = fields ?? [...new Set(rows.flatMap((row) => Object.keys(row.values)))].sort();
  const columns = names.map((name) => [name, (row: SeriesRow) => row.values[name]]);
  return { timestamp: iso, ...Object.fromEntries(columns) };
}

function iso(row: SeriesRow): string {
  return new Date(row.timeMs).toISOString();
}

export default assetTelemetry;
