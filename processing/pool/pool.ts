import { inspect } from "node:util";
import { Piscina } from "piscina";
import { DomainError } from "../../domain/errors.ts";
import { gridFolder } from "../coordinates/grid-folder.ts";
import { GateRefusal } from "../gates/gates.ts";
import { createAdmission, type PoolLoad } from "./admission.ts";
import { type TaskResult, unwrap } from "./task-result.ts";
import { startTimeLimit } from "./time-limit.ts";

/** One kind of task: what goes in and what comes out, both able to be cloned. */
export interface TaskType {
  readonly input: unknown;
  readonly output: unknown;
}

/** What one run of a task may take. */
export interface TaskLimits<Input> {
  /**
   * From the moment there is a place for it (starting a thread included), ms; then the thread is ended. On a
   * machine that lets threads wait for a processor it is longer by as much: see `time-limit.ts`.
   */
  readonly timeMs: number;
  /** Memory outside of the shared inputs that the task takes at its peak, bytes: an upper bound. */
  readonly memoryBytes: (input: Input) => number;
}

/** Limits by name of the task; the names are the stems of the `.task.ts` files. */
export type TaskTable<Tasks extends Record<keyof Tasks, TaskType>> = {
  readonly [Name in keyof Tasks]: TaskLimits<Tasks[Name]["input"]>;
};

export interface PoolOptions<Tasks extends Record<keyof Tasks, TaskType>> {
  readonly tasks: TaskTable<Tasks>;
  /** Where the `.task.ts` files are (`.task.js` once built); ends in a slash. */
  readonly folder: URL;
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

export interface WorkerPool<Tasks extends Record<keyof Tasks, TaskType>> extends PoolLoad {
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
  run<Name extends keyof Tasks & string>(
    name: Name,
    input: Tasks[Name]["input"],
    signal?: AbortSignal,
  ): Promise<Tasks[Name]["output"]>;
  /** Ends the threads, and fails what runs or waits with `TASK_FAILED`. */
  close(): Promise<void>;
}

/** A thread that found nothing to do for this long ends, ms: a new one costs about 0.1 s. Chosen. */
const IDLE_MS = 30_000;
/**
 * How much nicer than the rest of the process the threads are. On Linux niceness belongs to a thread,
 * so that the event loop, which serves the API, gets its core at once however many tasks run. Higher
 * leaves more to other programs of the machine: at 5 a thread weighs a third of theirs. Chosen.
 */
const NICENESS = 5;
/** Least heap of one thread, MiB; pixels, descriptors and grids live outside of it. Chosen. */
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

/** Opens a pool; no thread starts before the first task. */
export function openWorkerPool<Tasks extends Record<keyof Tasks, TaskType>>(
  options: PoolOptions<Tasks>,
): WorkerPool<Tasks> {
  const { tasks, folder, threads, memoryBytes, onLoad, niceness = NICENESS } = options;
  const { onTask = () => undefined } = options;
  const roomBytes = roomOf(memoryBytes, threads);
  const admission = createAdmission({ places: threads, memoryBytes, roomBytes, onLoad });
  // `AbortSignal.any` with one signal for the pool's whole life would leave something at it for every
  // task that ever ran (measured on Node 20: 60 bytes).
  const underWay = new Set<AbortController>();
  let isClosed = false;
  const pool = new Piscina({
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
  pool.on("error", () => undefined);

  async function runNow<Name extends keyof Tasks & string>(
    name: Name,
    input: Tasks[Name]["input"],
    signal: AbortSignal | undefined,
    ending: AbortController,
  ): Promise<Tasks[Name]["output"]> {
    const { timeMs } = tasks[name];
    let isLate = false;
    const endLimit = startTimeLimit(timeMs, () => {
      isLate = true;
      ending.abort();
    });
    const startedMs = performance.now();
    let outcome: FinishedTask["outcome"] = "failed";
    try {
      const result: TaskResult<Tasks[Name]["output"]> = await pool.run(input, {
        filename: new URL(`${name}.task.${SUFFIX}`, folder).href,
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
        : isClosed
          ? "was stopped with its pool"
          : reasonOf(error);
      throw new DomainError("TASK_FAILED", `the task ${name} ${reason}`, { cause: error });
    } finally {
      endLimit();
      onTask({ name, seconds: (performance.now() - startedMs) / 1_000, outcome });
    }
  }

  return {
    threads,
    memoryBytes,
    roomBytes,
    hold: admission.hold,
    get running() {
      return admission.running;
    },
    get waiting() {
      return admission.waiting;
    },
    get usedBytes() {
      return admission.usedBytes;
    },
    async run(name, input, signal) {
      const bytes = tasks[name].memoryBytes(input);
      const ending = new AbortController();
      const end = () => ending.abort();
      if (isClosed || signal?.aborted === true) end();
      signal?.addEventListener("abort", end, { once: true });
      underWay.add(ending);
      try {
        const leave = await admission.enter(bytes, ending.signal).catch((error: unknown) => {
          if (error instanceof GateRefusal) throw error;
          signal?.throwIfAborted();
          throw new DomainError("TASK_FAILED", `the task ${name} was stopped with its pool`);
        });
        try {
          return await runNow(name, input, signal, ending);
        } finally {
          leave();
        }
      } finally {
        underWay.delete(ending);
        signal?.removeEventListener("abort", end);
      }
    },
    async close() {
      isClosed = true;
      for (const ending of underWay) ending.abort();
      await pool.destroy();
    },
  };
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
