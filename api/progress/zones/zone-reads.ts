import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { ProjectId } from "../../../domain/ids.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { WorkZoneRecords } from "../../../storage/ports/sites/work-zones.ts";
import { visibleProjects } from "../../access/asset-access.ts";
import { visibleZone } from "../../access/zone-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { jsonOrGeo } from "../../representations/media-types.ts";
import { CSV_TYPE, GEOJSON_TYPE, preferredType } from "../../representations/negotiation.ts";
import { sendCsv } from "../../representations/send-list.ts";
import type { SurfaceUrl } from "../../representations/surface-urls.ts";
import { paginationOf, sortedBy } from "../../schemas/page.ts";
import { noteState } from "../../writes/resource-tag.ts";
import { Zone, ZoneList, ZonePath } from "./zone-schemas.ts";
import { ZONE_COLUMNS, zoneFeature, zoneView } from "./zone-view.ts";

/** The order of the list. */
const ORDER = sortedBy("created_at");

export interface ZoneReadsOptions {
  readonly zones: WorkZoneRecords;
  readonly directory: AssetDirectory;
  readonly surfaceUrl: SurfaceUrl;
}

/** Reading work zones, as JSON, GeoJSON or CSV; mounted at `/api/v1/progress`. */
const zoneReads: FastifyPluginAsyncTypebox<ZoneReadsOptions> = async (app, options) => {
  const { zones, directory, surfaceUrl } = options;

  app.get(
    "/zones",
    {
      config: { access: "progress:read" },
      schema: {
        operationId: "listZones",
        tags: ["progress"],
        summary: "Work zones, oldest first",
        querystring: Type.Object({ project_id: Type.Optional(ProjectId), ...ORDER.parameters }),
        response: { 200: jsonOrGeo("The work zones the key may see", ZoneList), ...FAILURES },
      },
    },
    async (request, reply) => {
      const page = ORDER.pageOf(request.query);
      const projects = visibleProjects(directory, request, request.query.project_id);
      const found = await zones.list({ ...projects, ...page });
      const wanted = preferredType(request.headers.accept, [GEOJSON_TYPE, CSV_TYPE]);
      if (wanted === CSV_TYPE) return sendCsv(reply, found.zones, ZONE_COLUMNS);
      const pagination = paginationOf(page, found.zones.length, found.total);
      if (wanted === GEOJSON_TYPE) {
        const features = found.zones.map((zone) => zoneFeature(zone, surfaceUrl));
        // A foreign member (RFC 7946 section 6.1), so that a map knows that there are more.
        const collection = { type: "FeatureCollection", features, pagination };
        return reply.type(GEOJSON_TYPE).send(JSON.stringify(collection));
      }
      return reply.send({
        data: found.zones.map((zone) => zoneView(zone, surfaceUrl)),
        pagination,
      });
    },
  );

  app.get(
    "/zones/:zone_id",
    {
      config: { access: "progress:read", tagged: true },
      schema: {
        operationId: "getZone",
        tags: ["progress"],
        summary: "One work zone",
        params: ZonePath,
        response: { 200: jsonOrGeo("The work zone", Zone), ...FAILURES },
      },
    },
    async (request, reply) => {
      const zone = await visibleZone(zones, request, request.params.zone_id);
      noteState(request, zone);
      const wanted = preferredType(request.headers.accept, [GEOJSON_TYPE, CSV_TYPE]);
      if (wanted === CSV_TYPE) return sendCsv(reply, [zone], ZONE_COLUMNS);
      if (wanted === GEOJSON_TYPE) {
        return reply.type(GEOJSON_TYPE).send(JSON.stringify(zoneFeature(zone, surfaceUrl)));
      }
      return reply.send(zoneView(zone, surfaceUrl));
    },
  );
};

export default zoneReads;
