import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MATCH_PAIRS } from "../../../../processing/engine/local/tasks/tasks.ts";
import type { SurveyProgress } from "../../../../processing/engine/port/engine.ts";
import { GateRefusal } from "../../../../processing/gates/gates.ts";
import { slowness } from "../../../support/slowness.ts";
import { type Deed, FINDING, OTHERS, openFakeEngines, PROGRESS } from "./fake-engines.ts";

/** Issue: a job is cancelled within 1 s. */
const CANCEL_MS = 1_000;

let fake: ReturnType<typeof openFakeEngines>;
beforeAll(() => {
  fake = openFakeEngines();
});
afterAll(() => fake.engines.close());
/** For tests after which a thread is of no use any more. */
async function renew(): Promise<void> {
  await fake.engines.close();
  fake = openFakeEngines();
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "no failure",
    (error: unknown) => error,
  );

/** A survey that is under way, its failure, and what cancels it. */
async function begun(name: Deed) {
  const cancel = new AbortController();
  let begin = (): void => undefined;
  const hasBegun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const failure = failureOf(fake.survey(name, cancel.signal, () => begin()));
  await hasBegun;
  return { cancel, failure };
}

describe("engines in a thread of their own", () => {
  it("engines in a thread report their progress in order, and hand results over in shared memory", async () => {
    const reported: SurveyProgress[] = [];
    const result = await fake.survey("progress", undefined, (progress) => reported.push(progress));
    expect(reported).toEqual(PROGRESS);
    expect(result).toEqual({
      points: Float64Array.of(1.5, 2.5),
      cameras: [{ rows: Int32Array.of(7) }],
    });
    const { points } = result as unknown as { readonly points: Float64Array };
    expect(points.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  it("engines in a thread of their own throw a gate's refusal with all that gates found, in its own class and words", async () => {
    const refusal = await failureOf(fake.survey("gate"));
    expect(refusal).toBeInstanceOf(GateRefusal);
    const { finding, others, message, stack } = refusal as GateRefusal;
    expect({ finding, others, message }).toStrictEqual({
      finding: FINDING,
      others: OTHERS,
      message: new GateRefusal(FINDING, OTHERS).message,
    });
    expect(stack).toContain("fake-engines.worker.ts");
  });

  it("engines in a thread of their own keep the cause of a failure, and the code of a system's error", async () => {
    expect(await failureOf(fake.survey("cause"))).toMatchObject({
      name: "DomainError",
      code: "TASK_FAILED",
      cause: { name: "RangeError", message: "no such row" },
    });
    expect(await failureOf(fake.survey("disk"))).toMatchObject({
      name: "Error",
      code: "ENOSPC",
      message: "no space left on device",
    });
  });

  it("engines in a thread of their own run tasks and prune for whoever asks", async () => {
    const { engines } = fake;
    const ran = await engines.run(MATCH_PAIRS, {} as never);
    expect(ran).toMatchObject({ name: "match-pairs", input: {} });
    expect(await engines.prune("/stages", 100)).toBe(107);
  });

  it("engines in a thread of their own fail work alone whose input or result cannot be cloned", async () => {
    const input = { close: () => undefined } as never;
    const [unsent, unclonable, waits] = [
      failureOf(fake.engines.run(MATCH_PAIRS, input)),
      failureOf(fake.survey("unclonable")),
      begun("wait"),
    ];
    expect(await unsent).toMatchObject({ name: "DataCloneError" });
    expect(await unclonable).toMatchObject({ message: expect.stringContaining("cloned") });
    const { cancel, failure } = await waits;
    cancel.abort("enough");
    expect(await failure).toBe("enough");
  });

  it.each([
    ["late throw", "the engines' thread crashed: nobody awaits this"],
    ["exit", "the engines' thread ended with code 3"],
    ["memory", "the engines' thread ran out of memory"],
  ] as const)("engines in a thread of their own that end by %s fail all that they had, and the next has new ones", async (deed, message) => {
    const { failure } = await begun("wait");
    const failed = { name: "DomainError", code: "TASK_FAILED", message };
    expect(await failureOf(fake.survey(deed))).toMatchObject(failed);
    expect(await failure).toMatchObject(failed);
    expect(fake.engines.usedBytes).toBe(0);
    expect(await fake.engines.prune("", 1)).toBe(1);
  });

  it("engines in a thread of their own let a cancelled survey go within 1 s, even in the middle of a computation", async () => {
    const { cancel, failure } = await begun("loop");
    const sinceMs = performance.now();
    cancel.abort("no longer wanted");
    expect(await failure).toBe("no longer wanted");
    expect(performance.now() - sinceMs).toBeLessThan(CANCEL_MS * slowness());
    await renew();
  });

  it("engines in a thread of their own start no work whose signal has fired already", async () => {
    const late = fake.survey("exit", AbortSignal.abort("too late"));
    expect(await failureOf(late)).toBe("too late");
  });

  it("engines in a thread report the pool's load in the middle of a computation", async () => {
    const { engines } = fake;
    expect([engines.threads, engines.memoryBytes, engines.running]).toEqual([3, 1_000, 0]);
    const { failure } = await begun("loop");
    while (engines.running !== 2) await delay(5);
    expect([engines.running, engines.waiting]).toEqual([2, 0]);
    await renew();
    expect(await failure).toMatchObject({ message: "the engines were stopped" });
  });

  it("engines in a thread of their own fail what runs when they are closed, and take nothing more", async () => {
    const { failure } = await begun("wait");
    expect(fake.engines.usedBytes).toBe(1e12);
    await fake.engines.close();
    expect(await failure).toMatchObject({
      code: "TASK_FAILED",
      message: "the engines were stopped",
    });
    expect(await failureOf(fake.survey("wait"))).toMatchObject({
      code: "TASK_FAILED",
      message: "the engines were stopped",
    });
  });
});
