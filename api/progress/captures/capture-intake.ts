import type { FastifyReply, FastifyRequest } from "fastify";
import { type CaptureId, type JobId, newId, type ProjectId } from "../../../domain/ids.ts";
import { type Capture, NEW_CAPTURE } from "../../../domain/sites/capture.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import type { JobDependencies } from "../../dependencies/dependencies.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { JobForecast } from "../../job-views/job-forecast.ts";
import { requireWorkers } from "../../surveys/image-routes.ts";
import { once } from "../../writes/once.ts";
import type { AskedCapture } from "./capture-body.ts";
import { type CaptureQueue, createCaptureQueue } from "./capture-queue.ts";

export interface CaptureIntakeOptions {
  readonly records: Pick<RecordStore, "transaction">;
  readonly jobs: Pick<JobDependencies, "isWorkedOn" | "added">;
  readonly forecast: JobForecast;
  readonly now: () => number;
}

/** Takes captures in: stores each with the job on it, once for each `Idempotency-Key`. */
export class CaptureIntake {
  readonly #options: CaptureIntakeOptions;
  readonly #queue: CaptureQueue;

  constructor(options: CaptureIntakeOptions) {
    this.#options = options;
    this.#queue = createCaptureQueue(options.forecast, options.now);
  }

  /**
   * Yields what `answer` makes of the stored capture; the status is set on `reply` before.
   * @throws Refusal with 429 where too much waits before it, with 500 where nobody works on jobs; what `once` throws
   */
  async take<Answer>(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: AskedCapture & {
      readonly projectId: ProjectId;
      readonly purpose?: Capture["purpose"];
    },
    answer: (capture: Capture) => Answer,
  ): Promise<Answer> {
    const { records, jobs, now } = this.#options;
    requireWorkers(jobs);
    const draft = {
      id: newId<CaptureId>("cap"),
      project_id: asked.projectId,
      job_id: newId<JobId>("job"),
      capture_type: asked.captureType,
      ...(asked.purpose === undefined ? {} : { purpose: asked.purpose }),
      images_count: asked.images.length,
      flight_metadata: asked.metadata,
      created_at: new Date(now()).toISOString(),
      ...NEW_CAPTURE,
    };
    const entered = await this.#queue.enter(draft, asked.images, (capture, job) =>
      once(request, reply, records, async (transaction) => {
        await transaction.captures.insert(capture);
        await transaction.jobs.add(job);
        return answer(capture);
      }),
    );
    if ("retryInS" in entered) {
      reply.header("retry-after", entered.retryInS);
      throw new Refusal(429, "rate_limit_exceeded", `${entered.reason} are waiting`);
    }
    jobs.added();
    return entered.stored;
  }
}
