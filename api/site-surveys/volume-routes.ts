import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { ProjectId, SurveyId } from "../../domain/ids.ts";
import { type SiteSurvey, surveyFilesOf, surveyIdOf } from "../../domain/sites/site-survey.ts";
import {
  BASE_METHODS,
  type BaseChoice,
  type BaseMethod,
  type Stockpile,
} from "../../domain/sites/stockpile.ts";
import type { AssetDirectory } from "../../ingest/directories/asset-directory.ts";
import { otherFootprints } from "../../processing/measurement/other-footprints.ts";
import { belowBase, volumeFigures } from "../../processing/measurement/volume-figures.ts";
import { asPercent, rounded } from "../../processing/numeric/rounding.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import { visibleStockpile } from "../access/record-access.ts";
import { needsOneOf } from "../auth/needs-one-of.ts";
import { REPEATABLE_FAILURES } from "../errors/error.ts";
import { Refusal } from "../errors/refusal.ts";
import { waitingClient } from "../long-requests/while-open.ts";
import { checkFootprintOrder, readFootprint } from "../materials/stockpiles/stockpile-fields.ts";
import { StockpilePath } from "../materials/stockpiles/stockpile-schemas.ts";
import { readSurfaceHeight } from "../schemas/given-surface.ts";
import { kindOf } from "../schemas/kind-of.ts";
import { polygonOf } from "../schemas/polygon.ts";
import { invalidParameter, withBody } from "../validation/validation.ts";
import type { StoredVolume, StoredVolumes } from "./stored-volumes.ts";
import { SURVEY_SCOPES, visibleSurvey } from "./survey-access.ts";
import { SurveyPath } from "./survey-schemas.ts";
import { NewVolume, NewVolumePreview, READ_BY_ROUTE, Volume } from "./volume-schemas.ts";

interface VolumeRoutesOptions {
  readonly records: Pick<RecordStore, "surveys" | "stockpiles">;
  readonly directory: AssetDirectory;
  readonly volumes: StoredVolumes;
}

