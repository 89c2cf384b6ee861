import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Job } from "../../../storage/ports/platform/jobs.ts";
import { bundledScript } from "../../support/bundled-program.ts";
import type { FromWorker, SurveyLike, ToWorker } from "./messages.ts";

const CHILD = "test/e2e/processing/worker-child.ts";
const PATIENCE_MS = 120_000;
const LOOK_MS = 50;

/** A process that runs jobs, seen from outside. */
export interface Worker {
  /** Stages that it began to work out, in order. */
  readonly stages: readonly string[];
  add(id: string, input: SurveyLike): void;
  cancel(id: string): void;
  /** Waits until the job is as wanted. */
  until(id: string, isSo: (job: Job) => boolean): Promise<Job>;
  /** Waits until it works out that stage. */
  begins(stage: string): Promise<void>;
  /** SIGKILL, or a clean stop. */
  end(how: "kill" | "stop"): Promise<void>;
}

export async function startWorker(dataDir: string): Promise<Worker> {
  const child: ChildProcess = fork(await bundledScript(CHILD), [dataDir], {
    execArgv: [],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    serialization: "advanced",
  });
  const stages: string[] = [];
  const jobs = new Map<string, Job>();
  let isReady = false;
  child.on("message", (message: FromWorker) => {
    if (message.kind === "ready") isReady = true;
    if (message.kind === "stage") stages.push(message.name);
    if (message.kind === "job") jobs.set(message.job.id, message.job);
  });
  const gone = once(child, "exit");
  const send = (message: ToWorker) => child.send(message);

  async function wait<T>(what: string, look: () => T | undefined): Promise<T> {
    const untilMs = performance.now() + PATIENCE_MS;
    while (performance.now() < untilMs) {
      const found = look();
      if (found !== undefined) return found;
      await delay(LOOK_MS);
    }
    throw new Error(`${what} within ${PATIENCE_MS / 1_000} s`);
  }

  await wait("the worker starts", () => (isReady ? true : undefined));
  return {
    stages,
    add: (id, input) => void send({ kind: "add", id, input }),
    cancel: (id) => void send({ kind: "cancel", id }),
    until: (id, isSo) =>
      wait(`job ${id} is as wanted`, () => {
        send({ kind: "find", id });
        const job = jobs.get(id);
        return job !== undefined && isSo(job) ? job : undefined;
      }),
    begins: async (stage) => {
      await wait(`stage ${stage} begins`, () => (stages.includes(stage) ? true : undefined));
    },
    async end(how) {
      if (how === "kill") child.kill("SIGKILL");
      else send({ kind: "stop" });
      await gone;
    },
  };
}
