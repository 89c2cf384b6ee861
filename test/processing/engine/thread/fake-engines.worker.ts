import { getPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { DomainError } from "../../../../domain/errors.ts";
import type { SurveyOptions } from "../../../../processing/engine/port/engine.ts";
import type {
  FinishedSurvey,
  SurveyEngines,
} from "../../../../processing/engine/survey-engines.ts";
import { LOAD } from "../../../../processing/engine/thread/messages.ts";
import { serveEngines } from "../../../../processing/engine/thread/serve-engines.ts";
import { GateRefusal } from "../../../../processing/gates/gates.ts";
import { type Deed, FINDING, OTHERS, PROGRESS } from "./fake-engines.ts";

const { load } = workerData as { readonly load: SharedArrayBuffer };
const numbers = new Float64Array(load);

async function deed(name: Deed, { signal, onProgress }: SurveyOptions): Promise<unknown> {
  switch (name) {
    case "cause":
      throw new DomainError("TASK_FAILED", "the task orient crashed", {
        cause: new RangeError("no such row"),
      });
    case "disk":
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    case "exit":
      return process.exit(3);
    case "gate":
      throw new GateRefusal(FINDING, OTHERS);
    case "late throw":
      setTimeout(() => {
        throw new Error("nobody awaits this");
      });
      return await delay(60_000, undefined, { signal });
    case "loop":
      onProgress({ stage: "loop", percent: 1 });
      for (;;) numbers[LOAD.running] = 2;
    case "memory": {
      const kept: unknown[] = [];
      for (;;) kept.push(Array.from({ length: 1_000 }, (_, i) => ({ i })));
    }
    case "progress":
      for (const progress of PROGRESS) onProgress(progress);
      return { points: Float64Array.of(1.5, 2.5), cameras: [{ rows: Int32Array.of(7) }] };
    case "unclonable":
      return { close: () => undefined };
    case "wait":
      numbers[LOAD.usedBytes] = 1e12;
      onProgress({ stage: "wait", percent: 1 });
      return await delay(60_000, undefined, { signal });
  }
}

const engines: SurveyEngines = {
  ...{ threads: 1, memoryBytes: 1, running: 0, waiting: 0, usedBytes: 0 },
  async process(_, { name }, options) {
    return (await deed(name as Deed, options)) as FinishedSurvey;
  },
  async run({ name, entry, memoryBytes }, input) {
    return {
      name,
      entry,
      memoryBytes: memoryBytes(input),
      input,
      niceness: getPriority(),
    } as never;
  },
  prune: async (workDir, maxBytes) => workDir.length + maxBytes,
  close: async () => undefined,
};

if (parentPort === null) throw new Error("runs in a worker thread only");
serveEngines(parentPort, engines);
