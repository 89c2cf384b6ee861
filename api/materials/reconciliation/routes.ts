import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { type Static, Type } from "typebox";
import { AssetId, type GeofenceId, MeasurementId } from "../../../domain/ids.ts";
import type { Stockpile } from "../../../domain/sites/stockpile.ts";
import { DEFAULT_DENSITY_SHARE } from "../../../processing/reconciliation/compare-change.ts";
import { countLoads } from "../../../processing/reconciliation/count-loads.ts";
import { sumLoads } from "../../../processing/reconciliation/sum-loads.ts";
import { DEFAULT_WEIGHING_ERRORS } from "../../../processing/reconciliation/weighing-errors.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import type { TelemetryStore } from "../../../storage/ports/telemetry-store.ts";
import { visibleStockpile } from "../../access/record-access.ts";
import { alsoNeeds } from "../../auth/also-needs.ts";
import { FAILURES } from "../../errors/error.ts";
import { jsonOrCsv } from "../../representations/media-types.ts";
import { CSV_TYPE, preferredType } from "../../representations/negotiation.ts";
import { sendCsv } from "../../representations/send-list.ts";
import { pageOf, sortedBy } from "../../schemas/page.ts";
import { invalidParameter } from "../../validation/validation.ts";
import { StockpilePath } from "../stockpiles/stockpile-schemas.ts";
import { readMeasurementPair } from "./reconciled-measurements.ts";
import { Reconciliation } from "./reconciliation-schemas.ts";
import { type Assumed, LOAD_COLUMNS, loadView, reconciliationView } from "./reconciliation-view.ts";

export interface ReconciliationOptions {
  readonly records: Pick<RecordStore, "stockpiles" | "visits" | "geofences">;
  readonly telemetry: Pick<TelemetryStore, "read">;
  /** Days that visits and telemetry are kept; absent: not known. */
  readonly retentionDays: number | undefined;
  readonly now: () => number;
}

/**
 * Most assets that one request ignores: more make an address that proxies refuse, fewer leave out machines
 * of a large fleet.
 */
const MOST_IGNORED = 100;

/** The order of the loads. */
const ORDER = sortedBy("exited_at");

const Percent = (share: number, description: string) =>
  Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 50,
      description: `${description}; absent: ${100 * share}`,
    }),
  );

const Query = Type.Object({
  from_measurement: Type.Optional({ ...MeasurementId, description: "Absent: the one before to" }),
  to_measurement: Type.Optional({ ...MeasurementId, description: "Absent: the latest" }),
  ignore_assets: Type.Optional(
    Type.Array(AssetId, {
      minItems: 1,
      maxItems: MOST_IGNORED,
      explode: false,
      description: "Machines that carry no material of the pile, separated by commas",
    }),
  ),
  load_sigma_percent: Percent(
    DEFAULT_WEIGHING_ERRORS.loadShare,
    "One standard deviation of one on-board weighing",
  ),
  calibration_sigma_percent: Percent(
    DEFAULT_WEIGHING_ERRORS.calibrationShare,
    "One standard deviation of a machine's scale factor, which all its loads share",
  ),
  density_sigma_percent: Percent(
    DEFAULT_DENSITY_SHARE,
    "One standard deviation of the stockpile's density",
  ),
  least_load_kg: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 100_000,
      description: `A smaller change of payload within the fence is not a load; absent: ${DEFAULT_WEIGHING_ERRORS.leastLoadKg}`,
    }),
  ),
  ...ORDER.parameters,
});

/** GET /stockpiles/{stockpile_id}/reconciliation, mounted at `/api/v1/materials`. */
const reconciliation: FastifyPluginAsyncTypebox<ReconciliationOptions> = async (app, options) => {
  const { records, telemetry, retentionDays, now } = options;
  const { stockpiles, visits, geofences } = records;

  app.get(
    "/stockpiles/:stockpile_id/reconciliation",
    {
      config: { access: "materials:read" },
      onRequest: alsoNeeds("equipment:read"),
      schema: {
        operationId: "reconcileStockpile",
        tags: ["materials"],
        summary: "The measured change of a stockpile beside the loads that trucks brought and took",
        description:
          "Loads are the stays in the stockpile's fence that ended between two measurements, each weighed by payload_kg before the entry and after the exit. CSV is the list of them. Also needs the scope equipment:read.",
        params: StockpilePath,
        querystring: Query,
        response: {
          200: jsonOrCsv("Both changes with their uncertainties, and the loads", Reconciliation),
          ...FAILURES,
        },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const stockpile = await visibleStockpile(stockpiles, request, request.params.stockpile_id);
      const fenced = withFence(stockpile);
      const { from, to } = await readMeasurementPair(stockpiles, stockpile, query);
      const assumed = assumedOf(query);
      const fromMs = Date.parse(from.measured_at);
      const counted = await countLoads(
        { visits, telemetry },
        {
          projectId: stockpile.project_id,
          geofenceId: fenced.geofence_id,
          fromMs,
          toMs: Date.parse(to.measured_at),
          ignored: new Set(query.ignore_assets),
        },
        assumed,
      );
      const page = pageOf(counted.loads, ORDER.pageOf(query));
      const data = page.data.map((load) => loadView(load, fromMs));
      if (preferredType(request.headers.accept, [CSV_TYPE]) === CSV_TYPE) {
        return sendCsv(reply, data, LOAD_COLUMNS);
      }
      const sum = sumLoads(counted.loads, assumed);
      const fence = await geofences.find(fenced.geofence_id);
      const sources = { from, to, counted, sum, fence, retentionDays, nowMs: now() };
      return reply.send({ ...reconciliationView(fenced, sources, assumed), ...page, data });
    },
  );
};

/** @throws ParameterError for a stockpile without a fence: nothing shows its loads. */
function withFence(stockpile: Stockpile): Stockpile & { readonly geofence_id: GeofenceId } {
  const { geofence_id } = stockpile;
  if (geofence_id !== undefined) return { ...stockpile, geofence_id };
  throw invalidParameter(
    "geofence_id",
    "of the stockpile is not set: the visits of that fence are the loads",
  );
}

function assumedOf(query: Static<typeof Query>): Assumed {
  const { loadShare, calibrationShare, leastLoadKg } = DEFAULT_WEIGHING_ERRORS;
  const shareOf = (percent: number | undefined, share: number) =>
    percent === undefined ? share : percent / 100;
  return {
    loadShare: shareOf(query.load_sigma_percent, loadShare),
    calibrationShare: shareOf(query.calibration_sigma_percent, calibrationShare),
    densityShare: shareOf(query.density_sigma_percent, DEFAULT_DENSITY_SHARE),
    leastLoadKg: query.least_load_kg ?? leastLoadKg,
  };
}

export default reconciliation;
