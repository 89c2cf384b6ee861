import type { JobId } from "../../domain/ids.ts";
import type { JobOutline, JobRecords } from "../../storage/ports/platform/jobs.ts";

/** How often jobs are read while somebody follows them, ms: shorter is more queries, longer shows older progress. */
const POLL_MS = 1_000;
/**
 * How long a job that ended is still sent to who comes, ms: a client that was away shorter learns how its job ended.
 * Longer sends more that nobody waits for.
 */
const ENDED_WITHIN_MS = 3_600_000;
/** Most jobs that are followed, of those underway and of those that ended. More are read once a second each. */
const MAX_JOBS = 500;

/** Jobs of all processes, as they change. */
export interface JobChanges {
  /** Resolves when `current` is up to date. @throws DomainError `STORE_UNAVAILABLE`. */
  ready(): Promise<void>;
  /** Jobs underway, and those that ended within the last hour. */
  current(): Iterable<JobOutline>;
  /** Calls `take` with the jobs that changed; yields what ends that. */
  subscribe(take: (jobs: readonly JobOutline[]) => void): () => void;
}

/** Reads them once a second while somebody follows; a store that is away is asked again. */
export function followJobs(
  records: Pick<JobRecords, "underway">,
  onError: (error: unknown) => void,
  pollMs = POLL_MS,
): JobChanges {
  const takers = new Set<(jobs: readonly JobOutline[]) => void>();
  let known = new Map<JobId, { readonly job: JobOutline; readonly text: string }>();
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;

  async function read(): Promise<void> {
    const jobs = await records.underway({ endedWithinMs: ENDED_WITHIN_MS, limit: MAX_JOBS });
    const now = new Map(jobs.map((job) => [job.id, { job, text: JSON.stringify(job) }]));
    const changed = [...now.values()].filter(({ job, text }) => known.get(job.id)?.text !== text);
    known = now;
    if (changed.length === 0) return;
    for (const take of [...takers]) take(changed.map(({ job }) => job));
  }

  function poll(): Promise<void> {
    polling ??= read().finally(() => {
      polling = undefined;
    });
    return polling;
  }

  return {
    ready: () => (timer === undefined ? poll() : Promise.resolve()),
    *current() {
      for (const { job } of known.values()) yield job;
    },
    subscribe(take) {
      takers.add(take);
      timer ??= setInterval(() => poll().catch(onError), pollMs);
      return () => {
        takers.delete(take);
        if (takers.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
