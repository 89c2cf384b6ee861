import type { FastifyPluginAsync } from "fastify";
import type { ApiDependencies } from "../dependencies/dependencies.ts";
import type { NamedUploads } from "../surveys/image-entries.ts";
import heightRoutes from "./height-routes.ts";
import { MapTiles } from "./map-tiles.ts";
import sceneRoutes from "./scene-routes.ts";
import { StoredHeights } from "./stored-heights.ts";
import { StoredScenes } from "./stored-scenes.ts";
import { StoredVolumes } from "./stored-volumes.ts";
import { SurveyFactReader } from "./survey-facts.ts";
import { createSurveyLinks } from "./survey-view.ts";
import surveyWrites from "./survey-writes.ts";
import surveyRoutes from "./surveys.ts";
import { tileRoutes } from "./tile-routes.ts";
import volumeRoutes from "./volume-routes.ts";

/** The routes of surveys: `pages` open by signed addresses at `/`, `routes` belong at `/api/v1`. */
export function siteSurveyRoutes(
  deps: ApiDependencies,
  uploads: NamedUploads | undefined,
): { readonly pages: FastifyPluginAsync; readonly routes: FastifyPluginAsync } {
  const { records, directory, files, jobs, runTask, runTileTask, disk, now } = deps;
  const { surveys } = records;
  const tiles = files && runTileTask && new MapTiles(files.store, runTileTask);
  const heights = files && runTileTask && new StoredHeights(files.store, runTileTask);
  const volumes = files && runTask && new StoredVolumes(files.store, runTask, disk);
  const scenes = files && runTask && new StoredScenes(files.store, runTask, disk);
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
      if (jobs !== undefined) {
        await app.register(surveyWrites, { records, directory, jobs, files, uploads, now });
      }
      if (heights !== undefined)
        await app.register(heightRoutes, { surveys, heights, facts, links });
      if (volumes !== undefined) await app.register(volumeRoutes, { records, directory, volumes });
      if (scenes !== undefined) await app.register(sceneRoutes, { records, scenes });
      if (served !== undefined) await app.register(served.api);
    },
  };
}
