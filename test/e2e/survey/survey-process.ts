import { readFileSync } from "node:fs";
import { openEngineThread } from "../../../processing/engine/thread/engine-thread.ts";
import { imageFilesOf } from "../../../processing/images/files/folder-files.ts";
import type { SurveyLine } from "./survey-line.ts";

/**
 * A survey in a process of its own, by the service's engines, for `resume.ts` and `large.ts` to kill: images,
 * stages, products, working width (480 px) and memory in bytes (1.2e9) as arguments. Prints a line of JSON
 * (`survey-line.ts`) when a stage begins, at every whole percent, and at the end.
 */
const [folder = "", workDir = "", outDir = "", widthPx = "480", memoryBytes = "1.2e9"] =
  process.argv.slice(2);
const engines = openEngineThread({
  threads: 2,
  memoryBytes: Number(memoryBytes),
  nodeOdm: undefined,
});
let last = "";
const result = await engines.process(
  { engine: "local", rasters: undefined },
  {
    name: "check",
    images: await imageFilesOf(folder),
    profile: {
      workingWidthPx: Number(widthPx),
      surfaceWidthPx: Number.POSITIVE_INFINITY,
      ...{ dsmCellGsd: 4, orthoCellGsd: 2, maxKeypoints: 2_000 },
    },
    controlPoints: [],
    scaleBars: [],
    exports: true,
    workDir,
    outDir,
  },
  {
    signal: new AbortController().signal,
    onProgress({ stage, percent }) {
      const place = `${stage} ${Math.floor(percent)}`;
      if (place === last) return;
      last = place;
      print({ stage, percent });
    },
  },
);
const { reconstruction } = result;
print({
  stage: "end",
  percent: 100,
  cameras: reconstruction?.cameras.length ?? 0,
  rmsPx: reconstruction?.summary.rmsPx ?? Number.NaN,
  warned: result.findings.map(({ gate }) => gate),
});
await engines.close();

function print(line: Omit<SurveyLine, "cpuS" | "peakBytes">): void {
  const { user, system } = process.cpuUsage();
  const status = readFileSync("/proc/self/status", "utf8");
  const peakBytes = 1_024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  console.log(JSON.stringify({ ...line, cpuS: (user + system) / 1e6, peakBytes }));
}
