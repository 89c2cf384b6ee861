import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { ProjectId, StockpileId } from "../../domain/ids.ts";
import { type SiteSurvey, surveyFilesOf, surveyIdOf } from "../../domain/sites/site-survey.ts";
import type { AssetDirectory } from "../../ingest/directories/asset-directory.ts";
import type { GeodeticExtent } from "../../processing/engine/raster/surface-extent.ts";
import type { SurveyPlace, SurveyRecords } from "../../storage/ports/sites/surveys.ts";
import { visibleProjects } from "../access/asset-access.ts";
import { needsOneOf } from "../auth/needs-one-of.ts";
import { FAILURES } from "../errors/error.ts";
import { cursorParameters } from "../schemas/page.ts";
import { readTimeRange, TIME_RANGE_PARAMETERS } from "../schemas/time-range.ts";
import type { MapTiles } from "./map-tiles.ts";
import { SURVEY_SCOPES, visibleKinds, visibleSurvey } from "./survey-access.ts";
import type { SurveyFactReader, SurveyFacts } from "./survey-facts.ts";
import {
  BboxParameter,
  cursorOf,
  meets,
  readBox,
  readCursor,
  SURVEY_CURSOR,
} from "./survey-filters.ts";
import { Survey, SurveyList, SurveyPath } from "./survey-schemas.ts";
import { listedSurveyView, type SurveyLinks, surveyView } from "./survey-view.ts";

export interface SurveysOptions {
  readonly surveys: SurveyRecords;
  readonly directory: AssetDirectory;
  readonly facts: SurveyFactReader;
  readonly links: SurveyLinks;
  /** Absent: no tiles can be drawn. */
  readonly tiles: MapTiles | undefined;
}

/**
 * Surveys that one request with `bbox` looks at at most: it may end with fewer rows than its limit, and goes on at
 * its cursor. More lets a request wait longer, fewer takes more requests to get through many surveys elsewhere.
 */
const MOST_LOOKED_AT = 500;

type Filter = Omit<Parameters<SurveyRecords["list"]>[0], "limit" | "after">;
type Found = readonly (readonly [SiteSurvey, SurveyFacts])[];

/** Surveys of measurements and captures; mounted at `/api/v1`. */
const surveyRoutes: FastifyPluginAsyncTypebox<SurveysOptions> = async (app, options) => {
  const { surveys, directory, facts, links, tiles } = options;

  app.get(
    "/surveys",
    {
      config: { access: "any key" },
      onRequest: needsOneOf(...SURVEY_SCOPES),
      schema: {
        operationId: "listSurveys",
        tags: ["surveys"],
        summary: "Surveys of measurements and captures, newest first",
        description:
          "Measurements need the scope materials:read, captures progress:read: what the key may not read is not listed. With stockpile_id only measurements of that stockpile. With bbox a page may have fewer rows than its limit although more follow.",
        querystring: Type.Object({
          ...cursorParameters({
            pattern: SURVEY_CURSOR,
            description: "`next_cursor` of the answer before",
          }),
          project_id: Type.Optional(ProjectId),
          stockpile_id: Type.Optional(StockpileId),
          ...TIME_RANGE_PARAMETERS,
          bbox: BboxParameter,
        }),
        response: { 200: SurveyList, ...FAILURES },
      },
    },
    async (request) => {
      const { limit, cursor, project_id, stockpile_id, bbox } = request.query;
      const box = readBox(bbox);
      const filter = {
        kinds: visibleKinds(request),
        stockpileId: stockpile_id,
        ...visibleProjects(directory, request, project_id),
        ...readTimeRange(request.query),
      };
      const { found, next } = await pageOf(filter, readCursor(cursor), limit, box);
      return {
        data: await Promise.all(
          found.map(([survey, known]) => listedSurveyView(survey, known, links)),
        ),
        pagination: {
          limit,
          has_more: next !== undefined,
          ...(next === undefined ? {} : { next_cursor: cursorOf(next) }),
        },
      };
    },
  );

  app.get(
    "/surveys/:survey_id",
    {
      config: { access: "any key" },
      onRequest: needsOneOf(...SURVEY_SCOPES),
      schema: {
        operationId: "getSurvey",
        tags: ["surveys"],
        summary: "A survey with fresh addresses of its products and map tiles",
        params: SurveyPath,
        response: { 200: Survey, ...FAILURES },
      },
    },
    async (request) => {
      const survey = await visibleSurvey(surveys, request, request.params.survey_id);
      const files = surveyFilesOf(survey);
      const layers = files && (await tiles?.layers(files));
      return await surveyView(survey, await facts.of(files), links, layers);
    },
  );

  /** Up to `limit` surveys that meet the box, and where the list goes on; `undefined`: it has ended. */
  async function pageOf(
    filter: Filter,
    from: SurveyPlace | undefined,
    limit: number,
    box: GeodeticExtent | undefined,
  ): Promise<{ readonly found: Found; readonly next: SurveyPlace | undefined }> {
    const found: [SiteSurvey, SurveyFacts][] = [];
    let after = from;
    for (let looked = 0; looked < MOST_LOOKED_AT; ) {
      const rows = await surveys.list({ ...filter, after, limit: limit + 1 });
      const known = await facts.ofAll(rows.map(surveyFilesOf));
      for (const [i, survey] of rows.entries()) {
        const fact = known[i] ?? { place: undefined, report: undefined };
        if (found.length === limit) return { found, next: after };
        after = { capturedMs: survey.capturedMs, id: surveyIdOf(survey) };
        const { place } = fact;
        if (box === undefined || (place !== undefined && meets(place.extent, box))) {
          found.push([survey, fact]);
        }
      }
      if (rows.length <= limit) return { found, next: undefined };
      looked += rows.length;
    }
    return { found, next: after };
  }
};

export default surveyRoutes;
