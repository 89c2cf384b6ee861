import type { Worker } from "node:worker_threads";
import { DomainError } from "../../../domain/errors.ts";
import { type FinishedTask, reasonOf } from "../../pool/pool.ts";
import type { SurveyProgress } from "../port/engine.ts";
import type { FinishedSurvey, SurveyEngines } from "../survey-engines.ts";
import {
  type EngineWork,
  type FromEngines,
  LOAD,
  LOAD_NUMBERS,
  type ToEngines,
} from "./messages.ts";
import { receivedError } from "./sent-error.ts";

/**
 * How long the thread has to let go of work that was cancelled, ms: it may be in the middle of a
 * computation. With the time that the queue takes to notice, a job is cancelled within 1 s. Chosen.
 */
const LET_GO_MS = 500;
/** How long a thread has to end its pool and say goodbye to a NodeODM, ms. Chosen. */
const CLOSE_MS = 3_000;

export interface SupervisedThread {
  /** Starts the thread that calls `serveEngines`; the numbers of the pool's load go into `load`. */
  readonly startWorker: (load: SharedArrayBuffer) => Worker;
  readonly threads: number;
  readonly memoryBytes: number;
  readonly onTask?: ((task: FinishedTask) => void) | undefined;
  /** {@link CLOSE_MS} if not given. */
  readonly closeMs?: number;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((progress: SurveyProgress) => void) | undefined;
}

/** One thread, from its start to its end. */
interface EngineThread {
  readonly load: Float64Array;
  readonly ended: Promise<void>;
  readonly pending: Map<number, Pending>;
  post(message: ToEngines): void;
  terminate(): Promise<unknown>;
}

/** The other end of {@link serveEngines}: one thread at a time, another one after a crash. */
export function superviseEngines(options: SupervisedThread): SurveyEngines {
  const { startWorker, threads, memoryBytes, closeMs = CLOSE_MS } = options;
  const { onTask = () => undefined } = options;
  let current: EngineThread | undefined;
  let isClosed = false;
  let lastId = 0;

  function start(): EngineThread {
    const load = new SharedArrayBuffer(LOAD_NUMBERS * Float64Array.BYTES_PER_ELEMENT);
    const worker = startWorker(load);
    const pending = new Map<number, Pending>();
    const end = (what: string, cause?: unknown) => {
      if (current === thread) current = undefined;
      const words = isClosed ? "the engines were stopped" : `the engines' thread ${what}`;
      for (const { reject } of pending.values()) {
        reject(new DomainError("TASK_FAILED", words, { cause }));
      }
      pending.clear();
    };
    worker.on("message", (message: FromEngines) => {
      if (message.kind === "task") return onTask(message.task);
      // A task that nobody waits for any more was cancelled.
      const waiting = pending.get(message.id);
      if (message.kind === "progress") return waiting?.onProgress?.(message.progress);
      pending.delete(message.id);
      if (message.kind === "done") waiting?.resolve(message.value);
      else waiting?.reject(receivedError(message.error));
    });
    worker.on("error", (error) => end(reasonOf(error), error));
    // An answer that cannot be read is an answer that somebody would wait for in vain.
    worker.on("messageerror", (error) => {
      end("gave an answer that cannot be read", error);
      void worker.terminate();
    });
    const ended = new Promise<void>((resolve) => {
      worker.once("exit", (code) => {
        end(`ended with code ${code}`);
        resolve();
      });
    });
    const thread: EngineThread = {
      load: new Float64Array(load),
      ended,
      pending,
      post: (message) => worker.postMessage(message),
      terminate: () => worker.terminate(),
    };
    return thread;
  }

  async function ask(
    work: EngineWork,
    signal?: AbortSignal,
    onProgress?: (progress: SurveyProgress) => void,
  ): Promise<unknown> {
    signal?.throwIfAborted();
    if (isClosed) throw new DomainError("TASK_FAILED", "the engines were stopped");
    current ??= start();
    const { pending, post } = current;
    lastId += 1;
    const id = lastId;
    let letGo: NodeJS.Timeout | undefined;
    let cancel = (): void => undefined;
    try {
      return await new Promise<unknown>((resolve, reject) => {
        cancel = () => {
          post({ kind: "cancel", id });
          letGo = setTimeout(() => reject(signal?.reason), LET_GO_MS);
        };
        signal?.addEventListener("abort", cancel, { once: true });
        // Throws where the input cannot be cloned.
        post({ ...work, id });
        pending.set(id, { resolve, reject, onProgress });
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      pending.delete(id);
      clearTimeout(letGo);
      signal?.removeEventListener("abort", cancel);
    }
  }

  const loadOf = (index: number): number => current?.load[index] ?? 0;

  return {
    threads,
    memoryBytes,
    get running() {
      return loadOf(LOAD.running);
    },
    get waiting() {
      return loadOf(LOAD.waiting);
    },
    get usedBytes() {
      return loadOf(LOAD.usedBytes);
    },
    async process(request, input, { signal, onProgress }) {
      const work = { kind: "process", request, input } as const;
      return (await ask(work, signal, onProgress)) as FinishedSurvey;
    },
    async run({ name, entry, timeMs, memoryBytes }, input, signal) {
      const task = { name, entry, timeMs, memoryBytes: memoryBytes(input) };
      // The task's own output comes back.
      return (await ask({ kind: "run", task, input }, signal)) as never;
    },
    async prune(workDir, maxBytes) {
      return (await ask({ kind: "prune", workDir, maxBytes })) as number;
    },
    async close() {
      isClosed = true;
      const thread = current;
      if (thread === undefined) return;
      thread.post({ kind: "close" });
      const patience = setTimeout(() => void thread.terminate(), closeMs);
      await thread.ended;
      clearTimeout(patience);
    },
  };
}
