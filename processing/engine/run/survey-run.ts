import { setMaxListeners } from "node:events";
import type { DiskSpace } from "../../../storage/disk/disk-space.ts";
import type { WorkerPool } from "../../pool/pool.ts";
import type { StageTime, SurveyInput, SurveyProgress } from "../port/engine.ts";
import type { FinishedStage, StageStore } from "./stage-store.ts";

/** What every stage of one run works with. */
export interface SurveyRun {
  readonly input: SurveyInput;
  readonly pool: WorkerPool;
  /** Admits the files of the survey. */
  readonly disk: DiskSpace;
  readonly signal: AbortSignal;
  /** Says what share of a stage is done, 0 to 1; the first word of a stage ends the one before it. */
  advance(stage: string, share: number): void;
  /** Waits until there is memory for the survey's arrays, and holds it until the run ends. Once a run. */
  hold(bytes: number): Promise<void>;
  /** Gives back what is held; no stage may follow. */
  end(): void;
  /** Time that each stage took so far, in their order. */
  timings(): readonly StageTime[];
  /**
   * The value of a stage: known, or computed and kept (`StageStore.once`). When another job that was working
   * it out is cancelled, this one does it itself.
   */
  once<T>(
    stage: { readonly name: string; readonly version: number },
    inputs: readonly string[],
    work: () => Promise<T>,
  ): Promise<FinishedStage<T>>;
}

export function createSurveyRun(
  input: SurveyInput,
  pool: WorkerPool,
  stages: StageStore,
  options: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: SurveyProgress) => void;
    /** Stages in their order and what share of the whole each takes; any unit. */
    readonly weights: Readonly<Record<string, number>>;
  },
): SurveyRun {
  const { onProgress, weights } = options;
  const signal = AbortSignal.any([options.signal]);
  // One for each task that waits or runs.
  setMaxListeners(0, signal);
  const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  let lastPercent = 0;
  const startsMs = new Map<string, number>();
  const startedMs = performance.now();
  let release = (): void => undefined;
  return {
    input,
    pool,
    disk: stages.disk,
    signal,
    advance(stage, share) {
      signal.throwIfAborted();
      // What came before the first word belongs to the first stage.
      if (!startsMs.has(stage)) {
        startsMs.set(stage, startsMs.size === 0 ? startedMs : performance.now());
      }
      let before = 0;
      for (const [name, weight] of Object.entries(weights)) {
        if (name === stage) break;
        before += weight;
      }
      const percent = (100 * (before + (weights[stage] ?? 0) * share)) / total;
      lastPercent = Math.min(100, Math.max(lastPercent, percent));
      onProgress({ stage, percent: lastPercent });
    },
    async hold(bytes) {
      release = await pool.hold(bytes, signal);
    },
    end() {
      release();
      release = () => undefined;
    },
    timings() {
      const starts = [...startsMs];
      return starts.map(([stage, startMs], i) => {
        const endMs = starts[i + 1]?.[1] ?? performance.now();
        return { stage, seconds: Math.round(endMs - startMs) / 1_000 };
      });
    },
    async once(stage, inputs, work) {
      for (;;) {
        signal.throwIfAborted();
        try {
          return await raced(stages.once(stage, inputs, work), signal);
        } catch (error) {
          const isAnothers = error instanceof Error && error.name === "AbortError";
          if (!isAnothers) throw error;
          signal.throwIfAborted();
        }
      }
    },
  };
}

/** Waits no longer than until the signal: the work may be another job's. */
async function raced<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
