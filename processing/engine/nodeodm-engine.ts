import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { GateFinding } from "../gates/gates.ts";
import { passGates } from "../gates/pass-gates.ts";
import { checkImages } from "../photogrammetry/checks/check-images.ts";
import type { WorkerPool } from "../pool/pool.ts";
import { finishGivenSurface } from "./given-surface.ts";
import type { NodeOdmClient } from "./nodeodm/client.ts";
import { runRemoteSurvey } from "./nodeodm/remote-survey.ts";
import { withKnownNames } from "./port/control-names.ts";
import type { SurveyEngine } from "./port/engine.ts";
import { READ_RASTERS } from "./raster/tasks.ts";
import { keyText } from "./run/key-text.ts";
import { namingUses } from "./run/naming-uses.ts";
import { readSurvey } from "./run/read-survey.ts";
import type { StageStores } from "./run/stage-stores.ts";
import { createSurveyRun } from "./run/survey-run.ts";

/**
 * Shares of the time by stage, %. The node does nearly all of it; only the progress that is shown depends on them.
 */
const WEIGHTS = { images: 5, nodeodm: 90, products: 5 };
const REMOTE = { name: "nodeodm", version: 2 } as const;

export interface NodeOdmEngineOptions {
  readonly pool: WorkerPool;
  readonly stages: StageStores;
  readonly client: NodeOdmClient;
  /** How often the node is asked; see `RemoteSurvey.pollMs`. */
  readonly pollMs?: number;
}

/** Has a NodeODM work on the images; what their files say is checked here first. */
export function createNodeOdmEngine(options: NodeOdmEngineOptions): SurveyEngine {
  const { pool, stages, client, pollMs } = options;
  return {
    name: "nodeodm",
    async process(asked, { signal, onProgress }) {
      const input = withKnownNames(asked);
      const store = await stages.open(input.workDir);
      const run = createSurveyRun(input, pool, store, { signal, onProgress, weights: WEIGHTS });
      const survey = await readSurvey(run);
      const checked = checkImages(survey.images, { mostImages: Number.POSITIVE_INFINITY });
      const findings: GateFinding[] = [];
      await namingUses(survey, async () => passGates(findings, checked.findings));
      const left = new Set(checked.leftOut.map((i) => survey.images[i]?.sha256));
      const images = input.images.filter(({ sha256 }) => !left.has(sha256));
      const facts = keyText({
        images: images.map(({ sha256 }) => sha256),
        controlPoints: input.controlPoints,
      });
      run.advance("nodeodm", 0);
      const surface = await run.once(REMOTE, [facts], async () => {
        const dir = join(input.workDir, `nodeodm-${digest(facts)}`);
        await mkdir(dir, { recursive: true });
        const rasters = await runRemoteSurvey(client, {
          images,
          controlPoints: input.controlPoints,
          dir,
          disk: run.disk,
          signal: run.signal,
          onProgress: ({ percent }) => run.advance("nodeodm", percent / 100),
          ...(pollMs === undefined ? {} : { pollMs }),
        });
        const read = await pool.run(READ_RASTERS, rasters, run.signal);
        // What it held is in the stage now.
        await rm(dir, { recursive: true, force: true });
        return read;
      });
      const { refused } = survey;
      const known = { engine: "nodeodm", images: survey.images, refused, findings } as const;
      return await finishGivenSurface(run, surface, known);
    },
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}