/** Volumes in stored surveys; mounted at `/api/v1`. Stores nothing. */
const volumeRoutes: FastifyPluginAsyncTypebox<VolumeRoutesOptions> = async (app, options) => {
  const { records, directory, volumes } = options;
  const { surveys, stockpiles } = records;

  app.post(
    "/surveys/:survey_id/volume",
    {
      config: { access: "any key", once: "repeatable", storesNothing: true },
      onRequest: needsOneOf(...SURVEY_SCOPES),
      validatorCompiler: withBody(Type.Omit(NewVolume, READ_BY_ROUTE)),
      schema: {
        operationId: "measureSurveyVolume",
        tags: ["surveys"],
        summary: "Measure a volume in a footprint drawn on a survey; nothing is stored",
        description:
          "As a measurement would, by this survey alone: the base is fitted to its ground unless another one is named. The footprint is not moved. A footprint that a gate refuses is a 400 that names it.",
        params: SurveyPath,
        body: NewVolume,
        response: { 200: Volume, ...REPEATABLE_FAILURES },
      },
    },
    async (request, reply) => {
      const footprint = readFootprint(request.body.footprint);
      const survey = await visibleSurvey(surveys, request, request.params.survey_id);
      checkOrder(footprint, survey.projectId);
      const base = (await readBase(request, request.body.base)) ?? { method: "plane" };
      const asked = { footprint, isDrawnOnSurvey: true, base, otherFootprints: [] };
      const measured = await volumes.measure(filesOf(survey), asked, waitingClient(request, reply));
      return volumeView(surveyIdOf(survey), measured);
    },
  );

  app.post(
    "/materials/stockpiles/:stockpile_id/preview-volume",
    {
      config: { access: "materials:read", once: "repeatable", storesNothing: true },
      validatorCompiler: withBody(Type.Omit(NewVolumePreview, READ_BY_ROUTE)),
      schema: {
        operationId: "previewStockpileVolume",
        tags: ["materials"],
        summary: "Show what a stockpile's survey measures in another footprint; nothing is stored",
        description:
          "As if the images of measurement_id, the current measurement unless given, had been measured with this footprint, and with the stockpile's base unless another one is named. A footprint that a gate refuses is a 400 that names it.",
        params: StockpilePath,
        body: NewVolumePreview,
        response: { 200: Volume, ...REPEATABLE_FAILURES },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const footprint = readFootprint(body.footprint);
      const pile = await visibleStockpile(stockpiles, request, request.params.stockpile_id);
      checkOrder(footprint, pile.project_id);
      const survey = await surveyOf(pile, body.measurement_id);
      const base = (await readBase(request, body.base)) ?? pile.base;
      const others = await otherFootprints(stockpiles, pile);
      const asked = { footprint, isDrawnOnSurvey: false, base, otherFootprints: others };
      const measured = await volumes.measure(filesOf(survey), asked, waitingClient(request, reply));
      const volume = volumeView(surveyIdOf(survey), measured);
      const density = pile.density_t_per_m3;
      const isKnown = density !== undefined && volume.net_m3 >= 0;
      const tonnes = isKnown ? rounded(volume.net_m3 * density, 3) : null;
      return { ...volume, stockpile_id: pile.id, tonnes };
    },
  );

  function checkOrder(footprint: ReturnType<typeof readFootprint>, projectId: ProjectId): void {
    const project = directory.project(projectId);
    if (project !== undefined) checkFootprintOrder(footprint, project.location);
  }

  /** @throws Refusal 404 where nothing was measured */
  async function surveyOf(
    pile: Pick<Stockpile, "id" | "measurement_id">,
    asked: Stockpile["measurement_id"],
  ): Promise<SiteSurvey> {
    const id = asked ?? pile.measurement_id;
    const found = id && (await surveys.find(id as string as SurveyId));
    if (found?.kind === "stockpile_measurement" && found.measurement.stockpile_id === pile.id) {
      return found;
    }
    const message =
      id === undefined
        ? "The stockpile has no measurement"
        : `The stockpile has no measurement ${id}`;
    throw new Refusal(404, "not_found", message);
  }

  /** @throws ParameterError naming `base` or the field of it that is wrong */
  async function readBase(request: FastifyRequest, base: unknown): Promise<BaseChoice | undefined> {
    if (base === undefined) return undefined;
    if (typeof base !== "object" || base === null || Array.isArray(base)) {
      throw invalidParameter("base", `must be an object with a method, not ${kindOf(base)}`);
    }
    const { method, height_m, survey_id } = base as Readonly<Record<string, unknown>>;
    if (!isMethod(method)) {
      throw invalidParameter("base.method", `must be one of ${BASE_METHODS.join(", ")}`);
    }
    if (method === "level") {
      return {
        method,
        height_m: readSurfaceHeight(height_m, "base.height_m", "for the method level"),
      };
    }
    if (method !== "survey") return { method };
    const survey =
      typeof survey_id === "string"
        ? await visibleSurvey(surveys, request, survey_id as SurveyId).catch(() => undefined)
        : undefined;
    const files = survey && surveyFilesOf(survey);
    if (files === undefined) {
      throw invalidParameter("base.survey_id", "must be a survey that the key may read");
    }
    return { method, surface_key: files.surface };
  }
};

const isMethod = (method: unknown): method is BaseMethod =>
  BASE_METHODS.some((known) => known === method);

/** @throws Refusal 404 where the capture left nothing */
function filesOf(survey: SiteSurvey) {
  const files = surveyFilesOf(survey);
  if (files !== undefined) return files;
  throw new Refusal(404, "not_found", "The survey has no surface");
}

function volumeView(survey_id: SurveyId, { figures, isOwnAccuracy }: StoredVolume): Volume {
  const { toe_footprint, coverage, interpolated, uncertainty_terms, ...rest } =
    volumeFigures(figures);
  return {
    survey_id,
    footprint: polygonOf(figures.footprint),
    ...rest,
    sigma_terms_m3: uncertainty_terms,
    accuracy_basis: isOwnAccuracy ? "survey" : "surface",
    coverage_percent: asPercent(coverage),
    interpolated_percent: asPercent(interpolated),
    cell_m: rounded(figures.datum.grid.cellM, 4),
    warnings: [...figures.warnings, ...(rest.net_m3 < 0 ? [belowBase(figures)] : [])],
  };
}

export default volumeRoutes;
