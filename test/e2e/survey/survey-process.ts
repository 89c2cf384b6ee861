import { createLocalEngine } from "../../../processing/engine/local.ts";
import { createStageStores } from "../../../processing/engine/stage-stores.ts";
import { imageFilesOf } from "../../../processing/images/folder-files.ts";
import { openSurveyPool } from "../../../processing/pool/survey-pool.ts";

/**
 * A survey in a process of its own, for `resume.ts` to kill: images, stages, products as arguments.
 * Prints the name of each stage when it begins.
 */
const [folder = "", workDir = "", outDir = ""] = process.argv.slice(2);
const pool = openSurveyPool({ threads: 2, memoryBytes: 1.2e9 });
let last: string | undefined;
await createLocalEngine({ pool, stages: createStageStores() }).process(
  {
    name: "check",
    images: await imageFilesOf(folder),
    profile: { workingWidthPx: 480, dsmCellGsd: 4, orthoCellGsd: 2, maxKeypoints: 2_000 },
    controlPoints: [],
    scaleBars: [],
    workDir,
    outDir,
  },
  {
    signal: new AbortController().signal,
    onProgress({ stage }) {
      if (stage === last) return;
      last = stage;
      console.log(stage);
    },
  },
);
await pool.close();
