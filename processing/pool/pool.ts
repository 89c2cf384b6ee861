import { inspect } from "node:util";
import { Piscina } from "piscina";
import { DomainError } from "../../domain/errors.ts";
import { gridFolder } from "../coordinates/grid-folder.ts";
import { GateRefusal } from "../gates/gates.ts";
import { type Admission, createAdmission, type PoolLoad } from "./admission.ts";
import type { Task } from "./task.ts";
import { type TaskResult, unwrap } from "./task-result.ts";
import { startTimeLimit } from "./time-limit.ts";

export interface PoolOptions {
  /** Threads at most. They start with the first tasks, and end when idle. */
  readonly threads: number;
  /** Memory of all running tasks and all that is held together, bytes. */
  readonly memoryBytes: number;
  /** Called with every task that ran. */
  readonly onTask?: (task: FinishedTask) => void;
  /** Called after every change of the load. */
  readonly onLoad?: (load: PoolLoad) => void;
  /** How much nicer the threads are than the one that opens the pool; {@link NICENESS} if not given. */
  readonly niceness?: number;
}

export interface FinishedTask {
  readonly name: string;
  readonly seconds: number;
  readonly outcome: "done" | "refused" | "failed" | "stopped";
}

export interface WorkerPool extends PoolLoad {
  /** Threads at most: a stage that cuts its work into tiles makes no fewer. */
  readonly threads: number;
  /** Memory of all running tasks and all that is held together at most, bytes. */
  readonly memoryBytes: number;
  /** Part of it that can be held: the rest is for threads and tasks ({@link roomOf}). */
  readonly roomBytes: number;
  /**
   * Waits for memory that many tasks share, as the arrays of a survey are; what it yields gives it back.
   * Who holds some must not wait for more.
   * @throws GateRefusal `OUT_OF_MEMORY` when there will never be so much; the signal's reason.
   */
  hold(bytes: number, signal: AbortSignal): Promise<() => void>;
  /**
   * Runs a task in a thread once there is a thread and memory for it. When `signal` fires, the thread
   * is ended, however busy it is, and the promise rejects with the signal's reason.
   * @throws DomainError as the task reports it (GateRefusal too); `TASK_FAILED` with the task's name
   * when it crashed, ran out of memory or time; GateRefusal `OUT_OF_MEMORY` when it would need more
   * than there is.
   */
  run<Input, Output>(
    task: Task<Input, Output>,
    input: NoInfer<Input>,
    signal?: AbortSignal,
  ): Promise<Output>;
  /** Ends the threads, and fails what runs or waits with `TASK_FAILED`. */
  close(): Promise<void>;
}

/**
 * A thread that found nothing to do for this long ends, ms: a new one costs about 0.1 s. More keeps the memory of
 * idle threads, less starts them again between two requests.
 */
const IDLE_MS = 30_000;
/**
 * How much nicer than the rest of the process the threads are. On Linux niceness belongs to a thread, so that the
 * event loop, which serves the API, gets its core at once however many tasks run. Higher leaves more to other
 * programs of the machine: at 5 a thread weighs a third of theirs.
 */
const NICENESS = 5;
/**
 * Least heap of one thread, MiB; pixels, descriptors and grids live outside of it. Less ends tasks of many
 * objects, more lets the process outgrow a small setting.
 */
const LEAST_HEAP_MIB = 128;
const MIB = 1024 ** 2;
/**
 * What a process of image processing takes beside the arrays of its surveys: node with its libraries, then
 * for each thread code, WebAssembly and the task at hand. Measured with two threads: 410 MB is where the
 * largest resident sets of 18 and 72 images of 1200 px (539 and 921 MB) meet the axis.
 */
const PROCESS_BYTES = 250e6;
const THREAD_BYTES = 80e6;

const SUFFIX = import.meta.url.endsWith(".ts") ? "ts" : "js";

const PRELOAD = new URL("../../storage/worker-thread/register-ts.mjs", import.meta.url).href;

/** A pool of threads of this process; none starts before the first task. */
export class ThreadPool implements WorkerPool {
  readonly threads: number;
  readonly memoryBytes: number;
  readonly roomBytes: number;
  readonly #onTask: (task: FinishedTask) => void;
  readonly #admission: Admission;
  readonly #piscina: Piscina;
  // `AbortSignal.any` with one signal for the pool's whole life would leave something at it for every
  // task that ever ran (measured on Node 20: 60 bytes).
  readonly #underWay = new Set<AbortController>();
  #isClosed = false;

