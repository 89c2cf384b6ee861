import type { SurveyInput } from "../../../../processing/engine/port/engine.ts";
import { SupervisedEngines } from "../../../../processing/engine/thread/supervise-engines.ts";
import type { GateFinding } from "../../../../processing/gates/gates.ts";
import { openWorker } from "../../../../storage/worker-thread/open.ts";

/** What the engines of these tests do with a survey, by its name. */
export type Deed =
  | "cause"
  | "disk"
  | "exit"
  | "gate"
  | "late throw"
  | "loop"
  | "memory"
  | "progress"
  | "unclonable"
  | "wait";

const finding = (gate: GateFinding["gate"], value: number): GateFinding => ({
  ...{ gate, value, severity: "reject", threshold: 5, unit: "images" },
  ...{ advice: "Fly again.", images: ["a.jpg"] },
});
export const FINDING = finding("TOO_FEW_IMAGES", 2);
export const OTHERS = [finding("LOW_SHARPNESS", 1)];

export const PROGRESS = Array.from({ length: 200 }, (_, i) => ({
  stage: `stage ${i % 7}`,
  percent: i / 2,
}));

/** A heap that is full before a test runs out of patience. */
const HEAP_MIB = 32;

/** The real supervisor, over a thread whose engines are those of `fake-engines.worker.ts`. */
export function openFakeEngines() {
  const engines = new SupervisedEngines({
    startWorker: (load) =>
      openWorker(import.meta.url, "./fake-engines", {
        workerData: { load },
        resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
      }),
    threads: 3,
    memoryBytes: 1_000,
    // An endless computation is not waited for.
    closeMs: 200,
  });
  return {
    engines,
    survey: (
      name: Deed,
      signal = new AbortController().signal,
      onProgress: Parameters<typeof engines.process>[2]["onProgress"] = () => undefined,
    ) =>
      engines.process(
        { engine: "auto", rasters: undefined },
        // Nothing else of it is read.
        { name } as SurveyInput,
        { signal, onProgress },
      ),
  };
}
