import { openEngineThread } from "../../../processing/engine/thread/engine-thread.ts";
import { imageFilesOf } from "../../../processing/images/folder-files.ts";

/**
 * A survey in a process of its own, by the service's engines, for `resume.ts` to kill: images, stages, products as arguments.
 * Prints the name of each stage when it begins.
 */
const [folder = "", workDir = "", outDir = ""] = process.argv.slice(2);
const engines = openEngineThread({ threads: 2, memoryBytes: 1.2e9, nodeOdm: undefined });
let last: string | undefined;
await engines.process(
  { engine: "local", rasters: undefined },
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
await engines.close();
