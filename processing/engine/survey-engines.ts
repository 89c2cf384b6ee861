import type { SurveyPool } from "../pool/survey-pool.ts";
import { chooseEngine, type EngineRequest, type EngineTools } from "./choose.ts";
import type { SurveyInput, SurveyOptions, SurveyResult } from "./engine.ts";

/**
 * All that works on images: the engines, and the pool that they share with whoever has tasks of his own
 * (`run`), so that all of them together stay within one budget of memory. `running`, `waiting` and
 * `usedBytes` count the tasks of both.
 *
 * Two implementations: {@link createSurveyEngines} works in the thread that calls it, between its tasks;
 * `openEngineThread` in a thread of its own, for processes that have others to serve. What is handed to
 * `run` is cloned: arrays of numbers of more than a megabyte belong on shared memory (`toShared`).
 */
export interface SurveyEngines extends SurveyPool {
  /**
   * Chooses the engine and has it work; see `SurveyEngine.process`. The arrays of numbers in the result
   * may lie on shared memory, and belong to nobody: they are not to be changed.
   * @throws GateRefusal when the images cannot give an honest result; DomainError `PARAMETER_INVALID`
   * when the engine that is asked for is not configured; `TASK_FAILED`, which another attempt may not
   * meet, when a task or the engines' thread ended; the signal's reason within half a second.
   */
  process(
    request: EngineRequest,
    input: SurveyInput,
    options: SurveyOptions,
  ): Promise<SurveyResult>;
  /** Prunes the finished stages in a `workDir` (`StageStore.prune`); yields the bytes freed. */
  prune(workDir: string, maxBytes: number): Promise<number>;
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
    run: pool.run,
    async process(request, input, options) {
      return await chooseEngine(tools, request, input.images.length).process(input, options);
    },
    async prune(workDir, maxBytes) {
      return await (await stages.open(workDir)).prune(maxBytes);
    },
    close: () => pool.close(),
  };
}
