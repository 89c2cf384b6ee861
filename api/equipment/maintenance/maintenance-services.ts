import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { randomBase62 } from "../../../domain/ids.ts";
import type { LiveAssets } from "../../../ingest/asset-state/asset-state.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { PlanDirectory } from "../../../ingest/directories/plan-directory.ts";
import type { ServiceRow } from "../../../storage/ports/equipment/maintenance.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import type { TelemetryStore } from "../../../storage/ports/telemetry-store.ts";
import { visibleAsset } from "../../access/asset-access.ts";
import { FAILURES, WRITE_FAILURES } from "../../errors/error.ts";
import { jsonOrCsv } from "../../representations/media-types.ts";
import { CSV_TYPE, preferredType } from "../../representations/negotiation.ts";
import { type CsvColumns, sendCsv } from "../../representations/send-list.ts";
import { readInstant } from "../../schemas/instant.ts";
import { paginationOf, sortedBy } from "../../schemas/page.ts";
import { invalidParameter } from "../../validation/validation.ts";
import { letFollow } from "../../writes/follow.ts";
import { once } from "../../writes/once.ts";
import { AssetPath } from "../assets/asset-schemas.ts";
import { metersAt } from "./maintenance-meters.ts";
import { NewService, Service, ServiceList } from "./maintenance-schemas.ts";

/** The order of the list. */
const ORDER = sortedBy("-serviced_at");

export interface MaintenanceServicesOptions {
  readonly records: RecordStore;
  readonly telemetry: Pick<TelemetryStore, "read">;
  readonly directory: AssetDirectory;
  readonly live: LiveAssets;
  readonly plans: PlanDirectory;
  readonly now: () => number;
}

const COLUMNS: CsvColumns<Service> = {
  id: (service) => service.id,
  asset_id: (service) => service.asset_id,
  project_id: (service) => service.project_id,
  item: (service) => service.item,
  serviced_at: (service) => service.serviced_at,
  recorded_at: (service) => service.recorded_at,
  engine_hours: (service) => service.engine_hours,
  hours_source: (service) => service.hours_source,
  odometer_km: (service) => service.odometer_km,
  note: (service) => service.note,
};

/** Recording services, and their history; mounted at `/api/v1/equipment`. */
const maintenanceServices: FastifyPluginAsyncTypebox<MaintenanceServicesOptions> = async (
  app,
  { records, telemetry, directory, live, plans, now },
) => {
  app.post(
    "/assets/:asset_id/services",
    {
      config: { access: "equipment:write", once: "transaction" },
      schema: {
        operationId: "recordService",
        tags: ["equipment"],
        summary: "Record a service that was done; its interval starts anew",
        params: AssetPath,
        body: NewService,
        response: { 201: Service, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { body, params } = request;
      const nowMs = now();
      const servicedAtMs =
        body.serviced_at === undefined ? nowMs : readInstant("serviced_at", body.serviced_at);
      if (servicedAtMs > nowMs) throw invalidParameter("serviced_at", "must not be in the future");
      const { asset, project } = visibleAsset(directory, request, params.asset_id);
      const plan = plans.inForce(asset.id, asset.project_id, Number.MAX_SAFE_INTEGER)?.plan;
      const items = (plan?.services ?? []).map(({ item }) => item);
      if (!items.includes(body.item)) throw unknownItem(items);
      const sources = { telemetry, pipeline: records.pipeline };
      const shown = await metersAt(live.state(asset.id), project, servicedAtMs, nowMs, sources);
      const { engine_hours, odometer_km } = body;
      const service = {
        id: `srv_${randomBase62(16)}`,
        assetId: asset.id,
        projectId: asset.project_id,
        item: body.item,
        servicedAtMs,
        recordedAtMs: nowMs,
        engineHours: engine_hours ?? shown.engineHours,
        hoursSource: engine_hours === undefined ? shown.hoursSource : "stated",
        odometerKm: odometer_km ?? shown.odometerKm,
        note: body.note,
      };
      const answer = await once(request, reply.code(201), records, async (transaction) =>
        serviceView(await transaction.maintenance.recordService(service)),
      );
      await letFollow(plans);
      return answer;
    },
  );

  app.get(
    "/assets/:asset_id/services",
    {
      config: { access: "equipment:read" },
      schema: {
        operationId: "listServices",
        tags: ["equipment"],
        summary: "Services of an asset, newest first",
        params: AssetPath,
        querystring: Type.Object({
          item: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
          ...ORDER.parameters,
        }),
        response: { 200: jsonOrCsv("Services", ServiceList), ...FAILURES },
      },
    },
    async (request, reply) => {
      const { item } = request.query;
      const { asset } = visibleAsset(directory, request, request.params.asset_id);
      const page = { ...(item === undefined ? {} : { item }), ...ORDER.pageOf(request.query) };
      const { services, total } = await records.maintenance.services(asset.id, page);
      const data = services.map(serviceView);
      if (preferredType(request.headers.accept, [CSV_TYPE]) === CSV_TYPE) {
        return sendCsv(reply, data, COLUMNS);
      }
      return reply.send({ data, pagination: paginationOf(page, data.length, total) });
    },
  );
};

function unknownItem(items: readonly string[]): Error {
  if (items.length === 0) {
    return invalidParameter("item", "names no service: the asset's plan has none");
  }
  return invalidParameter("item", `must be a service of the asset's plan: ${items.join(", ")}`);
}

function serviceView(row: ServiceRow): Service {
  return {
    id: row.id,
    asset_id: row.assetId,
    project_id: row.projectId,
    item: row.item,
    serviced_at: new Date(row.servicedAtMs).toISOString(),
    recorded_at: new Date(row.recordedAtMs).toISOString(),
    ...(row.engineHours === undefined ? {} : { engine_hours: row.engineHours }),
    ...(row.hoursSource === undefined ? {} : { hours_source: row.hoursSource }),
    ...(row.odometerKm === undefined ? {} : { odometer_km: row.odometerKm }),
    ...(row.note === undefined ? {} : { note: row.note }),
  };
}

export default maintenanceServices;
