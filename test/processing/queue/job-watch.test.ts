import { describe, expect, it } from "vitest";
import { DomainError } from "../../../domain/errors.ts";
import type { JobId } from "../../../domain/ids.ts";
import { createJobWatch } from "../../../processing/queue/job-watch.ts";
import type { JobRecords } from "../../../storage/ports/platform/jobs.ts";
import { openMemoryRecords } from "../../support/memory-records.ts";

const NEVER_MS = 3_600_000;
const ID = "j1" as JobId;

async function open(lookMs: number) {
  const { jobs } = openMemoryRecords();
  await jobs.add({
    id: ID,
    kind: "measure",
    projectId: undefined,
    input: null,
    dedupeKey: undefined,
    lane: undefined,
    joinCompletedMs: 0,
    priority: 0,
    maxAttempts: 2,
    workUnits: 1,
  });
  const polls = { count: 0 };
  const counted: Pick<JobRecords, "find"> = {
    find: async (id) => {
      polls.count += 1;
      return await jobs.find(id);
    },
  };
  const attempt = async () => {
    const job = await jobs.claim("r1", ["measure"]);
    return { id: ID, runner: "r1", attempts: job?.attempts ?? 0 };
  };
  return { jobs, polls, attempt, watch: createJobWatch(counted, lookMs) };
}

const signal = () => new AbortController().signal;

describe("a job that is waited for", () => {
  it("the end of a job reaches all who wait as soon as this process knows it, whatever its outcome", async () => {
    const { jobs, polls, attempt, watch } = await open(NEVER_MS);
    const waiting = Promise.all([watch.untilOver(ID, signal()), watch.untilOver(ID, signal())]);
    await jobs.fail(await attempt(), { code: "TASK_FAILED", message: "again" }, 0);
    watch.poke(ID);
    await jobs.complete(await attempt(), { volume: 7 });
    watch.poke(ID);
    expect(await waiting).toMatchObject([
      { state: "completed", result: { volume: 7 } },
      { state: "completed", result: { volume: 7 } },
    ]);
    const looked = polls.count;
    // Nobody waits any more.
    watch.poke(ID);
    expect(polls.count).toBe(looked);
  });

  it("the end of a job is known immediately where it is over already", async () => {
    const { jobs, watch } = await open(NEVER_MS);
    await jobs.requestCancel(ID);
    expect(await watch.untilOver(ID, signal())).toMatchObject({ state: "canceled" });
  });

  it("a job on another process is polled until it ends, also past a store that is away", async () => {
    const { jobs, attempt } = await open(NEVER_MS);
    let polls = 0;
    const watch = createJobWatch(
      {
        async find(id) {
          polls += 1;
          if (polls === 2) throw new DomainError("STORE_UNAVAILABLE", "away");
          if (polls === 3) await jobs.complete(await attempt(), null);
          return await jobs.find(id);
        },
      },
      1,
    );
    expect(await watch.untilOver(ID, signal())).toMatchObject({ state: "completed" });
    expect(polls).toBe(3);
  });

  it("a job that is waited for is given up when the signal fires, and for the one alone whose signal it is", async () => {
    const { jobs, watch } = await open(NEVER_MS);
    const leaving = new AbortController();
    const left = watch.untilOver(ID, leaving.signal);
    const stayed = watch.untilOver(ID, signal());
    leaving.abort(new Error("the client left"));
    await expect(left).rejects.toThrow("the client left");
    await jobs.requestCancel(ID);
    watch.poke(ID);
    expect(await stayed).toMatchObject({ state: "canceled" });
  });

  it("a job that is gone is not found, and a bug of the store is thrown to the waiting request", async () => {
    const { watch } = await open(NEVER_MS);
    await expect(watch.untilOver("j2" as JobId, signal())).rejects.toMatchObject({
      code: "JOB_NOT_FOUND",
    });
    const broken = createJobWatch({ find: () => Promise.reject(new TypeError("a bug")) });
    await expect(broken.untilOver(ID, signal())).rejects.toThrow("a bug");
  });
});
