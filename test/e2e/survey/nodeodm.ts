import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { NodeOdmClient } from "../../../processing/engine/nodeodm/client.ts";
import { createNodeOdmEngine } from "../../../processing/engine/nodeodm-engine.ts";
import { createStageStores } from "../../../processing/engine/run/stage-stores.ts";
import { NodeOdmStub } from "../../support/nodeodm-stub.ts";
import { openSurveyBench } from "../../support/run-survey.ts";
import { heightError, pileVolumes } from "../../support/survey-accuracy.ts";
import { surveySet } from "../../support/survey-sets.ts";
import { type Check, type Expectation, holds, within } from "./check.ts";

/** The true surface, as a NodeODM would hand it over, measures as the truth does. */
export const nodeodm: Check = {
  name: "nodeodm",
  about: "the simulator's true DSM through a NodeODM on loopback gives the same volumes",
  async run({ print }) {
    const set = await surveySet({ widthPx: 400, images: 16, gps: "rtk" });
    const node = await NodeOdmStub.open();
    const bench = await openSurveyBench();
    try {
      node.products = {
        "odm_dem/dsm.tif": await readFile(join(set.folder, set.truth.rasters.surfaceUtm.file)),
      };
      const engine = createNodeOdmEngine({
        pool: bench.pool,
        stages: createStageStores(),
        client: new NodeOdmClient(node.url, undefined),
        pollMs: 20,
      });
      const result = await bench.run(set.folder, { engine });
      const heights = await heightError(result, set);
      print(`${heights.cells} cells, median ${(100 * heights.medianM).toFixed(3)} cm`);
      const volumes: Expectation[] = (await pileVolumes(result, set)).map(
        ({ id, volumeM3, truthM3 }) =>
          // Both rasters sample one surface, turned against each other by the meridian's convergence.
          within(`${id}, volume error`, 100 * Math.abs(volumeM3 / truthM3 - 1), 0, 0.3, "%"),
      );
      return [
        holds("the engine names itself", result.engine === "nodeodm"),
        holds("nothing stays at the node", node.tasks.size === 0),
        within("NMAD of heights", 100 * heights.nmadM, 0, 0.5, "cm"),
        within("median of heights", 100 * Math.abs(heights.medianM), 0, 1, "cm"),
        holds("every pile is measured", volumes.length === set.truth.piles.length),
        ...volumes,
      ];
    } finally {
      await bench.close();
      await node.close();
    }
  },
};
