import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { JobRecords } from "../storage/ports/platform/jobs.ts";
import type { FinishedTask, WorkerPool } from "./pool/pool.ts";
import type { JobRunner } from "./queue/runner.ts";

/** Bounds of task durations, s: from reading an image to adjusting a large block. */
const TASK_BUCKETS = [0.05, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300];

/** Exposes the queue to Prometheus; it is asked when somebody scrapes. */
export function registerJobMetrics(registry: Registry, jobs: Pick<JobRecords, "load">): void {
  const registers = [registry];
  const labelNames = ["kind"];
  const queued = new Gauge({
    name: "plumbline_jobs_queued",
    help: "Jobs that wait for a runner",
    labelNames,
    registers,
    async collect() {
      // A store that is away must not take the other metrics with it.
      const load = await jobs.load().catch(() => []);
      for (const gauge of [this, running, speed]) gauge.reset();
      for (const kind of load) {
        queued.set({ kind: kind.kind }, kind.queued);
        running.set({ kind: kind.kind }, kind.running);
        if (kind.secondsPerUnit !== undefined) speed.set({ kind: kind.kind }, kind.secondsPerUnit);
      }
    },
  });
  const running = new Gauge({
    name: "plumbline_jobs_running",
    help: "Jobs that a runner works on, in all processes",
    labelNames,
    registers,
  });
  const speed = new Gauge({
    name: "plumbline_job_seconds_per_unit",
    help: "Seconds per unit of work, mean over the last 20 jobs of a kind",
    labelNames,
    registers,
  });
}

/** Exposes the pool; returns the function to call with every task that ran. */
export function createTaskMetrics(registry: Registry): (task: FinishedTask) => void {
  const registers = [registry];
  const seconds = new Histogram({
    name: "plumbline_task_seconds",
    help: "Duration of tasks of image processing, the start of a thread included",
    labelNames: ["task"],
    buckets: TASK_BUCKETS,
    registers,
  });
  const finished = new Counter({
    name: "plumbline_tasks_total",
    help: "Tasks by outcome: done, refused, failed (crash, memory, time), stopped",
    labelNames: ["task", "outcome"],
    registers,
  });
  return ({ name, seconds: duration, outcome }) => {
    seconds.observe({ task: name }, duration);
    finished.inc({ task: name, outcome });
  };
}

/** Exposes how busy this process is with images. */
export function registerProcessingMetrics(
  registry: Registry,
  {
    pool,
    runner,
  }: {
    readonly pool: Pick<WorkerPool, "running" | "waiting" | "usedBytes">;
    readonly runner: JobRunner;
  },
): void {
  const gauges: readonly (readonly [name: string, help: string, value: () => number])[] = [
    ["jobs", "Jobs that this process works on", () => runner.running],
    ["tasks", "Tasks that run in threads", () => pool.running],
    ["tasks_waiting", "Tasks that wait for a thread or for memory", () => pool.waiting],
    [
      "memory_bytes",
      "Memory promised to running tasks, and held for the arrays of surveys",
      () => pool.usedBytes,
    ],
  ];
  for (const [name, help, value] of gauges) {
    new Gauge({
      name: `plumbline_processing_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  }
}
