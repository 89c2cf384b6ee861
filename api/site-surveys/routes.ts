import type { FastifyPluginAsync } from "fastify";
import type { ApiDependencies } from "../dependencies/dependencies.ts";
import { MapTiles } from "./map-tiles.ts";
import { SurveyFactReader } from "./survey-facts.ts";
import { createSurveyLinks } from "./survey-view.ts";
import surveyRoutes from "./surveys.ts";
import { tileRoutes } from "./tile-routes.ts";

/** The routes of surveys: `pages` open by signed addresses at `/`, `routes` belong at `/api/v1`. */
export function siteSurveyRoutes(deps: ApiDependencies): {
  readonly pages: FastifyPluginAsync;
  readonly routes: FastifyPluginAsync;
} {
  const { records, directory, files, runTileTask, now } = deps;
  const { surveys } = records;
  const tiles = files && runTileTask && new MapTiles(files.store, runTileTask);
  const served = files && tiles && tileRoutes({ surveys, tiles, files, now });
  return {
    async pages(app) {
      if (served !== undefined) await app.register(served.signed);
    },
    async routes(app) {
      if (files === undefined) return;
      const facts = new SurveyFactReader(files.store);
      const links = createSurveyLinks(files, now);
      await app.register(surveyRoutes, { surveys, directory, facts, links, tiles });
      if (served !== undefined) await app.register(served.api);
    },
  };
}
