import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { JobId } from "../../../domain/ids.ts";
import type {
  Attempt,
  Job,
  JobError,
  NewJob,
  NewPlace,
} from "../../../storage/ports/platform/jobs.ts";
import { type OpenStore, projectId } from "./rows.ts";

const HOUR_MS = 3_600_000;
const LOST: JobError = { code: "TASK_FAILED", message: "the process ended" };

const jobId = (id: string) => id as JobId;

function newJob(id: string, change: Partial<NewJob> = {}): NewJob {
  return {
    id: jobId(id),
    kind: "survey",
    projectId: projectId("p1"),
    input: { images: ["Übersicht.jpg"], nul: "\0" },
    dedupeKey: undefined,
    lane: undefined,
    joinCompletedMs: HOUR_MS,
    priority: 0,
    maxAttempts: 3,
    workUnits: 1,
    ...change,
  };
}

export function describeJobRecords(current: () => OpenStore): void {
  describe("jobs", () => {
    const jobs = () => current().store.jobs;
    const add = (id: string, change: Partial<NewJob> = {}) => jobs().add(newJob(id, change));

    /** Claims the next job. */
    async function claim(runner = "r1", kinds = ["survey"]): Promise<Job & Attempt> {
      const job = await jobs().claim(runner, kinds);
      if (job?.runner === undefined) throw new Error("there is no job");
      return { ...job, runner: job.runner };
    }

    const stateOf = async (id: string) => (await jobs().find(jobId(id)))?.state;

    it("stores a job as it was given, queued", async () => {
      const before = Date.now();
      const { job, joined } = await add("j1", {
        priority: 5,
        workUnits: 12.5,
        dedupeKey: "k",
        lane: "l",
      });
      expect(joined).toBe(false);
      expect(job).toStrictEqual({
        id: "j1",
        kind: "survey",
        projectId: "p1",
        input: { images: ["Übersicht.jpg"], nul: "\0" },
        dedupeKey: "k",
        lane: "l",
        priority: 5,
        workUnits: 12.5,
        state: "queued",
        attempts: 0,
        maxAttempts: 3,
        runner: undefined,
        stage: "",
        progress: 0,
        cancelRequested: false,
        result: undefined,
        error: undefined,
        createdAtMs: expect.any(Number),
        notBeforeMs: expect.any(Number),
        startedAtMs: undefined,
        finishedAtMs: undefined,
      });
      expect(await jobs().find(jobId("j1"))).toStrictEqual(job);
      // Ms, and not s or µs; the database has a clock of its own.
      expect(Math.abs(job.createdAtMs - before)).toBeLessThan(HOUR_MS);
    });

    it("the job queue gives the highest priority first, then the oldest, of the kinds asked for", async () => {
      await add("old");
      await add("new");
      await add("urgent", { priority: 1 });
      await add("other", { kind: "render", priority: 9 });
      const order = [await claim(), await claim(), await claim()].map(({ id }) => id);
      expect(order).toEqual(["urgent", "old", "new"]);
      expect(await jobs().claim("r1", ["survey"])).toBeUndefined();
      expect(await claim("r2", ["survey", "render"])).toMatchObject({
        id: "other",
        state: "running",
        runner: "r2",
        attempts: 1,
        startedAtMs: expect.any(Number),
      });
    });

    it("the job queue lets projects take turns, however many jobs one of them has and whatever their priority", async () => {
      for (let i = 0; i < 5; i += 1) await add(`loud-${i}`, { priority: 9 });
      await add("quiet-0", { projectId: projectId("p2") });
      await add("quiet-1", { projectId: projectId("p2") });
      await add("nobody's", { projectId: undefined });
      const order: string[] = [];
      for (let i = 0; i < 8; i += 1) {
        const job = await claim();
        order.push(job.id);
        await jobs().complete(job, null);
        // Turns differ by the database's clock.
        await delay(2);
      }
      expect(order.slice(0, 3).toSorted()).toEqual(["loud-0", "nobody's", "quiet-0"]);
      expect(order.slice(3)).toEqual(
        ["loud-1", "quiet-1", "loud-2", "loud-3", "loud-4"].toSorted(
          (a, b) => order.indexOf(a) - order.indexOf(b),
        ),
      );
      expect(order.indexOf("quiet-1")).toBeLessThanOrEqual(4);
    });

    it("counts before a job what goes before it when projects take turns", async () => {
      for (let i = 0; i < 4; i += 1) await add(`loud-${i}`, { workUnits: 10 });
      await add("quiet", { projectId: projectId("p2"), workUnits: 1 });
      const unitsBefore = async (before: JobId | NewPlace) => {
        const [survey] = await jobs().load({ before });
        return survey?.unitsLeft;
      };
      const place = (project: string) => ({
        projectId: projectId(project),
        lane: undefined,
        priority: 0,
      });
      expect(await unitsBefore(jobId("quiet"))).toBe(10);
      expect(await unitsBefore(jobId("loud-3"))).toBe(31);
      expect(await unitsBefore(place("p1"))).toBe(41);
      expect(await unitsBefore(place("p2"))).toBe(21);
      expect(await unitsBefore(place("p3"))).toBe(11);
      const [own] = await jobs().load({ projectId: projectId("p2") });
      expect([own?.queued, own?.unitsLeft]).toEqual([1, 1]);
    });

    it("gives each job to one of many who claim at once", async () => {
      for (let i = 0; i < 6; i++) await add(`j${i}`);
      const claimed = await Promise.all(
        Array.from({ length: 10 }, (_, i) => jobs().claim(`r${i}`, ["survey"])),
      );
      const ids = claimed.flatMap((job) => (job === undefined ? [] : [job.id]));
      // A claim may pass over a row that another holds, and find no other: none may be given twice.
      expect(new Set(ids).size).toBe(ids.length);
      while ((await jobs().claim("last", ["survey"])) !== undefined) ids.push(jobId("taken later"));
      expect(ids).toHaveLength(6);
    });

    it("runs the jobs of a lane one at a time in the order they were added, whatever their priority", async () => {
      await add("a1", { lane: "a" });
      await add("a2", { lane: "a", priority: 9 });
      await add("b1", { lane: "b" });
      await add("b2", { lane: "b" });
      await add("none1", { priority: -1 });
      await add("none2", { priority: -1 });
      const [a1, b1] = [await claim(), await claim()];
      const others = [await claim(), await claim()];
      expect([a1, b1, ...others].map(({ id }) => id)).toEqual(["a1", "b1", "none1", "none2"]);
      expect(await jobs().claim("r2", ["survey"])).toBeUndefined();
      await jobs().complete(b1, null);
      expect((await claim("r2")).id).toBe("b2");
      await jobs().fail(a1, LOST, undefined);
      expect((await claim("r2")).id).toBe("a2");
    });

    it("the job queue keeps a lane waiting for a job that is to be tried again, and not for a canceled one", async () => {
      for (const id of ["a1", "a2", "a3"]) await add(id, { lane: "a" });
      await jobs().fail(await claim(), LOST, HOUR_MS);
      expect(await jobs().claim("r1", ["survey"])).toBeUndefined();
      await jobs().requestCancel(jobId("a1"));
      await jobs().requestCancel(jobId("a2"));
      const third = await claim();
      expect(third.id).toBe("a3");
      await add("a4", { lane: "a", kind: "render" });
      await jobs().release(third);
      expect(await jobs().claim("r2", ["render"])).toBeUndefined();
      expect((await claim()).id).toBe("a3");
    });

    it("never runs two jobs of a lane, nor one before an older one, with many who claim at once", async () => {
      const lanes = ["a", "b", "c"];
      for (let i = 0; i < 5; i++) {
        for (const lane of lanes) await add(`${lane}${i}`, { lane, priority: i });
      }
      const order = new Map<string, string[]>(lanes.map((lane) => [lane, []]));
      const running = new Set<string>();
      const clashes: string[] = [];
      let ended = 0;
      async function work(runner: string): Promise<void> {
        while (ended < 15) {
          const job = await jobs().claim(runner, ["survey"]);
          if (job?.lane === undefined) {
            await delay(1);
            continue;
          }
          if (running.has(job.lane)) clashes.push(job.id);
          running.add(job.lane);
          order.get(job.lane)?.push(job.id);
          await delay(1);
          // Before the row changes: another may take the next one as soon as it has.
          running.delete(job.lane);
          await jobs().complete({ id: job.id, runner, attempts: job.attempts }, null);
          ended += 1;
        }
      }
      await Promise.all(Array.from({ length: 6 }, (_, i) => work(`r${i}`)));
      expect(clashes).toEqual([]);
      expect([...order.values()].flat()).toEqual(
        lanes.flatMap((lane) => [0, 1, 2, 3, 4].map((i) => `${lane}${i}`)),
      );
    });

    it("the job queue joins a queued and a running job of the same key", async () => {
      await add("j1", { dedupeKey: "pile/abc" });
      expect(await add("j2", { dedupeKey: "pile/abc" })).toMatchObject({
        joined: true,
        job: { id: "j1", state: "queued" },
      });
      await claim();
      expect(await add("j3", { dedupeKey: "pile/abc" })).toMatchObject({
        joined: true,
        job: { id: "j1", state: "running" },
      });
      expect((await jobs().list({ limit: 9, offset: 0 })).total).toBe(1);
    });

    it("makes one job of many of one key that come at once", async () => {
      const added = await Promise.all(
        Array.from({ length: 6 }, (_, i) => add(`j${i}`, { dedupeKey: "same" })),
      );
      expect(added.filter(({ joined }) => !joined)).toHaveLength(1);
      expect(new Set(added.map(({ job }) => job.id)).size).toBe(1);
    });

    it("joins a completed job for so long, and never a failed or a canceled one", async () => {
      await add("done", { dedupeKey: "done" });
      await jobs().complete(await claim(), { volume_m3: 523.5 });
      await delay(20);
      expect(await add("j1", { dedupeKey: "done" })).toMatchObject({
        joined: true,
        job: { id: "done", result: { volume_m3: 523.5 } },
      });
      expect(await add("j2", { dedupeKey: "done", joinCompletedMs: 10 })).toMatchObject({
        joined: false,
      });
      await jobs().fail(await claim(), LOST, undefined);
      await add("stopped", { dedupeKey: "stopped" });
      await jobs().requestCancel(jobId("stopped"));
      expect(await add("j3", { dedupeKey: "stopped" })).toMatchObject({ joined: false });
    });

    it("the queue finds which job would be joined and adds none", async () => {
      const met = async (dedupeKey: string | undefined, joinCompletedMs = HOUR_MS) =>
        (await jobs().joinable({ dedupeKey, joinCompletedMs }))?.id;
      expect(await met("k")).toBeUndefined();
      await add("other", { dedupeKey: "other" });
      await add("none");
      await add("j1", { dedupeKey: "k" });
      expect([await met("k"), await met(undefined)]).toEqual(["j1", undefined]);
      for (let i = 0; i < 3; i++) await jobs().complete(await claim(), null);
      await delay(20);
      expect([await met("k"), await met("k", 10)]).toEqual(["j1", undefined]);
      await add("j2", { dedupeKey: "k", joinCompletedMs: 10 });
      await jobs().requestCancel(jobId("j2"));
      expect(await met("k", 10)).toBeUndefined();
      expect((await jobs().list({ limit: 9, offset: 0 })).total).toBe(4);
    });

    it("does not join a running job that is to be canceled", async () => {
      await add("j1", { dedupeKey: "k" });
      const first = await claim();
      expect(await jobs().requestCancel(first.id)).toMatchObject({
        state: "running",
        cancelRequested: true,
      });
      expect(await add("j2", { dedupeKey: "k" })).toMatchObject({ joined: false });
      await jobs().cancel(first);
      expect(await stateOf("j1")).toBe("canceled");
    });

    it("the job queue keeps stage and progress, which never falls, and passes the wish to cancel on", async () => {
      await add("j1");
      await add("j2");
      const [one, two] = [await claim(), await claim()];
      await jobs().requestCancel(two.id);
      const beats = [
        { ...one, stage: "match", progress: 40.5 },
        { ...two, stage: "match", progress: 10 },
        { ...one, attempts: 7, stage: "of another attempt", progress: 99 },
      ];
      const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
      const wishes = [
        { id: "j1", cancelRequested: false },
        { id: "j2", cancelRequested: true },
      ];
      expect([...(await jobs().beat(beats))].sort(byId)).toEqual(wishes);
      expect([...(await jobs().wishes("r1"))].sort(byId)).toEqual(wishes);
      expect(await jobs().wishes("r2")).toEqual([]);
      await jobs().beat([{ ...one, stage: "dense", progress: 30 }]);
      expect(await jobs().find(one.id)).toMatchObject({ stage: "dense", progress: 40.5 });
    });

    it("completes a job with its result", async () => {
      await add("j1");
      expect(await jobs().complete(await claim(), { list: [1, null] })).toBe(true);
      expect(await jobs().find(jobId("j1"))).toMatchObject({
        state: "completed",
        runner: undefined,
        progress: 100,
        result: { list: [1, null] },
        error: undefined,
        finishedAtMs: expect.any(Number),
      });
    });

    it("the job queue queues a failed attempt again after its pause, with its error", async () => {
      await add("j1");
      const error = { code: "ENGINE_FAILED", message: "no answer", details: { gate: "NO_GPS" } };
      expect(await jobs().fail(await claim(), error, HOUR_MS)).toBe(true);
      const job = await jobs().find(jobId("j1"));
      expect(job).toMatchObject({ state: "queued", attempts: 1, error, runner: undefined });
      expect((job?.notBeforeMs ?? 0) - (job?.startedAtMs ?? 0)).toBeGreaterThanOrEqual(HOUR_MS);
      expect(await jobs().claim("r1", ["survey"])).toBeUndefined();
    });

    it("fails a job without a pause for good", async () => {
      await add("j1");
      const error = { code: "IMAGES_UNUSABLE", message: "NO_GPS: 3 images" };
      await jobs().fail(await claim(), error, undefined);
      expect(await jobs().find(jobId("j1"))).toMatchObject({ state: "failed", error });
      expect(await jobs().claim("r1", ["survey"])).toBeUndefined();
    });

    it("the job queue counts an attempt that was given back as none, and keeps its progress", async () => {
      await add("j1");
      const first = await claim();
      await jobs().beat([{ ...first, stage: "match", progress: 60 }]);
      expect(await jobs().release(first)).toBe(true);
      expect(await claim("r2")).toMatchObject({ id: "j1", attempts: 1, progress: 60 });
    });

    it("the job queue gives a job that waits for a store one more attempt, a pause, and a stage that says so", async () => {
      await add("j1");
      const first = await claim();
      await jobs().beat([{ ...first, stage: "match", progress: 60 }]);
      const error = { code: "STORE_UNAVAILABLE", message: "no answer" };
      expect(await jobs().wait(first, error, { inMs: HOUR_MS, stage: "waiting" })).toBe(true);
      const job = await jobs().find(jobId("j1"));
      expect(job).toMatchObject({
        state: "queued",
        ...{ stage: "waiting", progress: 60, error, runner: undefined },
        ...{ attempts: 1, maxAttempts: first.maxAttempts + 1 },
      });
      expect((job?.notBeforeMs ?? 0) - (job?.startedAtMs ?? 0)).toBeGreaterThanOrEqual(HOUR_MS);
      expect(await jobs().claim("r1", ["survey"])).toBeUndefined();
    });

    it("cancels a job that would return to the queue after it was to be canceled", async () => {
      const ends = [
        (job: Attempt) => jobs().release(job),
        (job: Attempt) => jobs().fail(job, LOST, HOUR_MS),
        (job: Attempt) => jobs().wait(job, LOST, { inMs: HOUR_MS, stage: "waiting" }),
      ];
      for (const [i, end] of ends.entries()) {
        await add(`j${i}`, { dedupeKey: "k" });
        const job = await claim();
        await jobs().requestCancel(job.id);
        expect(await end(job)).toBe(true);
        expect(await jobs().find(job.id)).toMatchObject({
          state: "canceled",
          runner: undefined,
          finishedAtMs: expect.any(Number),
        });
      }
    });

    it("lets nobody write to a job but the attempt that runs it", async () => {
      await add("j1");
      const first = await claim();
      await jobs().requeueLost(0, LOST);
      const second = await claim("r1");
      expect(second.attempts).toBe(2);
      const late = [
        await jobs().complete(first, "too late"),
        await jobs().fail(first, LOST, undefined),
        await jobs().wait(first, LOST, { inMs: HOUR_MS, stage: "waiting" }),
        await jobs().cancel(first),
        await jobs().release(first),
        await jobs().complete({ ...second, runner: "r2" }, "not mine"),
      ];
      expect(late).toEqual([false, false, false, false, false, false]);
      expect(await jobs().beat([{ ...first, stage: "", progress: 0 }])).toEqual([]);
      expect(await stateOf("j1")).toBe("running");
    });

    it("cancels a queued job at once and leaves a finished one alone", async () => {
      await add("j1");
      expect(await jobs().requestCancel(jobId("j1"))).toMatchObject({
        state: "canceled",
        finishedAtMs: expect.any(Number),
      });
      await add("j2");
      await jobs().complete(await claim(), null);
      expect(await jobs().requestCancel(jobId("j2"))).toMatchObject({
        state: "completed",
        result: null,
        cancelRequested: false,
      });
      await expect(jobs().requestCancel(jobId("absent"))).rejects.toMatchObject({
        code: "JOB_NOT_FOUND",
      });
    });

    it("takes jobs back from runners that are silent, and from no others", async () => {
      await add("again");
      await add("last", { maxAttempts: 1 });
      await add("unwanted");
      for (let i = 0; i < 3; i++) await claim();
      await jobs().requestCancel(jobId("unwanted"));
      expect(await jobs().requeueLost(HOUR_MS, LOST)).toBe(0);
      expect(await jobs().requeueLost(0, LOST)).toBe(3);
      expect(await Promise.all(["again", "last", "unwanted"].map(stateOf))).toEqual([
        "queued",
        "failed",
        "canceled",
      ]);
      expect(await jobs().find(jobId("last"))).toMatchObject({ error: LOST });
    });

    it("the job queue keeps the order of adding, also within one tick of the clock", async () => {
      const names = Array.from({ length: 30 }, (_, i) => `j${i}`);
      await Promise.all(names.map((name) => add(name)));
      const { jobs: found } = await jobs().list({ limit: 100, offset: 0 });
      const listed = found.map(({ id }) => id).toReversed();
      const claimed: string[] = [];
      for (let i = 0; i < names.length; i += 1) claimed.push((await claim()).id);
      expect(claimed).toEqual(listed);
      expect(listed.toSorted()).toEqual(names.toSorted());
    });

    it("lists jobs newest first, by project, kind and state", async () => {
      await add("j1");
      await add("j2", { projectId: projectId("p2") });
      await add("j3", { projectId: undefined, kind: "render" });
      await add("j4");
      await claim();
      const ids = async (filter: object) => {
        const { jobs: found, total } = await jobs().list({ limit: 2, offset: 0, ...filter });
        return [found.map(({ id }) => id), total];
      };
      expect(await ids({})).toEqual([["j4", "j3"], 4]);
      expect(await ids({ offset: 2 })).toEqual([["j2", "j1"], 4]);
      expect(await ids({ isReversed: true })).toEqual([["j1", "j2"], 4]);
      const [newest] = (await jobs().list({ limit: 1, offset: 0 })).jobs;
      expect([await jobs().outlines([jobId("j4")])]).toEqual([[newest]]);
      expect(await ids({ projectIds: [projectId("p1")] })).toEqual([["j4", "j1"], 2]);
      expect(await ids({ kinds: ["render"] })).toEqual([["j3"], 1]);
      expect(await ids({ states: ["running"] })).toEqual([["j1"], 1]);
    });

    it("the queue gives the state of jobs without their input and outcome", async () => {
      await add("done", { lane: "l", dedupeKey: "k" });
      await jobs().complete(await claim(), { long: "result" });
      await add("waits", { projectId: undefined, workUnits: 2.5 });
      const ids = ["waits", "done", "absent"].map(jobId);
      const found = (await jobs().outlines(ids)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const whole = await Promise.all(["done", "waits"].map((id) => jobs().find(jobId(id))));
      expect(found).toStrictEqual(
        whole.map((job) => {
          const { input: _, result: __, ...outline } = job ?? ({} as Job);
          return outline;
        }),
      );
      expect(found).toHaveLength(2);
      expect(await jobs().outlines([])).toEqual([]);
    });

    it("the queue gives the jobs that are underway and those that ended lately, the newest of each", async () => {
      await add("done");
      await jobs().complete(await claim(), "ok");
      await add("runs");
      await claim();
      await add("waits");
      const underway = async (endedWithinMs: number, limit = 10) =>
        (await jobs().underway({ endedWithinMs, limit }))
          .map(({ id, state }) => [id, state])
          .sort();
      expect(await underway(HOUR_MS)).toEqual([
        ["done", "completed"],
        ["runs", "running"],
        ["waits", "queued"],
      ]);
      expect(await underway(0)).toEqual([
        ["runs", "running"],
        ["waits", "queued"],
      ]);
      expect(await underway(HOUR_MS, 1)).toEqual([
        ["done", "completed"],
        ["waits", "queued"],
      ]);
    });

    it("the queue gives the work of each kind and how fast it has been", async () => {
      await add("done", { workUnits: 4 });
      const done = await claim();
      await delay(30);
      await jobs().complete(done, null);
      await add("half", { workUnits: 10 });
      await jobs().beat([{ ...(await claim()), stage: "match", progress: 25 }]);
      await add("waits", { workUnits: 3 });
      await add("other", { kind: "render" });
      const finished = await jobs().find(done.id);
      const ranS = ((finished?.finishedAtMs ?? 0) - (finished?.startedAtMs ?? 0)) / 1_000;
      const [render, survey] = await jobs().load();
      expect(render).toEqual({
        kind: "render",
        queued: 1,
        running: 0,
        unitsLeft: 1,
        secondsPerUnit: undefined,
      });
      expect(survey).toMatchObject({ kind: "survey", queued: 1, running: 1, unitsLeft: 10.5 });
      // Times come in whole ms, the speed from finer ones: 1 ms over 4 units.
      expect(Math.abs((survey?.secondsPerUnit ?? 0) - ranS / 4)).toBeLessThanOrEqual(0.000_5);
      expect(ranS).toBeGreaterThanOrEqual(0.029);
    });

    it("the queue gives the work of a lane and what goes before a job", async () => {
      await add("done", { workUnits: 4 });
      await jobs().complete(await claim(), null);
      await add("first", { lane: "a", workUnits: 100 });
      await jobs().beat([{ ...(await claim()), stage: "match", progress: 50 }]);
      await add("other", { lane: "b", workUnits: 3 });
      await add("mine", { lane: "a", workUnits: 7 });
      await add("later", { workUnits: 20 });
      await add("urgent", { lane: "c", priority: 10, workUnits: 1_000 });
      await add("urgent too late", { lane: "a", priority: 10, workUnits: 5_000 });
      const left = async (part: object) => {
        const [survey] = await jobs().load(part);
        expect(survey?.secondsPerUnit).toBeGreaterThanOrEqual(0);
        return [survey?.queued, survey?.running, survey?.unitsLeft];
      };
      expect(await left({})).toEqual([5, 1, 6_080]);
      expect(await left({ lane: "a" })).toEqual([2, 1, 5_057]);
      expect(await left({ lane: "nobody's" })).toEqual([0, 0, 0]);
      expect(await left({ before: jobId("mine") })).toEqual([2, 1, 1_053]);
      expect(await left({ before: jobId("mine"), lane: "a" })).toEqual([0, 1, 50]);
      expect(await left({ before: jobId("first") })).toEqual([1, 0, 1_000]);
      expect(await left({ before: jobId("no job") })).toEqual([0, 0, 0]);
    });

    it("expires finished jobs and no others", async () => {
      await add("done");
      await jobs().complete(await claim(), null);
      await add("runs");
      await claim();
      await add("waits");
      expect(await jobs().expire(Date.now() - HOUR_MS)).toBe(false);
      expect(await stateOf("done")).toBe("completed");
      expect(await jobs().expire(Date.now() + HOUR_MS)).toBe(false);
      expect(await Promise.all(["done", "runs", "waits"].map(stateOf))).toEqual([
        undefined,
        "running",
        "queued",
      ]);
    });
  });
}
