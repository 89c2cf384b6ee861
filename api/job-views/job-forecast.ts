import { waitingTimeS, workTimeS } from "../../processing/queue/waiting-time.ts";
import type {
  JobOutline,
  JobRecords,
  KindLoad,
  NewJob,
} from "../../storage/ports/platform/jobs.ts";

/**
 * What is left of a job at least, s, however far its job says that it has come: 0 would announce an end
 * that is past.
 */
const LEAST_S = 1;

/**
 * Clients are asked to poll again after the time that is left, within these bounds, s: less is load for nothing, more
 * lets a result wait unseen.
 */
const POLL_S = { least: 1, most: 60 };

/** When to ask again for what takes so long still, whole s: the value of Retry-After. */
export const pollAfterS = (leftS: number): number =>
  Math.min(POLL_S.most, Math.max(POLL_S.least, Math.ceil(leftS)));

/** When jobs will be done, by how fast work of their kind has been lately. */
export interface JobForecast {
  /**
   * Seconds until a job that is added now is done, of which `waitS` until all work before it is; and how
   * many of its kind and project are queued.
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
 * A job waits for those before it in its lane, which are worked on one after the other, or for its share of all the
 * work there is over `jobsAtOnce`, whichever is longer. Within a factor of two at best, as `waitingTimeS`.
 */
export function createJobForecast(
  jobs: Pick<JobRecords, "load">,
  jobsAtOnce: number,
  now: () => number,
): JobForecast {
  const waitS = (all: readonly KindLoad[], lane: readonly KindLoad[]): number =>
    Math.max(waitingTimeS(all, jobsAtOnce), waitingTimeS(lane, 1));
  const workOf = (load: readonly KindLoad[], { kind, workUnits, progress }: JobOutline): number =>
    Math.max(LEAST_S, workTimeS(load, kind, workUnits * (1 - progress / 100)));
  const laneOf = ({ lane }: Pick<JobOutline, "lane">) => (lane === undefined ? {} : { lane });

  return {
    async ofNew(job) {
      const before = await jobs.load({ before: job });
      const waits = waitS(before, await jobs.load(laneOf(job)));
      const leftS = Math.max(LEAST_S, waits + workTimeS(before, job.kind, job.workUnits));
      const { projectId } = job;
      const own = await jobs.load(projectId === undefined ? {} : { projectId });
      const queued = own.find(({ kind }) => kind === job.kind)?.queued ?? 0;
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
