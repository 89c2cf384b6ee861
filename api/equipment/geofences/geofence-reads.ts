import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { GEOFENCE_KINDS } from "../../../domain/geometry/geofence.ts";
import { ProjectId } from "../../../domain/ids.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { GeofenceRecords } from "../../../storage/ports/equipment/geofences.ts";
import { visibleProjects } from "../../access/asset-access.ts";
import { visibleGeofence } from "../../access/geofence-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { jsonOrGeo } from "../../representations/media-types.ts";
import { CSV_TYPE, GEOJSON_TYPE, preferredType } from "../../representations/negotiation.ts";
import { sendCsv } from "../../representations/send-list.ts";
import { paginationOf, sortedBy } from "../../schemas/page.ts";
import { severalOf } from "../../schemas/several.ts";
import { noteState } from "../../writes/resource-tag.ts";
import { geofenceFeature } from "./geofence-geojson.ts";
import { GEOFENCE_STATUSES, Geofence, GeofenceList, GeofencePath } from "./geofence-schemas.ts";
import { GEOFENCE_COLUMNS, geofenceView } from "./geofence-view.ts";

/** The order of the list. */
const ORDER = sortedBy("created_at");

export interface GeofenceReadsOptions {
  readonly geofences: GeofenceRecords;
  readonly directory: AssetDirectory;
}

/** Reading fences, as JSON, GeoJSON or CSV; mounted at `/api/v1/equipment`. */
const geofenceReads: FastifyPluginAsyncTypebox<GeofenceReadsOptions> = async (app, options) => {
  const { geofences, directory } = options;

  app.get(
    "/geofences",
    {
      config: { access: "equipment:read" },
      schema: {
        operationId: "listGeofences",
        tags: ["equipment"],
        summary: "Fences, oldest first",
        querystring: Type.Object({
          project_id: Type.Optional(ProjectId),
          kind: severalOf(Type.Enum([...GEOFENCE_KINDS])),
          status: severalOf(Type.Enum([...GEOFENCE_STATUSES])),
          ...ORDER.parameters,
        }),
        response: { 200: jsonOrGeo("The fences the key may see", GeofenceList), ...FAILURES },
      },
    },
    async (request, reply) => {
      // `status` needs no check: every fence that exists is active.
      const { project_id, kind } = request.query;
      const page = ORDER.pageOf(request.query);
      const found = await geofences.list({
        ...visibleProjects(directory, request, project_id),
        ...(kind === undefined ? {} : { kinds: kind }),
        ...page,
      });
      const wanted = preferredType(request.headers.accept, [GEOJSON_TYPE, CSV_TYPE]);
      if (wanted === CSV_TYPE) return sendCsv(reply, found.fences, GEOFENCE_COLUMNS);
      const pagination = paginationOf(page, found.fences.length, found.total);
      if (wanted === GEOJSON_TYPE) {
        const features = found.fences.map(geofenceFeature);
        // A foreign member (RFC 7946 section 6.1), so that a map knows that there are more.
        const collection = { type: "FeatureCollection", features, pagination };
        return reply.type(GEOJSON_TYPE).send(JSON.stringify(collection));
      }
      return reply.send({ data: found.fences.map(geofenceView), pagination });
    },
  );

  app.get(
    "/geofences/:geofence_id",
    {
      config: { access: "equipment:read", tagged: true },
      schema: {
        operationId: "getGeofence",
        tags: ["equipment"],
        summary: "One fence",
        params: GeofencePath,
        response: { 200: jsonOrGeo("The fence", Geofence), ...FAILURES },
      },
    },
    async (request, reply) => {
      const fence = await visibleGeofence(geofences, request, request.params.geofence_id);
      noteState(request, fence);
      const wanted = preferredType(request.headers.accept, [GEOJSON_TYPE, CSV_TYPE]);
      if (wanted === CSV_TYPE) return sendCsv(reply, [fence], GEOFENCE_COLUMNS);
      if (wanted === GEOJSON_TYPE) {
        return reply.type(GEOJSON_TYPE).send(JSON.stringify(geofenceFeature(fence)));
      }
      return reply.send(geofenceView(fence));
    },
  );
};

export default geofenceReads;
