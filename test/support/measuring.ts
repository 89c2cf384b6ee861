import { pino } from "pino";
import type { ProjectId } from "../../domain/ids.ts";
import type { Stockpile } from "../../domain/sites/stockpile.ts";
import {
  MEASURE_JOB,
  type MeasureRequest,
  readMeasureRequest,
} from "../../processing/measurement/measure-request.ts";
import type { JobContext } from "../../processing/queue/job-handler.ts";
import { JobRunner } from "../../processing/queue/runner.ts";
import type { TestApp } from "./api-app.ts";
import { sampleMeasurement, sampleStockpile } from "./sample-stockpile.ts";

/** A runner of measurements whose place a test takes. */
export interface Measuring extends AsyncDisposable {
  /** What jobs that have begun are to measure, in their order. */
  readonly begun: readonly MeasureRequest[];
}

/** Puts a stockpile into the app's records, in a project of its own. */
export async function storeStockpile(
  t: TestApp,
  change: Partial<Stockpile> = {},
): Promise<Stockpile> {
  const project_id = change.project_id ?? (await t.project());
  const stockpile = sampleStockpile({ ...change, project_id: project_id as ProjectId });
  await t.records.stockpiles.insert(stockpile);
  return stockpile;
}

/**
 * Works on the app's measurements: each one stores what `sampleMeasurement` says once `work` has resolved,
 * and fails with what it throws.
 */
export function startMeasuring(
  t: TestApp,
  work: (request: MeasureRequest, context: JobContext) => Promise<void> = async () => undefined,
): Measuring {
  const begun: MeasureRequest[] = [];
  const runner = new JobRunner({
    jobs: t.records.jobs,
    handlers: new Map([
      [
        MEASURE_JOB,
        async (job, context) => {
          const request = readMeasureRequest(job.input);
          begun.push(request);
          await work(request, context);
          return await t.records.stockpiles.addMeasurement(
            request.stockpileId,
            job.id,
            (before) => ({
              stockpile: before,
              measurement: sampleMeasurement(before, job.id),
              events: [],
            }),
          );
        },
      ],
    ]),
    runner: "test",
    concurrency: 2,
    isAlone: true,
    log: pino({ level: "silent" }),
    onEnded: (id) => t.watch.poke(id),
    times: { pollMs: 5, watchMs: 50, stopMs: 100 },
  });
  return { begun, [Symbol.asyncDispose]: () => runner.stop() };
}
