import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { ProjectId } from "../../../domain/ids.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import { listedStockpile, type StockpileRecords } from "../../../storage/ports/sites/stockpiles.ts";
import { visibleProject } from "../../access/asset-access.ts";
import { visibleStockpile } from "../../access/record-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { jsonOrGeo } from "../../representations/media-types.ts";
import { CSV_TYPE, GEOJSON_TYPE, preferredType } from "../../representations/negotiation.ts";
import { sendCsv } from "../../representations/send-list.ts";
import type { SurfaceUrl } from "../../representations/surface-urls.ts";
import { CONTRACT_PAGE_PARAMETERS, contractPage, paginationOf } from "../../schemas/page.ts";
import { noteState } from "../../writes/resource-tag.ts";
import { Stockpile, StockpileList, StockpilePath } from "./stockpile-schemas.ts";
import { STOCKPILE_COLUMNS, stockpileFeature, stockpileView } from "./stockpile-view.ts";

export interface StockpileReadsOptions {
  readonly stockpiles: StockpileRecords;
  readonly directory: AssetDirectory;
  readonly surfaceUrl: SurfaceUrl;
}

/** Reading stockpiles, as JSON, GeoJSON or CSV; mounted at `/api/v1/materials`. */
const stockpileReads: FastifyPluginAsyncTypebox<StockpileReadsOptions> = async (app, options) => {
  const { stockpiles, directory, surfaceUrl } = options;

  app.get(
    "/stockpiles",
    {
      config: { access: "materials:read", contract: true },
      schema: {
        operationId: "listStockpiles",
        tags: ["materials"],
        summary: "Stockpiles of a project with their current volumes, oldest first",
        description:
          "All of them, unless limit or offset is given; then one page, with the pagination object.",
        querystring: Type.Object({
          project_id: ProjectId,
          material_type: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 200,
              description: "Material name, in whatever case",
            }),
          ),
          ...CONTRACT_PAGE_PARAMETERS,
        }),
        response: { 200: jsonOrGeo("The stockpiles of the project", StockpileList), ...FAILURES },
      },
    },
    async (request, reply) => {
      const { project_id, material_type, limit, offset } = request.query;
      const isPage = limit !== undefined || offset !== undefined;
      const page = contractPage({ limit, offset });
      const found = await stockpiles.list({
        projectIds: [visibleProject(directory, request, project_id).id],
        ...(material_type === undefined ? {} : { material: material_type }),
        ...(isPage ? page : { offset: 0 }),
      });
      const rows = found.stockpiles;
      const wanted = preferredType(request.headers.accept, [GEOJSON_TYPE, CSV_TYPE]);
      if (wanted === CSV_TYPE) return sendCsv(reply, rows, STOCKPILE_COLUMNS);
      const pagination = isPage ? { pagination: paginationOf(page, rows.length, found.total) } : {};
      if (wanted === GEOJSON_TYPE) {
        const features = rows.map((row) => stockpileFeature(row, surfaceUrl));
        // A foreign member (RFC 7946 section 6.1), so that a map knows that there are more.
        const collection = { type: "FeatureCollection", features, ...pagination };
        return reply.type(GEOJSON_TYPE).send(JSON.stringify(collection));
      }
      return reply.send({ data: rows.map((row) => stockpileView(row, surfaceUrl)), ...pagination });
    },
  );

  app.get(
    "/stockpiles/:stockpile_id",
    {
      config: { access: "materials:read", tagged: true },
      schema: {
        operationId: "getStockpile",
        tags: ["materials"],
        summary: "One stockpile",
        params: StockpilePath,
        response: { 200: jsonOrGeo("The stockpile", Stockpile), ...FAILURES },
      },
    },
    async (request, reply) => {
      const found = await visibleStockpile(stockpiles, request, request.params.stockpile_id);
      noteState(request, found);
      const stockpile = listedStockpile(found);
      const wanted = preferredType(request.headers.accept, [GEOJSON_TYPE, CSV_TYPE]);
      if (wanted === CSV_TYPE) return sendCsv(reply, [stockpile], STOCKPILE_COLUMNS);
      if (wanted === GEOJSON_TYPE) {
        const feature = stockpileFeature(stockpile, surfaceUrl);
        return reply.type(GEOJSON_TYPE).send(JSON.stringify(feature));
      }
      return reply.send(stockpileView(stockpile, surfaceUrl));
    },
  );
};

export default stockpileReads;
