import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { AssetId, GeofenceId, ProjectId } from "../../../domain/ids.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleProjects } from "../../access/asset-access.ts";
import { visibleAlert } from "../../access/record-access.ts";
import { principal } from "../../auth/guard.ts";
import { nameOfKey } from "../../auth/key-name.ts";
import { FAILURES, WRITE_FAILURES } from "../../errors/error.ts";
import { jsonOrCsv } from "../../representations/media-types.ts";
import { CSV_TYPE, preferredType } from "../../representations/negotiation.ts";
import { type CsvColumns, sendCsv } from "../../representations/send-list.ts";
import { paginationOf, sortedBy } from "../../schemas/page.ts";
import { readTimeRange, TIME_RANGE_PARAMETERS } from "../../schemas/time-range.ts";
import { once } from "../../writes/once.ts";
import acknowledgeAlerts from "./acknowledge-alerts.ts";
import alertMutes from "./alert-mutes.ts";
import { Acknowledgement, ALERT_FILTERS, Alert, AlertList, AlertPath } from "./alert-schemas.ts";
import { readAlertTypes } from "./alert-types.ts";
import { alertView } from "./alert-view.ts";

/** The order of the list. */
const ORDER = sortedBy("-opened_at");

export interface AlertsOptions {
  readonly records: Pick<
    RecordStore,
    "alerts" | "alertMutes" | "apiKeys" | "geofences" | "transaction"
  >;
  readonly directory: AssetDirectory;
  readonly now: () => number;
}

const COLUMNS: CsvColumns<Alert> = {
  id: (alert) => alert.id,
  type: (alert) => alert.type,
  severity: (alert) => alert.severity,
  status: (alert) => alert.status,
  project_id: (alert) => alert.project_id,
  asset_id: (alert) => alert.asset_id,
  geofence_id: (alert) => alert.geofence_id,
  visit_id: (alert) => alert.visit_id,
  message: (alert) => alert.message,
  opened_at: (alert) => alert.opened_at,
  device_time: (alert) => alert.device_time,
  acknowledged_at: (alert) => alert.acknowledged_at,
  acknowledged_by: (alert) => alert.acknowledged_by,
  acknowledged_by_name: (alert) => alert.acknowledged_by_name,
  note: (alert) => alert.note,
  mute_id: (alert) => alert.mute_id,
  resolved_at: (alert) => alert.resolved_at,
  resolution: (alert) => alert.resolution,
  occurrences: (alert) => alert.occurrences,
};

/** Reading and acknowledging alerts; mounted at `/api/v1/equipment`. */
const alerts: FastifyPluginAsyncTypebox<AlertsOptions> = async (app, options) => {
  const { records, directory, now } = options;
  await app.register(acknowledgeAlerts, options);
  await app.register(alertMutes, options);

  app.get(
    "/alerts",
    {
      config: { access: "equipment:read" },
      schema: {
        operationId: "listAlerts",
        tags: ["equipment"],
        summary: "Alerts opened in [from, to), newest first",
        querystring: Type.Object({
          project_id: Type.Optional(ProjectId),
          asset_id: Type.Optional(AssetId),
          geofence_id: Type.Optional(GeofenceId),
          ...ALERT_FILTERS,
          ...TIME_RANGE_PARAMETERS,
          ...ORDER.parameters,
        }),
        response: { 200: jsonOrCsv("The alerts the key may see", AlertList), ...FAILURES },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const page = ORDER.pageOf(query);
      const types = readAlertTypes(query.type);
      const found = await records.alerts.list({
        ...readTimeRange(query),
        ...visibleProjects(directory, request, query.project_id),
        ...(query.asset_id === undefined ? {} : { assetId: query.asset_id }),
        ...(query.geofence_id === undefined ? {} : { geofenceId: query.geofence_id }),
        ...(query.status === undefined ? {} : { states: query.status }),
        ...(query.severity === undefined ? {} : { severities: query.severity }),
        ...(types === undefined ? {} : { types }),
        ...page,
      });
      const data = found.alerts.map(alertView);
      if (preferredType(request.headers.accept, [CSV_TYPE]) === CSV_TYPE) {
        return sendCsv(reply, data, COLUMNS);
      }
      return reply.send({
        data,
        pagination: paginationOf(page, data.length, found.total),
      });
    },
  );

  app.get(
    "/alerts/:alert_id",
    {
      config: { access: "equipment:read", tagged: true },
      schema: {
        operationId: "getAlert",
        tags: ["equipment"],
        summary: "One alert",
        params: AlertPath,
        response: { 200: Alert, ...FAILURES },
      },
    },
    async (request) =>
      alertView(await visibleAlert(records.alerts, request, request.params.alert_id)),
  );

  app.post(
    "/alerts/:alert_id/acknowledge",
    {
      config: { access: "equipment:write", once: "transaction" },
      schema: {
        operationId: "acknowledgeAlert",
        tags: ["equipment"],
        summary: "Acknowledge an alert; the first acknowledgement stays",
        params: AlertPath,
        body: Acknowledgement,
        response: { 200: Alert, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { id } = await visibleAlert(records.alerts, request, request.params.alert_id);
      const { keyId } = principal(request);
      const note = request.body?.note;
      const acknowledgement = {
        keyId,
        keyName: await nameOfKey(records.apiKeys, keyId),
        atMs: now(),
        ...(note === undefined ? {} : { note }),
      };
      return await once(request, reply, records, async (transaction) =>
        alertView(await transaction.alerts.acknowledge(id, acknowledgement)),
      );
    },
  );
};

export default alerts;