  constructor(options: PoolOptions) {
    const { threads, memoryBytes, onLoad, niceness = NICENESS } = options;
    this.threads = threads;
    this.memoryBytes = memoryBytes;
    this.roomBytes = roomOf(memoryBytes, threads);
    this.#onTask = options.onTask ?? (() => undefined);
    this.#admission = createAdmission({
      places: threads,
      memoryBytes,
      roomBytes: this.roomBytes,
      onLoad,
    });
    this.#piscina = new Piscina({
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      niceIncrement: niceness,
      recordTiming: false,
      // The package web-worker, which geotiff brings along, reads a field of it as it loads.
      workerData: gridFolder(),
      resourceLimits: {
        maxOldGenerationSizeMb: Math.max(LEAST_HEAP_MIB, Math.floor(memoryBytes / threads / MIB)),
      },
      // On Node 20 a thread does not inherit the loader that this process runs its sources by.
      execArgv: SUFFIX === "ts" ? ["--import", PRELOAD] : [],
    });
    // A thread that breaks between two tasks is replaced by the next one; without a listener the
    // process would end.
    this.#piscina.on("error", () => undefined);
  }

  get running(): number {
    return this.#admission.running;
  }

  get waiting(): number {
    return this.#admission.waiting;
  }

  get usedBytes(): number {
    return this.#admission.usedBytes;
  }

  hold(bytes: number, signal: AbortSignal): Promise<() => void> {
    return this.#admission.hold(bytes, signal);
  }

  async run<Input, Output>(
    task: Task<Input, Output>,
    input: NoInfer<Input>,
    signal?: AbortSignal,
  ): Promise<Output> {
    const bytes = task.memoryBytes(input);
    const ending = new AbortController();
    const end = () => ending.abort();
    if (this.#isClosed || signal?.aborted === true) end();
    signal?.addEventListener("abort", end, { once: true });
    this.#underWay.add(ending);
    try {
      const leave = await this.#admission.enter(bytes, ending.signal).catch((error: unknown) => {
        if (error instanceof GateRefusal) throw error;
        signal?.throwIfAborted();
        throw new DomainError("TASK_FAILED", `the task ${task.name} was stopped with its pool`);
      });
      try {
        return await this.#runNow(task, input, signal, ending);
      } finally {
        leave();
      }
    } finally {
      this.#underWay.delete(ending);
      signal?.removeEventListener("abort", end);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const ending of this.#underWay) ending.abort();
    await this.#piscina.destroy();
  }

  async #runNow<Input, Output>(
    { name, entry, timeMs }: Task<Input, Output>,
    input: Input,
    signal: AbortSignal | undefined,
    ending: AbortController,
  ): Promise<Output> {
    let isLate = false;
    const endLimit = startTimeLimit(timeMs, () => {
      isLate = true;
      ending.abort();
    });
    const startedMs = performance.now();
    let outcome: FinishedTask["outcome"] = "failed";
    try {
      const result: TaskResult<Output> = await this.#piscina.run(input, {
        filename: `${entry}.${SUFFIX}`,
        name: "run",
        signal: ending.signal,
      });
      outcome = result.ok ? "done" : "refused";
      return unwrap(result);
    } catch (error) {
      if (outcome === "refused") throw error;
      if (signal?.aborted === true) {
        outcome = "stopped";
        throw signal.reason;
      }
      const reason = isLate
        ? `took longer than ${timeMs / 1_000} s`
        : this.#isClosed
          ? "was stopped with its pool"
          : reasonOf(error);
      throw new DomainError("TASK_FAILED", `the task ${name} ${reason}`, { cause: error });
    } finally {
      endLimit();
      this.#onTask({ name, seconds: (performance.now() - startedMs) / 1_000, outcome });
    }
  }
}

/** Memory that is left for what many tasks share, bytes. */
export function roomOf(memoryBytes: number, threads: number): number {
  return Math.max(0, memoryBytes - PROCESS_BYTES - THREAD_BYTES * threads);
}

/** What the end of a thread says of it, or a thrown error of a task, in words that follow its name. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (code === "ERR_WORKER_OUT_OF_MEMORY") return "ran out of memory";
  return `crashed: ${typeof message === "string" ? message : inspect(error, { depth: 0 })}`;
}
