import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import {
  DEFAULT_CROSSING_RULES,
  type Geofence as Fence,
} from "../../../domain/geometry/geofence.ts";
import { type GeofenceId, newId } from "../../../domain/ids.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import { LATE_SPAN_MS } from "../../../ingest/track/asset-track.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleProject } from "../../access/asset-access.ts";
import { visibleGeofence } from "../../access/record-access.ts";
import type { ApiDependencies } from "../../dependencies/dependencies.ts";
import { FAILURES, WRITE_FAILURES } from "../../errors/error.ts";
import { readInstant } from "../../schemas/instant.ts";
import { invalidParameter, withBody } from "../../validation/validation.ts";
import { letFollow } from "../../writes/follow.ts";
import { once } from "../../writes/once.ts";
import { ifMatching, removeMatching } from "../../writes/resource-tag.ts";
import { rulesOf, triggersOf } from "./fence-fields.ts";
import { drawsGround, readGround } from "./fence-ground.ts";
import {
  Geofence,
  GeofenceChange,
  GeofencePath,
  NewGeofence,
  NewGeofenceFields,
} from "./geofence-schemas.ts";
import { geofenceView } from "./geofence-view.ts";

export interface GeofenceWritesOptions {
  readonly records: Pick<RecordStore, "geofences" | "transaction">;
  readonly directory: AssetDirectory;
  readonly fences: ApiDependencies["fences"];
  readonly now: () => number;
}

/** Drawing, changing and removing fences; mounted at `/api/v1/equipment`. */
const geofenceWrites: FastifyPluginAsyncTypebox<GeofenceWritesOptions> = async (app, options) => {
  const { records, directory, fences, now } = options;
  const { geofences } = records;

  app.post(
    "/geofences",
    {
      config: {
        access: "equipment:write",
        contract: true,
        once: "transaction",
        sends: ["Location"],
      },
      validatorCompiler: withBody(NewGeofenceFields),
      schema: {
        operationId: "createGeofence",
        tags: ["equipment"],
        summary: "Create a virtual boundary to monitor equipment entry and exit",
        body: NewGeofence,
        response: { 201: Geofence, ...FAILURES },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const ground = (await readGround(body))();
      const nowMs = now();
      const validFromMs = validFromOf(body.valid_from, nowMs);
      visibleProject(directory, request, body.project_id);
      const at = new Date(nowMs).toISOString();
      const fence: Fence = {
        id: body.id ?? newId<GeofenceId>("gf"),
        project_id: body.project_id,
        name: body.name,
        kind: body.kind ?? "zone",
        ...ground,
        alert_on: triggersOf(body.alert_on ?? "both"),
        rules: rulesOf(body, DEFAULT_CROSSING_RULES),
        created_at: at,
        updated_at: at,
      };
      const answer = await once(request, reply.code(201), records, async (transaction) => {
        await transaction.geofences.insert(fence, validFromMs);
        return geofenceView(fence);
      });
      await letFollow(fences);
      return reply.header("location", `/api/v1/equipment/geofences/${fence.id}`).send(answer);
    },
  );

  app.patch(
    "/geofences/:geofence_id",
    {
      config: { access: "equipment:write", tagged: true },
      validatorCompiler: withBody(Type.Omit(GeofenceChange, ["polygon", "circle", "corridor"])),
      schema: {
        operationId: "updateGeofence",
        tags: ["equipment"],
        summary: "Change a fence from now on; earlier fixes keep the shape of their time",
        params: GeofencePath,
        body: GeofenceChange,
        response: { 200: Geofence, ...WRITE_FAILURES },
      },
    },
    async (request) => {
      const { body } = request;
      const groundOf = drawsGround(body) ? await readGround(body) : undefined;
      const { id } = await visibleGeofence(geofences, request, request.params.geofence_id);
      const nowMs = now();
      const change = ({ ring, area_sqm, drawn, ...before }: Fence): Fence => ({
        ...before,
        ...(groundOf?.(drawn) ?? { ring, area_sqm, ...(drawn === undefined ? {} : { drawn }) }),
        name: body.name ?? before.name,
        kind: body.kind ?? before.kind,
        alert_on: body.alert_on === undefined ? before.alert_on : triggersOf(body.alert_on),
        rules: rulesOf(body, before.rules),
        updated_at: new Date(nowMs).toISOString(),
      });
      const fence = await geofences.update(id, ifMatching(request, change), nowMs);
      await letFollow(fences);
      return geofenceView(fence);
    },
  );

  app.delete(
    "/geofences/:geofence_id",
    {
      config: { access: "equipment:write", tagged: true },
      schema: {
        operationId: "deleteGeofence",
        tags: ["equipment"],
        summary: "Remove a fence; visits in it end now, and stay on record",
        params: GeofencePath,
        response: { 204: Type.Null({ description: "Removed" }), ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { id } = await visibleGeofence(geofences, request, request.params.geofence_id);
      const nowMs = now();
      await removeMatching(
        request,
        records,
        (transaction, keep) => transaction.geofences.update(id, keep, nowMs),
        (stored) => stored.geofences.delete(id, nowMs),
      );
      await letFollow(fences);
      return reply.code(204).send(null);
    },
  );
};

/** @throws ParameterError for a time in the future, or before the period that is evaluated again. */
function validFromOf(validFrom: string | undefined, nowMs: number): number {
  if (validFrom === undefined) return nowMs;
  const validFromMs = readInstant("valid_from", validFrom);
  if (validFromMs > nowMs) throw invalidParameter("valid_from", "must not lie in the future");
  if (validFromMs < nowMs - LATE_SPAN_MS) {
    throw invalidParameter("valid_from", "must lie within the last 72 hours");
  }
  return validFromMs;
}

export default geofenceWrites;
