import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { StockpileRecords } from "../../../storage/ports/sites/stockpiles.ts";
import { visibleMeasurement } from "../../access/record-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { HTML_TYPE, preferredType } from "../../representations/negotiation.ts";
import type { MeasurementLinks } from "./measurement-links.ts";
import type { MeasurementPages } from "./measurement-pages.ts";
import { MeasurementPath, MeasurementReport } from "./measurement-schemas.ts";
import { measurementView } from "./measurement-view.ts";

export interface MeasurementReportsOptions {
  readonly stockpiles: StockpileRecords;
  readonly links: MeasurementLinks;
  readonly pages: MeasurementPages;
}

const Page = (description: string) => ({ schema: Type.String({ description }) });

/** The report of a measurement, for programs and for people; mounted at `/api/v1/materials`. */
const measurementReports: FastifyPluginAsyncTypebox<MeasurementReportsOptions> = async (
  app,
  { stockpiles, links, pages },
) => {
  app.get(
    "/stockpiles/:stockpile_id/measurements/:measurement_id/report",
    {
      config: { access: "materials:read" },
      schema: {
        operationId: "getMeasurementReport",
        tags: ["materials"],
        summary: "The report of a measurement, as JSON or as a page to read and to print",
        params: MeasurementPath,
        querystring: Type.Object({
          format: Type.Optional(
            Type.Enum(["json", "html"], { description: "Absent: as the Accept header says" }),
          ),
        }),
        response: {
          200: {
            description: "The measurement, its stockpile and sections through the pile",
            content: {
              "application/json": { schema: MeasurementReport },
              [HTML_TYPE]: Page("One page without script; a browser's print makes the PDF"),
            },
          },
          ...FAILURES,
        },
      },
    },
    async (request, reply) => {
      const found = await visibleMeasurement(stockpiles, request, request.params);
      const accepted = preferredType(request.headers.accept, [HTML_TYPE]);
      const isHtml =
        request.query.format === undefined
          ? accepted === HTML_TYPE
          : request.query.format === "html";
      if (isHtml) return await pages.send(reply, found, "report.html");
      const { id, project_id, material, location, max_capacity_m3 } = found.stockpile;
      const profile = await pages.profile(found.measurement);
      return reply.send({
        stockpile: { id, project_id, material, location, max_capacity_m3 },
        measurement: await measurementView(found.measurement, links),
        ...(profile === undefined ? {} : { profile }),
      });
    },
  );

  app.get(
    "/stockpiles/:stockpile_id/measurements/:measurement_id/profile.svg",
    {
      config: { access: "materials:read" },
      schema: {
        operationId: "getMeasurementProfile",
        tags: ["materials"],
        summary: "Sections along and across the pile, as a drawing",
        params: MeasurementPath,
        response: {
          200: {
            description: "Surface, base and the previous surface",
            content: { "image/svg+xml": Page("SVG without script") },
          },
          ...FAILURES,
        },
      },
    },
    async (request, reply) => {
      const found = await visibleMeasurement(stockpiles, request, request.params);
      return await pages.send(reply, found, "profile.svg");
    },
  );
};

export default measurementReports;
