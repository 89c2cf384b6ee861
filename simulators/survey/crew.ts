import { Piscina } from "piscina";
import { fill, image, paint } from "./survey.task.ts";

/** What the crew can do, by the name of the task file's export. */
const tasks = { paint, fill, image };

type Tasks = {
  readonly [N in keyof typeof tasks]: {
    readonly input: Parameters<(typeof tasks)[N]>[0];
    readonly output: Awaited<ReturnType<(typeof tasks)[N]>>;
  };
};

/** Runs the simulator's tasks, on threads or in place. */
export interface Crew {
  /** @throws `AbortError` once the crew's signal has fired; running threads are ended at once. */
  run<N extends keyof Tasks>(name: N, task: Tasks[N]["input"]): Promise<Tasks[N]["output"]>;
  close(): Promise<void>;
}

const fromSource = import.meta.url.endsWith(".ts");

/** Opens a crew; no workers: tasks run in the calling thread, one after the other. */
export function openCrew(workers: number, signal: AbortSignal): Crew {
  if (workers === 0) return workInPlace(signal);
  const pool = new Piscina({
    filename: new URL(`./survey.task.${fromSource ? "ts" : "js"}`, import.meta.url).href,
    minThreads: workers,
    maxThreads: workers,
    execArgv: fromSource ? ["--import", new URL("./register-ts.mjs", import.meta.url).href] : [],
  });
  const stop = () => void pool.destroy();
  signal.addEventListener("abort", stop, { once: true });
  return {
    async run(name, task) {
      try {
        signal.throwIfAborted();
        return await pool.run(task, { name });
      } catch (error) {
        // A thread that was ended says so in its own words.
        signal.throwIfAborted();
        throw error;
      }
    },
    async close() {
      signal.removeEventListener("abort", stop);
      await pool.destroy();
    },
  };
}

function workInPlace(signal: AbortSignal): Crew {
  return {
    async run<N extends keyof Tasks>(name: N, task: Tasks[N]["input"]) {
      // Lets timers and signals in between two tasks.
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      // TypeScript does not tie the function's input to N; the name picks both.
      const work = tasks[name] as (
        input: Tasks[N]["input"],
      ) => Promise<Tasks[N]["output"]> | Tasks[N]["output"];
      return await work(task);
    },
    close: async () => {},
  };
}
