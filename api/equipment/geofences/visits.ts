import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { AssetId, GeofenceId, ProjectId } from "../../../domain/ids.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type * as stored from "../../../storage/ports/equipment/visits.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleProjects } from "../../access/asset-access.ts";
import { visibleGeofence } from "../../access/geofence-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { jsonOrCsv } from "../../representations/media-types.ts";
import { CSV_TYPE, preferredType } from "../../representations/negotiation.ts";
import { type CsvColumns, sendCsv } from "../../representations/send-list.ts";
import { paginationOf, type SortedPage, sortedBy } from "../../schemas/page.ts";
import { readTimeRange, TIME_RANGE_PARAMETERS } from "../../schemas/time-range.ts";
import { GeofencePath } from "./geofence-schemas.ts";
import { type Visit, VisitList } from "./visit-schemas.ts";

/** The order of the list. */
const ORDER = sortedBy("-entered_at");

export interface VisitsOptions {
  readonly records: RecordStore;
  readonly directory: AssetDirectory;
  readonly now: () => number;
}

const VISITS_200 = jsonOrCsv("Visits, newest entry first", VisitList);

const COLUMNS: CsvColumns<Visit> = {
  id: (visit) => visit.id,
  project_id: (visit) => visit.project_id,
  asset_id: (visit) => visit.asset_id,
  geofence_id: (visit) => visit.geofence_id,
  entered_at: (visit) => visit.entered_at,
  exited_at: (visit) => visit.exited_at,
  duration_s: (visit) => visit.duration_s,
  inferred: (visit) => visit.inferred,
  entry_cause: (visit) => visit.entry.cause,
  entry_latitude: (visit) => visit.entry.location.latitude,
  entry_longitude: (visit) => visit.entry.location.longitude,
  entry_accuracy_meters: (visit) => visit.entry.accuracy_meters,
  exit_cause: (visit) => visit.exit?.cause,
  exit_latitude: (visit) => visit.exit?.location.latitude,
  exit_longitude: (visit) => visit.exit?.location.longitude,
  exit_accuracy_meters: (visit) => visit.exit?.accuracy_meters,
};

/** When which asset was in which fence; mounted at `/api/v1/equipment`. */
const visits: FastifyPluginAsyncTypebox<VisitsOptions> = async (app, options) => {
  const { records, directory, now } = options;

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    filter: Omit<Parameters<stored.VisitRecords["list"]>[0], "isReversed" | "limit" | "offset">,
    page: SortedPage,
  ): Promise<FastifyReply> {
    const found = await records.visits.list({ ...filter, ...page });
    const data = found.visits.map((visit) => visitView(visit, now()));
    if (preferredType(request.headers.accept, [CSV_TYPE]) === CSV_TYPE) {
      return sendCsv(reply, data, COLUMNS);
    }
    return reply.send({
      data,
      pagination: paginationOf(page, data.length, found.total),
    });
  }

  app.get(
    "/visits",
    {
      config: { access: "equipment:read" },
      schema: {
        operationId: "listVisits",
        tags: ["equipment"],
        summary: "Stays of assets in fences that overlap [from, to), newest first",
        querystring: Type.Object({
          project_id: Type.Optional(ProjectId),
          geofence_id: Type.Optional(GeofenceId),
          asset_id: Type.Optional(AssetId),
          ...TIME_RANGE_PARAMETERS,
          ...ORDER.parameters,
        }),
        response: { 200: VISITS_200, ...FAILURES },
      },
    },
    async (request, reply) => {
      const { query } = request;
      // Removed fences and assets have visits too: an id that names nothing now is not a failure.
      const filter = {
        ...readTimeRange(query),
        ...visibleProjects(directory, request, query.project_id),
        ...(query.geofence_id === undefined ? {} : { geofenceId: query.geofence_id }),
        ...(query.asset_id === undefined ? {} : { assetId: query.asset_id }),
      };
      return send(request, reply, filter, ORDER.pageOf(query));
    },
  );

  app.get(
    "/geofences/:geofence_id/visits",
    {
      config: { access: "equipment:read" },
      schema: {
        operationId: "listGeofenceVisits",
        tags: ["equipment"],
        summary: "Stays in one fence that overlap [from, to), newest first",
        params: GeofencePath,
        querystring: Type.Object({
          asset_id: Type.Optional(AssetId),
          ...TIME_RANGE_PARAMETERS,
          ...ORDER.parameters,
        }),
        response: { 200: VISITS_200, ...FAILURES },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const range = readTimeRange(query);
      const fence = await visibleGeofence(records.geofences, request, request.params.geofence_id);
      const filter = {
        ...range,
        projectIds: [fence.project_id],
        geofenceId: fence.id,
        ...(query.asset_id === undefined ? {} : { assetId: query.asset_id }),
      };
      return send(request, reply, filter, ORDER.pageOf(query));
    },
  );
};

function visitView({ entered, exited, ...visit }: stored.Visit, nowMs: number): Visit {
  // A device may be ahead of the server's clock by up to 5 min.
  const durationMs = Math.max(0, (exited?.atMs ?? nowMs) - entered.atMs);
  return {
    id: visit.id,
    project_id: visit.projectId,
    asset_id: visit.assetId,
    geofence_id: visit.geofenceId,
    entered_at: new Date(entered.atMs).toISOString(),
    ...(exited === undefined ? {} : { exited_at: new Date(exited.atMs).toISOString() }),
    duration_s: durationMs / 1000,
    inferred: visit.inferred,
    entry: endView(entered),
    ...(exited === undefined ? {} : { exit: endView(exited) }),
  };
}

function endView({ cause, location, accuracyM }: stored.VisitEnd): Visit["entry"] {
  return { cause, location, accuracy_meters: accuracyM };
}

export default visits;
