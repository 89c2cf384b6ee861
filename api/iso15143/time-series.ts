import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { IsDateTime } from "typebox/format";
import type { AssetId } from "../../domain/ids.ts";
import { DAY_MS, SECOND_MS } from "../../domain/time.ts";
import type { AssetDirectory } from "../../ingest/directories/asset-directory.ts";
import type { AlertRecords } from "../../storage/ports/equipment/alerts.ts";
import type { TelemetryStore } from "../../storage/ports/telemetry-store.ts";
import { visibleEquipment, visibleProjects } from "../access/asset-access.ts";
import { Refusal } from "../errors/refusal.ts";
import { readInstant } from "../schemas/instant.ts";
import { invalidParameter } from "../validation/validation.ts";
import { seriesDocument } from "./documents.ts";
import { isFaultSeries, kindOfSeries, SERIES_NAMES } from "./elements.ts";
import { ISO_FAILURES } from "./failures.ts";
import { countFaults, readFaults } from "./fault-series.ts";
import { checkPage, linksOf, pagesOf, readPage } from "./page.ts";
import { CONTENT_TYPES, representationOf } from "./representation.ts";
import { SeriesBody, xmlOrJson } from "./schemas.ts";
import type { Section } from "./section.ts";
import { createSeriesPages } from "./series-pages.ts";

export interface TimeSeriesOptions {
  readonly directory: AssetDirectory;
  readonly telemetry: Pick<TelemetryStore, "read">;
  readonly alerts: AlertRecords;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
}

/** Longest range, days, as of the API's telemetry. */
const MAX_DAYS = 31;

/** The path's parts; `start` and `end` inclusive. */
const Path = Type.Object({
  equipment_id: Type.String({
    description: "Asset id, hardware id such as a PIN, or serial number",
  }),
  element: Type.Enum([...SERIES_NAMES]),
  start: Type.String({ description: "YYYY-MM-DDThh:mm:ssZ, inclusive" }),
  end: Type.String({
    description: `The same, the whole second inclusive; at most ${MAX_DAYS} days after start`,
  }),
  page: Type.String({ description: "From 1 on" }),
});

/** Half-open interval `[fromMs, toMs)`, ms since the Unix epoch. */
interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Where the sections of one name come from. */
interface SeriesSource {
  /** Name of the sections' element. */
  readonly name: string;
  count(assetId: AssetId, range: Range): Promise<number>;
  read(assetId: AssetId, range: Range, page: number, total: number): Promise<readonly Section[]>;
}

/** A section of one machine over time; mounted at the root of ISO 15143-3. */
const timeSeries: FastifyPluginAsyncTypebox<TimeSeriesOptions> = async (app, options) => {
  const { directory, telemetry, alerts, now } = options;
  const seriesPages = createSeriesPages(telemetry, now);

  app.get(
    "/Fleet/Equipment/:equipment_id/:element/:start/:end/:page",
    {
      config: { access: "equipment:read", basic: true },
      schema: {
        operationId: "getIsoTimeSeries",
        tags: ["equipment"],
        summary: "One section of one machine over time by ISO 15143-3 (AEMP 2.0), 100 on a page",
        security: [{ bearer: [] }, { basic: [] }],
        params: Path,
        response: { 200: xmlOrJson("A page of the series", SeriesBody), ...ISO_FAILURES },
      },
    },
    async (request, reply) => {
      const { equipment_id, element, start, end } = request.params;
      const source = sourceOf(request, element);
      const range = readRange(start, end);
      const { asset } = visibleEquipment(directory, request, equipment_id);
      const page = readPage(request.params.page);
      const total = await source.count(asset.id, range);
      const pages = pagesOf(total);
      checkPage(page, pages);
      const path = [equipment_id, element, start, end].map(encodeURIComponent).join("/");
      const form = representationOf(request.headers.accept);
      return reply.type(CONTENT_TYPES[form]).send(
        seriesDocument(
          {
            name: source.name,
            sections: await source.read(asset.id, range, page, total),
            links: linksOf(`/iso15143-3/Fleet/Equipment/${path}`, page, pages),
          },
          form,
        ),
      );
    },
  );

  /** What there is to read of a path's element. @throws Refusal 404 for one without a series. */
  function sourceOf(request: FastifyRequest, element: string): SeriesSource {
    if (isFaultSeries(element)) {
      const seen = visibleProjects(directory, request, undefined);
      return {
        name: "FaultCode",
        count: (assetId, range) => countFaults(alerts, { assetId, ...seen, ...range }),
        read: (assetId, range, page, total) =>
          readFaults(alerts, { assetId, ...seen, ...range }, page, total),
      };
    }
    const kind = kindOfSeries(element);
    if (kind === undefined) {
      throw new Refusal(404, "not_found", `The series are ${SERIES_NAMES.join(", ")}`);
    }
    return {
      name: kind.name,
      count: (assetId, range) => seriesPages.count({ assetId, kind, ...range }),
      read: (assetId, range, page) => seriesPages.read({ assetId, kind, ...range }, page),
    };
  }
};

/** The interval `[fromMs, toMs)` of a path. @throws ParameterError naming `start` or `end`. */
function readRange(start: string, end: string): Range {
  const fromMs = readTime("start", start);
  // Times are given in whole seconds, so the end means all of its second.
  const toMs = readTime("end", end) + SECOND_MS;
  if (fromMs >= toMs) throw invalidParameter("start", "must not be after end");
  if (toMs - fromMs > MAX_DAYS * DAY_MS + SECOND_MS) {
    throw invalidParameter("start", `must be at most ${MAX_DAYS} days before end`);
  }
  return { fromMs, toMs };
}

function readTime(parameter: string, text: string): number {
  if (IsDateTime(text)) return readInstant(parameter, text);
  throw invalidParameter(parameter, "must be a time as YYYY-MM-DDThh:mm:ssZ");
}

export default timeSeries;
