import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { type AssetId, ProjectId } from "../../../domain/ids.ts";
import { localDate } from "../../../domain/local-time.ts";
import type { LiveAssets } from "../../../ingest/asset-state/asset-state.ts";
import type { AssetDirectory, AssetEntry } from "../../../ingest/directories/asset-directory.ts";
import type { UtilizationDay } from "../../../storage/ports/pipeline.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleFleet, visibleProject } from "../../access/asset-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { createWorkSlots } from "../../long-requests/work-slots.ts";
import { jsonOrCsv } from "../../representations/media-types.ts";
import { CSV_TYPE, preferredType } from "../../representations/negotiation.ts";
import { type CsvColumns, sendCsv } from "../../representations/send-list.ts";
import { pageOf, sortedBy } from "../../schemas/page.ts";
import { invalidParameter } from "../../validation/validation.ts";
import { assetDays, createPeriods, type Periods } from "./asset-days.ts";
import { checkRange, dayNumber, dayRange } from "./day-range.ts";
import { type FleetRow, FleetUtilization, GROUPS } from "./fleet-schemas.ts";
import { FleetSums } from "./fleet-sums.ts";

export interface FleetUtilizationOptions {
  readonly records: Pick<RecordStore, "pipeline">;
  readonly directory: AssetDirectory;
  readonly live: LiveAssets;
  readonly now: () => number;
}

/** Longest range, days: a quarter. */
const MAX_DAYS = 92;
/** Most assets times days: each takes 50 to 80 microseconds, so that a whole answer is 3 s of a core. */
const MAX_ASSET_DAYS = 40_000;
/** Assets that are read at once: a quarter of them is 1 MB of rows. */
const ASSETS_AT_ONCE = 50;
/** Under way at a time; each takes a part of a core. */
const READS = { what: "sums over the fleet", perOwner: 2, inAll: 4, retryAfterS: 1 };

/** The order of the rows: assets as they were registered, types by name, days ascending. */
const ORDER = sortedBy("group");

const COLUMNS: CsvColumns<FleetRow> = {
  asset_id: (row) => row.asset_id,
  asset_name: (row) => row.asset_name,
  type: (row) => row.type,
  day: (row) => row.day,
  assets: (row) => row.assets,
  asset_days: (row) => row.asset_days,
  utilization: (row) => row.utilization ?? undefined,
  ...figureColumns("working", "s"),
  ...figureColumns("overtime", "s"),
  ...figureColumns("engine_on", "s"),
  ...figureColumns("distance", "m"),
};

/** A figure with its bounds, on how many days it is known, and its basis. */
function figureColumns(name: keyof FleetRow["figures"], unit: string): CsvColumns<FleetRow> {
  return {
    [`${name}_${unit}`]: (row) => row.figures[name].value ?? undefined,
    [`${name}_lower`]: (row) => row.figures[name].lower ?? undefined,
    [`${name}_upper`]: (row) => row.figures[name].upper ?? undefined,
    [`${name}_known_days`]: (row) => row.figures[name].known_days,
    [`${name}_basis`]: (row) => row.figures[name].basis,
  };
}

/** GET /utilization of a whole fleet, mounted at `/api/v1/equipment`. */
const fleetUtilization: FastifyPluginAsyncTypebox<FleetUtilizationOptions> = async (
  app,
  options,
) => {
  const { records, directory, live, now } = options;
  const slots = createWorkSlots(READS);

  app.get(
    "/utilization",
    {
      config: { access: "equipment:read" },
      schema: {
        operationId: "getFleetUtilization",
        tags: ["equipment"],
        summary: "Working time of all assets, added up by asset, type or day",
        description: `The same days as \`getAssetUtilization\`. At most ${MAX_DAYS} days, and ${MAX_ASSET_DAYS} assets times days.`,
        querystring: Type.Object({
          project_id: Type.Optional(ProjectId),
          from: Type.Optional(Type.String({ format: "date", description: "First day, inclusive" })),
          to: Type.Optional(Type.String({ format: "date", description: "Last day, inclusive" })),
          group: Type.Array(Type.Enum([...GROUPS]), {
            minItems: 1,
            maxItems: GROUPS.length,
            uniqueItems: true,
            explode: false,
            default: ["asset"],
            description: "Separated by commas: `asset,day` has a row for each asset and day",
          }),
          ...ORDER.parameters,
        }),
        response: { 200: jsonOrCsv("Sums by group", FleetUtilization), ...FAILURES },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const nowMs = now();
      checkRange(query, nowMs, MAX_DAYS);
      const asked =
        query.project_id === undefined
          ? undefined
          : visibleProject(directory, request, query.project_id).id;
      const fleet = visibleFleet(directory, request).filter(
        ({ asset }) => asked === undefined || asset.project_id === asked,
      );
      const range = dayRange(query, latestToday(fleet, nowMs));
      checkSize(fleet.length, range);
      const leave = slots.enter(request, reply);
      try {
        const sums = new FleetSums(query.group);
        const periods = createPeriods(nowMs);
        for (let i = 0; i < fleet.length; i += ASSETS_AT_ONCE) {
          await addAssets(sums, fleet.slice(i, i + ASSETS_AT_ONCE), range, periods);
        }
        const page = pageOf(sums.rows(), ORDER.pageOf(query));
        if (preferredType(request.headers.accept, [CSV_TYPE]) === CSV_TYPE) {
          return sendCsv(reply, page.data, COLUMNS);
        }
        return reply.send({ ...range, data: [...page.data], pagination: page.pagination });
      } finally {
        leave();
      }
    },
  );

  async function addAssets(
    sums: FleetSums,
    entries: readonly AssetEntry[],
    range: { readonly from: string; readonly to: string },
    periods: Periods,
  ): Promise<void> {
    const ids = entries.map(({ asset }) => asset.id);
    const stored = new Map<AssetId, UtilizationDay[]>(ids.map((id) => [id, []]));
    for (const day of await records.pipeline.daysOf(ids, range.from, range.to)) {
      stored.get(day.assetId)?.push(day);
    }
    for (const { asset, project } of entries) {
      const today = live.state(asset.id)?.today;
      sums.add(asset, assetDays(stored.get(asset.id) ?? [], today, { ...range, project, periods }));
      // The event loop gets a turn: a quarter of an asset is 7 ms.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
};

/** The latest date that it is now in any of the projects; UTC where there is none. */
function latestToday(fleet: readonly AssetEntry[], nowMs: number): string {
  const zones = new Set(fleet.map(({ project }) => project.time_zone));
  const days = [...(zones.size === 0 ? ["UTC"] : zones)].map((zone) => localDate(zone, nowMs));
  return days.toSorted().at(-1) ?? localDate("UTC", nowMs);
}

/** @throws ParameterError */
function checkSize(
  assets: number,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  const days = dayNumber(to) - dayNumber(from) + 1;
  if (assets * days <= MAX_ASSET_DAYS) return;
  const most = Math.max(1, Math.floor(MAX_ASSET_DAYS / assets));
  throw invalidParameter("from", `must leave at most ${most} days for ${assets} assets`);
}

export default fleetUtilization;
