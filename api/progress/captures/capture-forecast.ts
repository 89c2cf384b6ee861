import { CAPTURE_JOB } from "../../../processing/progress/capture/capture-request.ts";
import { waitingTimeS, workTimeS } from "../../../processing/queue/waiting-time.ts";
import type {
  JobOutline,
  JobRecords,
  KindLoad,
  NewJob,
} from "../../../storage/ports/platform/jobs.ts";

/**
 * What is left of a capture at least, s, however far its job says that it has come: 0 would announce an end
 * that is past.
 */
const LEAST_S = 1;

/** When captures will be done, by how fast work has been lately. */
export interface CaptureForecast {
  /**
   * Seconds until a job that is added now is done, of which `waitS` until all work before it is; and how
   * many captures of its project are queued.
   */
  ofNew(
    job: NewJob,
  ): Promise<{ readonly leftS: number; readonly waitS: number; readonly queued: number }>;
  /** Seconds until a job that waits or runs is done; above 0. */
  ofOpen(job: JobOutline): Promise<number>;
  /** Seconds of work that a job is by itself, for many of them with one read; above 0. */
  ofWork(): Promise<(job: JobOutline) => number>;
}

/**
 * Captures of a project are worked on one after the other: one waits for those before it in its lane, or
 * for its share of all the work there is over `jobsAtOnce`, whichever is longer. Within a factor of two at
 * best, as `waitingTimeS`.
 */
export function createCaptureForecast(
  jobs: Pick<JobRecords, "load">,
  jobsAtOnce: number,
  now: () => number,
): CaptureForecast {
  const waitS = (all: readonly KindLoad[], lane: readonly KindLoad[]): number =>
    Math.max(waitingTimeS(all, jobsAtOnce), waitingTimeS(lane, 1));
  const workOf = (load: readonly KindLoad[], { workUnits, progress }: JobOutline): number =>
    Math.max(LEAST_S, workTimeS(load, CAPTURE_JOB, workUnits * (1 - progress / 100)));
  const laneOf = ({ lane }: Pick<JobOutline, "lane">) => (lane === undefined ? {} : { lane });

  return {
    async ofNew(job) {
      const before = await jobs.load({ before: job });
      const waits = waitS(before, await jobs.load(laneOf(job)));
      const leftS = Math.max(LEAST_S, waits + workTimeS(before, CAPTURE_JOB, job.workUnits));
      const { projectId } = job;
      const own = await jobs.load(projectId === undefined ? {} : { projectId });
      const queued = own.find(({ kind }) => kind === CAPTURE_JOB)?.queued ?? 0;
      return { leftS, waitS: waits, queued };
    },

    async ofOpen(job) {
      const before = job.id;
      const all = await jobs.load({ before });
      const workS = workOf(all, job);
      if (job.state === "running") return workS;
      // Before its first attempt, the time is that of the database, whose clock may be another.
      const pauseS = job.attempts === 0 ? 0 : (job.notBeforeMs - now()) / 1_000;
      const waits = waitS(all, await jobs.load({ ...laneOf(job), before }));
      return Math.max(waits, pauseS, 0) + workS;
    },

    async ofWork() {
      const all = await jobs.load();
      return (job) => workOf(all, job);
    },
  };
}
