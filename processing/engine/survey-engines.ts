import type { WorkerPool } from "../pool/pool.ts";
import { chooseEngine, type EngineRequest, type EngineTools } from "./choose.ts";
import type { SurveyInput, SurveyOptions, SurveyResult } from "./port/engine.ts";

/**
 * All that works on images: the engines, and the pool that they share with other tasks (`run`), so that all
 * of them together stay within one budget of memory. `running`, `waiting` and `usedBytes` count the tasks of
 * both.
 *
 * Two implementations: {@link createSurveyEngines} works in the thread that calls it, between its tasks;
 * `openEngineThread` in a thread of its own, for processes that have others to serve. What is handed to
 * `run` is cloned: arrays of numbers of more than a megabyte belong on shared memory (`toShared`).
 */
export interface SurveyEngines extends Omit<WorkerPool, "hold" | "roomBytes"> {
  /**
   * Chooses the engine and has it work; see `SurveyEngine.process`. The arrays of numbers in the result may
   * lie on shared memory and must not be changed.
   * @throws GateRefusal when the images cannot give an honest result; DomainError `PARAMETER_INVALID`
   * when the engine that is asked for is not configured; `TASK_FAILED`, which another attempt may not
   * meet, when a task or the engines' thread ended; the signal's reason within half a second.
   */
  process(
    request: EngineRequest,
    input: SurveyInput,
    options: SurveyOptions,
  ): Promise<FinishedSurvey>;
  /** Prunes the finished stages in a `workDir` (`StageStore.prune`); yields the bytes freed. */
  prune(workDir: string, maxBytes: number): Promise<number>;
}

/** What engines made, with what takes long to count. */
export interface FinishedSurvey extends SurveyResult {
  /** Cells of the surface with a height. */
  readonly knownCells: number;
}

/** Engines in this thread: for a program that does nothing else. */
export function createSurveyEngines(tools: EngineTools): SurveyEngines {
  const { pool, stages } = tools;
  return {
    threads: pool.threads,
    memoryBytes: pool.memoryBytes,
    get running() {
      return pool.running;
    },
    get waiting() {
      return pool.waiting;
    },
    get usedBytes() {
      return pool.usedBytes;
    },
    run: (task, input, signal) => pool.run(task, input, signal),
    async process(request, input, options) {
      const engine = chooseEngine(tools, request, input.images.length);
      const result = await engine.process(input, options);
      let knownCells = 0;
      for (const z of result.dsm.elevationM) if (!Number.isNaN(z)) knownCells += 1;
      return { ...result, knownCells };
    },
    async prune(workDir, maxBytes) {
      return await (await stages.open(workDir)).prune(maxBytes);
    },
    close: () => pool.close(),
  };
}
