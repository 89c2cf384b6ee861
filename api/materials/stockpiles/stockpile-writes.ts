import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { DomainError } from "../../../domain/errors.ts";
import { newId, type StockpileId } from "../../../domain/ids.ts";
import { DEFAULT_THRESHOLDS, type Stockpile as Pile } from "../../../domain/sites/stockpile.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { FileStore } from "../../../storage/ports/files.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { listedStockpile } from "../../../storage/ports/sites/stockpiles.ts";
import { visibleProject } from "../../access/asset-access.ts";
import { visibleStockpile } from "../../access/record-access.ts";
import { WRITE_FAILURES } from "../../errors/error.ts";
import type { SurfaceUrl } from "../../representations/surface-urls.ts";
import type { SurfaceFiles } from "../../schemas/given-surface.ts";
import { withBody } from "../../validation/validation.ts";
import { deleteFolder } from "../../writes/delete-folder.ts";
import { once } from "../../writes/once.ts";
import { ifMatching, removeMatching } from "../../writes/resource-tag.ts";
import { keepBase, readBase, stockpileFolder } from "./stockpile-base.ts";
import { changedStockpile } from "./stockpile-change.ts";
import {
  changedThresholds,
  checkFootprintOrder,
  readFootprint,
  readGeofence,
  readMeasuredAt,
  toLitres,
} from "./stockpile-fields.ts";
import {
  NewStockpile,
  READ_BY_ROUTES,
  Stockpile,
  StockpileChange,
  StockpilePath,
} from "./stockpile-schemas.ts";
import { stockpileView } from "./stockpile-view.ts";

export interface StockpileWritesOptions {
  readonly records: Pick<RecordStore, "stockpiles" | "geofences" | "transaction">;
  readonly directory: AssetDirectory;
  /** Absent: no files are kept. */
  readonly files:
    | (SurfaceFiles & { readonly store: Pick<FileStore, "list" | "delete"> })
    | undefined;
  readonly surfaceUrl: SurfaceUrl;
  readonly now: () => number;
}

/** Fits the ground around most heaps. */
const PLANE = { method: "plane" } as const;

/** Creating, changing and removing stockpiles; mounted at `/api/v1/materials`. */
const stockpileWrites: FastifyPluginAsyncTypebox<StockpileWritesOptions> = async (app, options) => {
  const { records, directory, files, surfaceUrl, now } = options;
  const { stockpiles, geofences } = records;

  app.post(
    "/stockpiles",
    {
      config: { access: "materials:write", once: "transaction", sends: ["Location"] },
      validatorCompiler: withBody(Type.Omit(NewStockpile, READ_BY_ROUTES)),
      schema: {
        operationId: "createStockpile",
        tags: ["materials"],
        summary: "Create a stockpile, with a volume declared by a person",
        body: NewStockpile,
        response: { 201: Stockpile, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const nowMs = now();
      const footprint = body.footprint === undefined ? undefined : readFootprint(body.footprint);
      const base = body.base === undefined ? PLANE : readBase(body.base);
      const thresholds = changedThresholds(DEFAULT_THRESHOLDS, body.thresholds);
      const last_measured = readMeasuredAt(body.measured_at, nowMs);
      const project = visibleProject(directory, request, body.project_id);
      const project_id = project.id;
      if (footprint !== undefined) checkFootprintOrder(footprint, project.location);
      const id = body.id ?? newId<StockpileId>("stk");
      // Before the base's surface is put among its files: they may be another stockpile's.
      if (body.id !== undefined && (await stockpiles.find(id)) !== undefined) {
        throw new DomainError("ID_CONFLICT", `stockpile id "${id}" is taken`);
      }
      const at = new Date(nowMs).toISOString();
      const stockpile: Pile = {
        id,
        project_id,
        material: body.material,
        location: body.location,
        max_capacity_m3: toLitres(body.max_capacity_m3),
        density_t_per_m3: body.density_t_per_m3,
        thresholds,
        footprint,
        footprint_state: footprint === undefined ? "none" : "confirmed",
        base: await keepBase(base, { id, base: undefined }, files),
        geofence_id:
          body.geofence_id === undefined
            ? undefined
            : await readGeofence(geofences, request, body.geofence_id, project_id),
        current_volume_m3: toLitres(body.current_volume_m3 ?? 0),
        current_sigma_m3: undefined,
        volume_basis: body.current_volume_m3 === undefined ? "none" : "declared",
        measurement_id: undefined,
        last_measured,
        datum: undefined,
        created_at: at,
        updated_at: at,
      };
      const answer = await once(request, reply.code(201), records, async (transaction) => {
        await transaction.stockpiles.insert(stockpile);
        return stockpileView(listedStockpile(stockpile), surfaceUrl);
      });
      return reply.header("location", `/api/v1/materials/stockpiles/${id}`).send(answer);
    },
  );

  app.patch(
    "/stockpiles/:stockpile_id",
    {
      config: { access: "materials:write", tagged: true },
      validatorCompiler: withBody(Type.Omit(StockpileChange, READ_BY_ROUTES)),
      schema: {
        operationId: "updateStockpile",
        tags: ["materials"],
        summary: "Change a stockpile, confirm its footprint, or declare its volume by hand",
        description:
          "Absent fields stay as they are; null removes density, footprint or geofence. With another footprint or base, changes of volume are measured anew from the next measurement on.",
        params: StockpilePath,
        body: StockpileChange,
        response: { 200: Stockpile, ...WRITE_FAILURES },
      },
    },
    async (request) => {
      const { body } = request;
      const { footprint: drawn, geofence_id } = body;
      const footprint = isGone(drawn) ? drawn : readFootprint(drawn);
      const asked = body.base === undefined ? undefined : readBase(body.base);
      const pile = await visibleStockpile(stockpiles, request, request.params.stockpile_id);
      const project = directory.project(pile.project_id);
      if (!isGone(footprint) && project !== undefined)
        checkFootprintOrder(footprint, project.location);
      if (!isGone(geofence_id))
        await readGeofence(geofences, request, geofence_id, pile.project_id);
      const base = asked && (await keepBase(asked, pile, files));
      const change = { ...body, footprint, base };
      const nowMs = now();
      const changed = await stockpiles.update(
        pile.id,
        ifMatching(request, (before: Pile) => changedStockpile(before, change, nowMs)),
      );
      return stockpileView(listedStockpile(changed), surfaceUrl);
    },
  );

  app.delete(
    "/stockpiles/:stockpile_id",
    {
      config: { access: "materials:write", tagged: true },
      schema: {
        operationId: "deleteStockpile",
        tags: ["materials"],
        summary: "Remove a stockpile with its measurements and their files; its id stays taken",
        params: StockpilePath,
        response: { 204: Type.Null({ description: "Removed" }), ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { id } = await visibleStockpile(stockpiles, request, request.params.stockpile_id);
      await removeMatching(
        request,
        records,
        (transaction, keep) => transaction.stockpiles.update(id, keep),
        (stored) => stored.stockpiles.delete(id),
      );
      if (files !== undefined) deleteFolder(files.store, stockpileFolder(id), request.log);
      return reply.code(204).send(null);
    },
  );
};

/** Whether a change leaves a field alone, or removes it. */
const isGone = (value: unknown): value is null | undefined => value === undefined || value === null;

export default stockpileWrites;
