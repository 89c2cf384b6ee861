import type { FastifyPluginAsync } from "fastify";
import { isId, type MeasurementId, type StockpileId } from "../../../domain/ids.ts";
import type { Files } from "../../../storage/open.ts";
import type { StockpileRecords } from "../../../storage/ports/sites/stockpiles.ts";
import { Refusal } from "../../errors/refusal.ts";
import { MEASUREMENT_PAGES, pageKey } from "./measurement-links.ts";
import type { MeasurementPages } from "./measurement-pages.ts";

export interface MeasurementPageFilesOptions {
  readonly stockpiles: StockpileRecords;
  readonly files: Pick<Files, "isSigned">;
  readonly pages: MeasurementPages;
}

interface Route {
  readonly Params: {
    readonly stockpile_id: StockpileId;
    readonly measurement_id: MeasurementId;
    readonly page: string;
  };
  readonly Querystring: Record<string, unknown>;
}

/**
 * Pages about measurements among the files, by the signed addresses that answers contain: a browser opens
 * them without a key. Not in the OpenAPI description, as files are not.
 */
const measurementPageFiles: FastifyPluginAsync<MeasurementPageFilesOptions> = async (
  app,
  { stockpiles, files, pages },
) => {
  app.get<Route>(
    "/files/stockpiles/:stockpile_id/measurements/:measurement_id/:page",
    { config: { access: "public" }, schema: { hide: true } },
    async (request, reply) => {
      const { stockpile_id, measurement_id, page: name } = request.params;
      const page = MEASUREMENT_PAGES.find((one) => one === name);
      const key = page && pageKey({ stockpile_id, id: measurement_id }, page);
      if (page === undefined || key === undefined || !files.isSigned(key, request.query)) {
        throw new Refusal(403, "forbidden", "The address is not signed, or has expired");
      }
      const areIds = isId(stockpile_id) && isId(measurement_id);
      const stockpile = areIds ? await stockpiles.find(stockpile_id) : undefined;
      const measurement =
        stockpile && (await stockpiles.findMeasurement(stockpile_id, measurement_id));
      if (stockpile === undefined || measurement === undefined)
        throw new Refusal(404, "not_found", "Not found");
      return await pages.send(reply, { stockpile, measurement }, page);
    },
  );
};

export default measurementPageFiles;
