/** Only in types: what a task yields. */
declare const OUTPUT: unique symbol;

/** What one run of a task may take. */
export interface TaskLimits<Input> {
  /**
   * From the moment there is a place for it (starting a thread included), ms; then the thread is ended. On a
   * machine that lets threads wait for a processor it is longer by as long: see `time-limit.ts`.
   */
  readonly timeMs: number;
  /** Memory outside of the shared inputs that the task takes at its peak, bytes: an upper bound. */
  readonly memoryBytes: (input: Input) => number;
}

/**
 * One kind of task: what goes in and what comes out, both able to be cloned, and what a run may take. A
 * `tasks.ts` beside the algorithm declares it; its entry, `<name>.task.ts`, exports `run`.
 */
export interface Task<Input, Output> extends TaskLimits<Input> {
  /** Stem of the entry; metrics and errors call the task so. */
  readonly name: string;
  /** Address of the entry without the last suffix, which is `ts` in the sources and `js` once built. */
  readonly entry: string;
  readonly [OUTPUT]?: Output;
}

/**
 * Declares a task without loading what it runs.
 * @param beside `import.meta.url` of a file in the folder of the entry
 */
export function declareTask<Input, Output>(
  beside: string,
  name: string,
  limits: TaskLimits<Input>,
): Task<Input, Output> {
  return { name, entry: new URL(`${name}.task`, beside).href, ...limits };
}

/**
 * Longest run of a short task, ms: a hundred times what it takes on two busy cores. Less ends sound tasks on
 * a machine that is busier still, more leaves a core to a thread that hangs.
 */
export const SHORT_MS = 60_000;
/** Of a task that grows with the survey: less refuses the largest surveys, more leaves a core to one that hangs. */
export const LONG_MS = 900_000;
/**
 * What a task takes beside its pixels and grids, bytes: code, WebAssembly, messages. Larger lets fewer tasks
 * run at once, smaller lets them take more memory than they were admitted with.
 */
export const BASE_BYTES = 24 * 1024 ** 2;
