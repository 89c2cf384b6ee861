import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { surveyFilesOf } from "../../domain/sites/site-survey.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import { needsOneOf } from "../auth/needs-one-of.ts";
import { FAILURES } from "../errors/error.ts";
import { Refusal } from "../errors/refusal.ts";
import { waitingClient } from "../long-requests/while-open.ts";
import type { StoredScenes } from "./stored-scenes.ts";
import { SURVEY_SCOPES, visibleSurvey } from "./survey-access.ts";
import { SurveyPath } from "./survey-schemas.ts";

interface SceneRoutesOptions {
  readonly records: Pick<RecordStore, "surveys" | "stockpiles">;
  readonly scenes: StoredScenes;
}

const GLB_TYPE = "model/gltf-binary";

const glb = (description: string) => ({
  description,
  content: { [GLB_TYPE]: { schema: Type.Unsafe({ type: "string", format: "binary" }) } },
});

/** Surveys as scenes to look at in three dimensions; mounted at `/api/v1`. */
const sceneRoutes: FastifyPluginAsyncTypebox<SceneRoutesOptions> = async (app, options) => {
  const { records, scenes } = options;
  const { surveys, stockpiles } = records;

  app.get(
    "/surveys/:survey_id/points.glb",
    {
      config: { access: "any key" },
      onRequest: needsOneOf(...SURVEY_SCOPES),
      schema: {
        operationId: "getSurveyPoints",
        tags: ["surveys"],
        summary: "A survey's surface as at most 300,000 coloured points",
        description:
          "For viewers; the whole point cloud is among `exports`. Metres, y up, x east, z south.",
        params: SurveyPath,
        response: { 200: glb("Points, GLB"), ...FAILURES },
      },
    },
    async (request, reply) => {
      const survey = await visibleSurvey(surveys, request, request.params.survey_id);
      const files = surveyFilesOf(survey);
      const found = files && (await scenes.points(files, waitingClient(request, reply)));
      if (found === undefined) throw gone("The surface of the survey can no longer be read");
      return reply.type(GLB_TYPE).send(found);
    },
  );

  app.get(
    "/surveys/:survey_id/pile.glb",
    {
      config: { access: "any key" },
      onRequest: needsOneOf(...SURVEY_SCOPES),
      schema: {
        operationId: "getSurveyPile",
        tags: ["surveys"],
        summary: "A measured stockpile with the height of each vertex above its base",
        description:
          "Mesh `pile` with the attribute `_ABOVE_BASE_M`, mesh `ground` around it. 404 where footprint or base were changed since the measurement.",
        params: SurveyPath,
        response: { 200: glb("Pile and ground, GLB"), ...FAILURES },
      },
    },
    async (request, reply) => {
      const survey = await visibleSurvey(surveys, request, request.params.survey_id);
      if (survey.kind !== "stockpile_measurement") {
        throw gone("The survey is no measurement of a stockpile");
      }
      const { stockpile_id, files } = survey.measurement;
      const pile = await stockpiles.find(stockpile_id);
      const found = pile && (await scenes.pile(files.epoch, pile, waitingClient(request, reply)));
      if (found === undefined) {
        throw gone(
          "The base that this survey was measured above is no longer kept: footprint or base of the stockpile were changed since",
        );
      }
      return reply.type(GLB_TYPE).send(found);
    },
  );
};

const gone = (message: string) => new Refusal(404, "not_found", message);

export default sceneRoutes;
