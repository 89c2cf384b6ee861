import type { WorkerPool } from "../pool/pool.ts";
import { finishGivenSurface, readGivenSurface } from "./given-surface.ts";
import type { SurveyEngine } from "./port/engine.ts";
import type { GivenRasters } from "./raster/read-rasters.ts";
import type { StageStores } from "./run/stage-stores.ts";
import { createSurveyRun } from "./run/survey-run.ts";

/** Shares of the time by stage, %. Only the progress that is shown depends on them. */
const WEIGHTS = { rasters: 50, products: 50 };

/** Takes a surface, and an orthophoto if there is one, that somebody else made; images are not read. */
export function createPrecomputedEngine(
  tools: { readonly pool: WorkerPool; readonly stages: StageStores },
  rasters: GivenRasters,
): SurveyEngine {
  return {
    name: "precomputed",
    async process(input, options) {
      const store = await tools.stages.open(input.workDir);
      const run = createSurveyRun(input, tools.pool, store, { ...options, weights: WEIGHTS });
      run.advance("rasters", 0);
      const surface = await readGivenSurface(run, rasters);
      const facts = { engine: "precomputed", images: [], refused: [], findings: [] } as const;
      return await finishGivenSurface(run, surface, facts);
    },
  };
}
