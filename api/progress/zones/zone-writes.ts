import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { newId, type WorkZoneId } from "../../../domain/ids.ts";
import { type WorkZone, zoneFolder } from "../../../domain/sites/work-zone.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { FileStore } from "../../../storage/ports/files.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleProject } from "../../access/asset-access.ts";
import { visibleZone } from "../../access/record-access.ts";
import { WRITE_FAILURES } from "../../errors/error.ts";
import type { SurfaceUrl } from "../../representations/surface-urls.ts";
import { withBody } from "../../validation/validation.ts";
import { deleteFolder } from "../../writes/delete-folder.ts";
import { once } from "../../writes/once.ts";
import { ifMatching, removeMatching } from "../../writes/resource-tag.ts";
import {
  changedActivities,
  changedZone,
  checkOutline,
  NO_ACTIVITIES,
  readDeclaredAt,
  readOutline,
} from "./zone-change.ts";
import { readMetric } from "./zone-metric.ts";
import { NewZone, READ_BY_ROUTES, Zone, ZoneChange, ZonePath } from "./zone-schemas.ts";
import { zoneView } from "./zone-view.ts";

export interface ZoneWritesOptions {
  readonly records: Pick<RecordStore, "workZones" | "transaction">;
  readonly directory: AssetDirectory;
  /** Absent: no files are kept. */
  readonly files: { readonly store: Pick<FileStore, "list" | "delete"> } | undefined;
  readonly surfaceUrl: SurfaceUrl;
  readonly now: () => number;
}

/** Creating, changing and removing work zones; mounted at `/api/v1/progress`. */
const zoneWrites: FastifyPluginAsyncTypebox<ZoneWritesOptions> = async (app, options) => {
  const { records, directory, files, surfaceUrl, now } = options;
  const { workZones: zones } = records;

  app.post(
    "/zones",
    {
      config: { access: "progress:write", once: "transaction", sends: ["Location"] },
      validatorCompiler: withBody(Type.Omit(NewZone, READ_BY_ROUTES)),
      schema: {
        operationId: "createZone",
        tags: ["progress"],
        summary: "Create a work zone: a part of a project whose progress is reported separately",
        description:
          "Metrics of surfaces need a polygon, a design by PUT .../surfaces/design, and a baseline alike, or by the first flight while the declared progress is 0.",
        body: NewZone,
        response: { 201: Zone, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const nowMs = now();
      const at = new Date(nowMs).toISOString();
      const metric = readMetric(fieldOf(body, "metric"));
      const given = fieldOf(body, "polygon");
      const polygon = given === undefined ? undefined : readOutline(given);
      checkOutline(metric, polygon);
      const zone: WorkZone = {
        id: body.id ?? newId<WorkZoneId>("zon"),
        project_id: visibleProject(directory, request, body.project_id).id,
        name: body.name,
        polygon,
        metric,
        baseline: undefined,
        design: undefined,
        weight: body.weight,
        declared_progress: body.declared_progress ?? 0,
        declared_at: readDeclaredAt(body.declared_at, nowMs),
        activities: changedActivities(NO_ACTIVITIES, body.activities ?? {}),
        created_at: at,
        updated_at: at,
      };
      const answer = await once(request, reply.code(201), records, async (transaction) => {
        await transaction.workZones.insert(zone);
        return zoneView(zone, surfaceUrl);
      });
      return reply.header("location", `/api/v1/progress/zones/${zone.id}`).send(answer);
    },
  );

  app.patch(
    "/zones/:zone_id",
    {
      config: { access: "progress:write", tagged: true },
      validatorCompiler: withBody(Type.Omit(ZoneChange, READ_BY_ROUTES)),
      schema: {
        operationId: "updateZone",
        tags: ["progress"],
        summary: "Change a work zone",
        description:
          "Absent fields stay; null removes polygon, weight or activities. Reports and earlier estimates keep their figures; another metric or polygon holds from the next capture on. A baseline stays too.",
        params: ZonePath,
        body: ZoneChange,
        response: { 200: Zone, ...WRITE_FAILURES },
      },
    },
    async (request) => {
      const { body } = request;
      const wanted = fieldOf(body, "metric");
      const drawn = fieldOf(body, "polygon");
      const change = {
        ...body,
        metric: wanted === undefined ? undefined : readMetric(wanted),
        polygon: drawn === undefined || drawn === null ? drawn : readOutline(drawn),
      };
      const { id } = await visibleZone(zones, request, request.params.zone_id);
      const nowMs = now();
      const changed = await zones.update(
        id,
        ifMatching(request, (before: WorkZone) => changedZone(before, change, nowMs)),
      );
      return zoneView(changed, surfaceUrl);
    },
  );

  app.delete(
    "/zones/:zone_id",
    {
      config: { access: "progress:write", tagged: true },
      schema: {
        operationId: "deleteZone",
        tags: ["progress"],
        summary:
          "Remove a work zone with its surfaces, observations and labels; reports keep it, and its id stays taken",
        params: ZonePath,
        response: { 204: Type.Null({ description: "Removed" }), ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { id } = await visibleZone(zones, request, request.params.zone_id);
      await removeMatching(
        request,
        records,
        (transaction, keep) => transaction.workZones.update(id, keep),
        ({ workZones }) => workZones.delete(id),
      );
      if (files !== undefined) deleteFolder(files.store, zoneFolder(id), request.log);
      return reply.code(204).send(null);
    },
  );
};

/** A field that no schema has checked yet. */
const fieldOf = (body: object, name: (typeof READ_BY_ROUTES)[number]): unknown =>
  (body as Readonly<Record<string, unknown>>)[name];

export default zoneWrites;
