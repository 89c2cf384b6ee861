import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { LonLat } from "../../domain/geometry/geofence.ts";
import { SurveyId } from "../../domain/ids.ts";
import { type SiteSurvey, surveyFilesOf } from "../../domain/sites/site-survey.ts";
import { rounded } from "../../processing/numeric/rounding.ts";
import type { SurveyRecords } from "../../storage/ports/sites/surveys.ts";
import { needsOneOf } from "../auth/needs-one-of.ts";
import { FAILURES } from "../errors/error.ts";
import { Refusal } from "../errors/refusal.ts";
import type { WaitingClient } from "../long-requests/turns.ts";
import { waitingClient } from "../long-requests/while-open.ts";
import { compareDatums } from "./compare-datums.ts";
import { heightAccuracy } from "./height-accuracy.ts";
import {
  HeightProfile,
  type HeightSource,
  MOST_POINTS,
  PlaceParameter,
  SurveyHeight,
} from "./height-schemas.ts";
import { profileLine, readPlace } from "./profile-line.ts";
import type { StoredHeights } from "./stored-heights.ts";
import { SURVEY_SCOPES, visibleSurvey } from "./survey-access.ts";
import type { SurveyFactReader } from "./survey-facts.ts";
import { SurveyPath } from "./survey-schemas.ts";
import { listedSurveyView, type SurveyLinks } from "./survey-view.ts";

interface HeightRoutesOptions {
  readonly surveys: Pick<SurveyRecords, "find">;
  readonly heights: StoredHeights;
  readonly facts: SurveyFactReader;
  readonly links: SurveyLinks;
}

const DEFAULT_POINTS = 200;

/** Heights out of surveys' stored surfaces; mounted at `/api/v1`. */
const heightRoutes: FastifyPluginAsyncTypebox<HeightRoutesOptions> = async (app, options) => {
  const { surveys, heights, facts, links } = options;

  /** @throws Refusal 404 where the surface is gone */
  async function heightsOf(survey: SiteSurvey, places: readonly LonLat[], client: WaitingClient) {
    const files = surveyFilesOf(survey);
    const found = files && (await heights.at(files.surface, places, client));
    if (found === undefined) {
      throw new Refusal(404, "not_found", "The surface of the survey can no longer be read");
    }
    return found;
  }

  async function sourceOf(survey: SiteSurvey): Promise<HeightSource> {
    const known = await facts.of(surveyFilesOf(survey));
    const listed = await listedSurveyView(survey, known, links);
    const { id: survey_id, project_id, captured_at, vertical_datum, cell_m } = listed;
    const about = { survey_id, project_id, captured_at, vertical_datum, cell_m };
    return { ...about, ...heightAccuracy(listed) };
  }

  app.get(
    "/surveys/:survey_id/height",
    {
      config: { access: "any key" },
      onRequest: needsOneOf(...SURVEY_SCOPES),
      schema: {
        operationId: "getSurveyHeight",
        tags: ["surveys"],
        summary: "Height of a survey's surface at a place, with its 95 % interval",
        description: "404 where the survey has no height: it never saw the place, or it is a hole.",
        params: SurveyPath,
        querystring: Type.Object({ at: PlaceParameter("Where") }),
        response: { 200: SurveyHeight, ...FAILURES },
      },
    },
    async (request, reply) => {
      const survey = await visibleSurvey(surveys, request, request.params.survey_id);
      const place = readPlace(request.query.at, "at");
      const [heightM] = await heightsOf(survey, [place], waitingClient(request, reply));
      const [longitude, latitude] = place;
      if (heightM === undefined) {
        const message = `The survey has no height at ${latitude},${longitude}: it did not see the place, or it is a hole of the surface`;
        throw new Refusal(404, "not_found", message);
      }
      const height_m = rounded(heightM, 3);
      return { latitude, longitude, height_m, source: await sourceOf(survey) };
    },
  );

  app.get(
    "/surveys/:survey_id/profile",
    {
      config: { access: "any key" },
      onRequest: needsOneOf(...SURVEY_SCOPES),
      schema: {
        operationId: "getSurveyProfile",
        tags: ["surveys"],
        summary: "Heights of a survey's surface along a straight line, as numbers",
        description:
          "Heights are null where the survey has none, also along all of the line. With compare_with the heights of another survey on the same line.",
        params: SurveyPath,
        querystring: Type.Object({
          from: PlaceParameter("Start"),
          to: PlaceParameter("End, at most 10 km away"),
          max_points: Type.Integer({ minimum: 2, maximum: MOST_POINTS, default: DEFAULT_POINTS }),
          compare_with: Type.Optional(SurveyId),
        }),
        response: { 200: HeightProfile, ...FAILURES },
      },
    },
    async (request, reply) => {
      const { from, to, max_points, compare_with } = request.query;
      const survey = await visibleSurvey(surveys, request, request.params.survey_id);
      const other =
        compare_with === undefined
          ? undefined
          : await visibleSurvey(surveys, request, compare_with);
      const line = profileLine(readPlace(from, "from"), readPlace(to, "to"), max_points);
      const client = waitingClient(request, reply);
      const own = (await heightsOf(survey, line.places, client)).map(shown);
      const compared = other && (await heightsOf(other, line.places, client)).map(shown);
      const source = await sourceOf(survey);
      const compared_with = other === undefined ? null : await sourceOf(other);
      const [first, last] = [own.at(0) ?? null, own.at(-1) ?? null];
      const rise = first === null || last === null ? null : last - first;
      return {
        length_m: rounded(line.lengthM, 3),
        rise_m: rise === null ? null : rounded(rise, 3),
        slope_percent: rise === null ? null : rounded((100 * rise) / line.lengthM, 2),
        share_with_heights: rounded(own.filter((z) => z !== null).length / own.length, 4),
        source,
        compared_with,
        points: line.places.map(([lonDeg, latDeg], i) => ({
          distance_m: rounded(line.distancesM[i] ?? 0, 3),
          latitude: rounded(latDeg, 8),
          longitude: rounded(lonDeg, 8),
          height_m: own[i] ?? null,
          compared_height_m: compared?.[i] ?? null,
        })),
        warnings: compared_with === null ? [] : datumWarnings(source, compared_with),
      };
    },
  );
};

const shown = (heightM: number | undefined): number | null =>
  heightM === undefined ? null : rounded(heightM, 3);

/** Heights that do not count from the same must not be subtracted. */
function datumWarnings(
  { vertical_datum: one }: HeightSource,
  { vertical_datum: two }: HeightSource,
): string[] {
  const compared = compareDatums(one, two);
  if (compared === "same") return [];
  return [
    compared === "different"
      ? `The heights of the two surveys count from different datums (${one.name}; ${two.name}): do not subtract them.`
      : "What the heights of one of the surveys count from is not known: do not subtract them without knowing it.",
  ];
}

export default heightRoutes;
