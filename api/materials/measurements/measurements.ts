import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { StockpileRecords } from "../../../storage/ports/sites/stockpiles.ts";
import { visibleMeasurement } from "../../access/measurement-access.ts";
import { visibleStockpile } from "../../access/stockpile-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { jsonOrCsv } from "../../representations/media-types.ts";
import { CSV_TYPE, preferredType } from "../../representations/negotiation.ts";
import { sendCsv } from "../../representations/send-list.ts";
import { paginationOf, sortedBy } from "../../schemas/page.ts";
import { StockpilePath } from "../stockpiles/stockpile-schemas.ts";
import type { MeasurementLinks } from "./measurement-links.ts";
import { Measurement, MeasurementList, MeasurementPath } from "./measurement-schemas.ts";
import { listedMeasurementView, MEASUREMENT_COLUMNS, measurementView } from "./measurement-view.ts";

/** The order of the list. */
const ORDER = sortedBy("-measured_at");

export interface MeasurementsOptions {
  readonly stockpiles: StockpileRecords;
  readonly links: MeasurementLinks;
}

/** What was measured of a stockpile; mounted at `/api/v1/materials`. */
const measurements: FastifyPluginAsyncTypebox<MeasurementsOptions> = async (app, options) => {
  const { stockpiles, links } = options;

  app.get(
    "/stockpiles/:stockpile_id/measurements",
    {
      config: { access: "materials:read" },
      schema: {
        operationId: "listMeasurements",
        tags: ["materials"],
        summary: "Measurements of a stockpile, newest first",
        params: StockpilePath,
        querystring: Type.Object(ORDER.parameters),
        response: {
          200: jsonOrCsv("Measurements, without the addresses of their files", MeasurementList),
          ...FAILURES,
        },
      },
    },
    async (request, reply) => {
      const page = ORDER.pageOf(request.query);
      const { id } = await visibleStockpile(stockpiles, request, request.params.stockpile_id);
      const found = await stockpiles.measurements(id, page);
      const data = found.measurements.map((one) => listedMeasurementView(one, links));
      if (preferredType(request.headers.accept, [CSV_TYPE]) === CSV_TYPE) {
        return sendCsv(reply, data, MEASUREMENT_COLUMNS);
      }
      const pagination = paginationOf(page, data.length, found.total);
      return reply.send({ data, pagination });
    },
  );

  app.get(
    "/stockpiles/:stockpile_id/measurements/:measurement_id",
    {
      config: { access: "materials:read", tagged: true },
      schema: {
        operationId: "getMeasurement",
        tags: ["materials"],
        summary: "One measurement, with fresh addresses of its files",
        params: MeasurementPath,
        response: { 200: Measurement, ...FAILURES },
      },
    },
    async (request) => {
      const { measurement } = await visibleMeasurement(stockpiles, request, request.params);
      return await measurementView(measurement, links);
    },
  );
};

export default measurements;
