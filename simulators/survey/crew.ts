import { Piscina } from "piscina";
import * as tasks from "./survey.task.ts";

type Tasks = {
  readonly [N in keyof typeof tasks]: {
    readonly input: Parameters<(typeof tasks)[N]>[0];
    readonly output: Awaited<ReturnType<(typeof tasks)[N]>>;
  };
};

/** Runs the simulator's tasks, on threads or in place. */
export interface Crew {
  run<N extends keyof Tasks>(
    name: N,
    task: Tasks[N]["input"],
    signal: AbortSignal,
  ): Promise<Tasks[N]["output"]>;
  close(): Promise<void>;
}

const fromSource = import.meta.url.endsWith(".ts");

/** Opens a crew; no workers: tasks run in the calling thread, one after the other. */
export function openCrew(workers: number): Crew {
  if (workers === 0) return inPlace();
  const pool = new Piscina({
    filename: new URL(`./survey.task.${fromSource ? "ts" : "js"}`, import.meta.url).href,
    minThreads: workers,
    maxThreads: workers,
    execArgv: fromSource ? ["--import", new URL("./register-ts.mjs", import.meta.url).href] : [],
  });
  return {
    run: (name, task, signal) => pool.run(task, { name, signal }),
    close: () => pool.destroy(),
  };
}

function inPlace(): Crew {
  return {
    async run<N extends keyof Tasks>(name: N, task: Tasks[N]["input"], signal: AbortSignal) {
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
