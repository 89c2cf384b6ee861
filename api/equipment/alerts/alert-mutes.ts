import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { MAX_MUTE_DAYS, MUTES_PER_ASSET } from "../../../domain/equipment/alert.ts";
import type { AlertMuteId } from "../../../domain/ids.ts";
import { AssetId, type GeofenceId, newId, ProjectId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import { DAY_MS } from "../../../domain/time.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { AlertMute as StoredMute } from "../../../storage/ports/equipment/alert-mutes.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleAsset, visibleProjects } from "../../access/asset-access.ts";
import { visibleGeofence, visibleMute } from "../../access/record-access.ts";
import { principal } from "../../auth/guard.ts";
import { nameOfKey } from "../../auth/key-name.ts";
import { FAILURES, WRITE_FAILURES } from "../../errors/error.ts";
import { readInstant } from "../../schemas/instant.ts";
import { paginationOf, sortedBy } from "../../schemas/page.ts";
import { invalidParameter } from "../../validation/validation.ts";
import { once } from "../../writes/once.ts";
import { AlertMute, AlertMuteList, AlertMutePath, NewAlertMute } from "./alert-mute-schemas.ts";

/** The order of the list. */
const ORDER = sortedBy("-from");

export interface AlertMutesOptions {
  readonly records: Pick<RecordStore, "alertMutes" | "apiKeys" | "geofences" | "transaction">;
  readonly directory: AssetDirectory;
  readonly now: () => number;
}

/** Rules that are muted for an asset until a time; mounted at `/api/v1/equipment`. */
const alertMutes: FastifyPluginAsyncTypebox<AlertMutesOptions> = async (app, options) => {
  const { records, directory, now } = options;

  app.post(
    "/alert-mutes",
    {
      config: { access: "equipment:write", once: "transaction" },
      schema: {
        operationId: "createAlertMute",
        tags: ["equipment"],
        summary: "Mute a rule for an asset until a time",
        description: `Its alerts that open until then are stored as acknowledged by this key, with the mute's note. Open alerts, events and the asset's status do not change. An alert that becomes worse than \`max_severity\` opens after all. 409: the asset has ${MUTES_PER_ASSET} mutes in force.`,
        body: NewAlertMute,
        response: { 201: AlertMute, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { asset_id, type, geofence_id, max_severity = "warning", until, note } = request.body;
      const nowMs = now();
      const untilMs = readUntil(until, nowMs);
      const { asset } = visibleAsset(directory, request, asset_id);
      await requireFence(request, geofence_id, asset.project_id);
      const { keyId } = principal(request);
      const mute: StoredMute = {
        id: newId<AlertMuteId>("mut"),
        ...{ projectId: asset.project_id, assetId: asset.id, type, geofenceId: geofence_id },
        ...{ maxSeverity: max_severity, fromMs: nowMs, untilMs, note },
        ...{ createdBy: keyId, createdByName: await nameOfKey(records.apiKeys, keyId) },
      };
      return await once(request, reply.code(201), records, async (transaction) => {
        await transaction.alertMutes.insert(mute);
        return muteView(mute);
      });
    },
  );

  app.get(
    "/alert-mutes",
    {
      config: { access: "equipment:read" },
      schema: {
        operationId: "listAlertMutes",
        tags: ["equipment"],
        summary: "Mutes of alerts, newest first",
        querystring: Type.Object({
          project_id: Type.Optional(ProjectId),
          asset_id: Type.Optional(AssetId),
          ended: Type.Boolean({ default: false, description: "Also mutes that have ended" }),
          ...ORDER.parameters,
        }),
        response: { 200: AlertMuteList, ...FAILURES },
      },
    },
    async (request) => {
      const { query } = request;
      const page = ORDER.pageOf(query);
      const found = await records.alertMutes.list({
        ...visibleProjects(directory, request, query.project_id),
        ...(query.asset_id === undefined ? {} : { assetId: query.asset_id }),
        ...(query.ended ? {} : { untilAfterMs: now() }),
        ...page,
      });
      const data = found.mutes.map(muteView);
      return { data, pagination: paginationOf(page, data.length, found.total) };
    },
  );

  app.delete(
    "/alert-mutes/:mute_id",
    {
      config: { access: "equipment:write" },
      schema: {
        operationId: "deleteAlertMute",
        tags: ["equipment"],
        summary: "End a mute now; alerts that it acknowledged stay so",
        params: AlertMutePath,
        response: { 204: Type.Null({ description: "Ended" }), ...FAILURES },
      },
    },
    async (request, reply) => {
      const { id } = await visibleMute(records.alertMutes, request, request.params.mute_id);
      await records.alertMutes.remove(id);
      return reply.code(204).send(null);
    },
  );

  /** @throws ParameterError for a fence of another project; DomainError `GEOFENCE_NOT_FOUND`. */
  async function requireFence(
    request: FastifyRequest,
    id: GeofenceId | undefined,
    projectId: ProjectId,
  ): Promise<void> {
    if (id === undefined) return;
    const fence = await visibleGeofence(records.geofences, request, id);
    if (fence.project_id !== projectId) {
      throw invalidParameter("geofence_id", "must be a fence of the asset's project");
    }
  }
};

/** @throws ParameterError */
function readUntil(text: string, nowMs: number): number {
  const untilMs = readInstant("until", text);
  if (untilMs > nowMs && untilMs <= nowMs + MAX_MUTE_DAYS * DAY_MS) return untilMs;
  throw invalidParameter("until", `must be in the future, within ${MAX_MUTE_DAYS} days from now`);
}

const muteView = (mute: StoredMute): AlertMute => ({
  id: mute.id,
  project_id: mute.projectId,
  asset_id: mute.assetId,
  type: mute.type,
  ...(mute.geofenceId === undefined ? {} : { geofence_id: mute.geofenceId }),
  max_severity: mute.maxSeverity,
  from: isoTime(mute.fromMs),
  until: isoTime(mute.untilMs),
  ...(mute.note === undefined ? {} : { note: mute.note }),
  created_by: mute.createdBy,
  created_by_name: mute.createdByName,
});

export default alertMutes;
