import type { Worker } from "node:worker_threads";
import { DomainError } from "../../../domain/errors.ts";
import { type FinishedTask, reasonOf } from "../../pool/pool.ts";
import type { Task } from "../../pool/task.ts";
import type { EngineRequest } from "../choose.ts";
import type { SurveyInput, SurveyOptions, SurveyProgress } from "../port/engine.ts";
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
 * computation. With the time that the queue takes to notice, a job is cancelled within 1 s: more
 * would break that, less gives up on work that would still have ended by itself.
 */
const LET_GO_MS = 500;
/** How long a thread has to end its pool and say goodbye to a NodeODM, ms: less leaves tasks at the node, more delays the stop. */
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
export class SupervisedEngines implements SurveyEngines {
  readonly threads: number;
  readonly memoryBytes: number;
  readonly #startWorker: SupervisedThread["startWorker"];
  readonly #onTask: (task: FinishedTask) => void;
  readonly #closeMs: number;
  #current: EngineThread | undefined;
  #isClosed = false;
  #lastId = 0;

  constructor(options: SupervisedThread) {
    const { startWorker, threads, memoryBytes, closeMs = CLOSE_MS } = options;
    this.threads = threads;
    this.memoryBytes = memoryBytes;
    this.#startWorker = startWorker;
    this.#onTask = options.onTask ?? (() => undefined);
    this.#closeMs = closeMs;
  }

  get running(): number {
    return this.#loadOf(LOAD.running);
  }

  get waiting(): number {
    return this.#loadOf(LOAD.waiting);
  }

  get usedBytes(): number {
    return this.#loadOf(LOAD.usedBytes);
  }

  async process(
    request: EngineRequest,
    input: SurveyInput,
    { signal, onProgress }: SurveyOptions,
  ): Promise<FinishedSurvey> {
    const work = { kind: "process", request, input } as const;
    return (await this.#ask(work, signal, onProgress)) as FinishedSurvey;
  }

  async run<Input, Output>(
    { name, entry, timeMs, memoryBytes }: Task<Input, Output>,
    input: NoInfer<Input>,
    signal?: AbortSignal,
  ): Promise<Output> {
    const task = { name, entry, timeMs, memoryBytes: memoryBytes(input) };
    // The task's own output comes back.
    return (await this.#ask({ kind: "run", task, input }, signal)) as Output;
  }

  async prune(workDir: string, maxBytes: number): Promise<number> {
    return (await this.#ask({ kind: "prune", workDir, maxBytes })) as number;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const thread = this.#current;
    if (thread === undefined) return;
    thread.post({ kind: "close" });
    const patience = setTimeout(() => void thread.terminate(), this.#closeMs);
    await thread.ended;
    clearTimeout(patience);
  }

  #start(): EngineThread {
    const load = new SharedArrayBuffer(LOAD_NUMBERS * Float64Array.BYTES_PER_ELEMENT);
    const worker = this.#startWorker(load);
    const pending = new Map<number, Pending>();
    const end = (what: string, cause?: unknown) => {
      if (this.#current === thread) this.#current = undefined;
      const words = this.#isClosed ? "the engines were stopped" : `the engines' thread ${what}`;
      for (const { reject } of pending.values()) {
        reject(new DomainError("TASK_FAILED", words, { cause }));
      }
      pending.clear();
    };
    worker.on("message", (message: FromEngines) => {
      if (message.kind === "task") return this.#onTask(message.task);
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

  async #ask(
    work: EngineWork,
    signal?: AbortSignal,
    onProgress?: (progress: SurveyProgress) => void,
  ): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw new DomainError("TASK_FAILED", "the engines were stopped");
    this.#current ??= this.#start();
    const { pending, post } = this.#current;
    this.#lastId += 1;
    const id = this.#lastId;
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

  #loadOf(index: number): number {
    return this.#current?.load[index] ?? 0;
  }
}
