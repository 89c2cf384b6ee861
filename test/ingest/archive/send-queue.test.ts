import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { SendQueue } from "../../../ingest/archive/send-queue.ts";
import {
  type ArchiveFailure,
  type ArchiveLane,
  ArchiveUnavailable,
  columnsOf,
} from "../../../storage/ports/telemetry-archive.ts";
import type { TelemetryPoint } from "../../../storage/ports/telemetry-store.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { FIELD_BYTES, pointLane } from "../../support/point-lane.ts";
import { point } from "../../support/telemetry-points.ts";

const SOON = { timeout: PATIENT_MS, interval: 2 };
const QUICK = { firstMs: 1, longestMs: 4, holdMs: 2 };

/** A lane that fails with the given failures in turn, and notes what it was sent. */
function fakeLane(failures: (ArchiveFailure | "bug")[] = [], most = 5_000) {
  const sent: number[][] = [];
  let now = 0;
  let mostAtOnce = 0;
  const lane = pointLane(
    async (points) => {
      now += 1;
      mostAtOnce = Math.max(mostAtOnce, now);
      await delay(1);
      now -= 1;
      const failure = failures.shift();
      if (failure === "bug") throw new TypeError("unexpected");
      if (failure !== undefined) throw new ArchiveUnavailable(failure);
      sent.push(points.map(({ fixTimeMs }) => fixTimeMs));
      return { written: points.length, expired: 0, refused: [] };
    },
    { most },
  );
  return { lane, sent, mostAtOnce: () => mostAtOnce };
}

const part = (...times: readonly number[]) => times.map((time) => point(time, { a: 1 }));
function push(queue: SendQueue, points: readonly TelemetryPoint[], arrived: () => void): void {
  for (const one of points) queue.add(columnsOf(one));
  queue.send(arrived);
}
const silent = { onReceipt: async () => {}, onFailure: () => undefined };

describe("the queue of one lane", () => {
  it("sends one request at a time, in order, and joins what has gathered", async () => {
    const { lane, sent, mostAtOnce } = fakeLane();
    const queue = new SendQueue(lane, silent, QUICK);
    const done: number[] = [];
    push(queue, part(1), () => done.push(1));
    push(queue, part(2, 3), () => done.push(2));
    await delay(0);
    push(queue, part(4), () => done.push(3));
    push(queue, part(5), () => done.push(4));
    await expect.poll(() => done, SOON).toEqual([1, 2, 3, 4]);
    expect([sent.flat(), mostAtOnce()]).toEqual([[1, 2, 3, 4, 5], 1]);
    expect(sent.length).toBeLessThan(4);
  });

  it("the queue of one lane tries again after every kind of failure until the server has it, in order", async () => {
    const failures: (ArchiveFailure | "bug")[] = [
      { kind: "retry", reason: "503" },
      { kind: "hold", reason: "401" },
      "bug",
      { kind: "retry", reason: "429", retryAfterMs: 1 },
    ];
    const { lane, sent } = fakeLane([...failures]);
    const reported: (string | undefined)[] = [];
    const queue = new SendQueue(
      lane,
      { ...silent, onFailure: (failure) => reported.push(failure?.reason) },
      QUICK,
    );
    const done: number[] = [];
    push(queue, part(1), () => done.push(1));
    push(queue, part(2), () => done.push(2));
    await expect.poll(() => done, SOON).toEqual([1, 2]);
    expect(reported.slice(0, 5)).toEqual(["503", "401", "unexpected", "429", undefined]);
    expect(sent.flat()).toEqual([1, 2]);
  });

  it("the queue of one lane waits as long as Retry-After says", async () => {
    const { lane } = fakeLane([{ kind: "retry", reason: "429", retryAfterMs: 60_000 }]);
    let tries = 0;
    const counting: ArchiveLane = {
      ...lane,
      send: (batch) => {
        tries += 1;
        return lane.send(batch);
      },
    };
    const queue = new SendQueue(counting, silent, QUICK);
    push(queue, part(1), () => undefined);
    await delay(60);
    expect(tries).toBe(1);
    await queue.stop();
  });

  it("a send queue retries at once when the server is reported to answer again, but not before Retry-After", async () => {
    const slow = { firstMs: 60_000, longestMs: 60_000, holdMs: 60_000 };
    for (const [retryAfterMs, isDone] of [
      [undefined, true],
      [60_000, false],
    ] as const) {
      const failure: ArchiveFailure = { kind: "retry", reason: "503" };
      const reported = retryAfterMs === undefined ? failure : { ...failure, retryAfterMs };
      const { lane, sent } = fakeLane([reported]);
      const failures: unknown[] = [];
      const onFailure = (one: ArchiveFailure | undefined) => failures.push(one);
      const queue = new SendQueue(lane, { ...silent, onFailure }, slow);
      push(queue, part(1), () => undefined);
      await expect.poll(() => failures.length, SOON).toBe(1);
      queue.hurry();
      if (isDone) await expect.poll(() => sent.length, SOON).toBe(1);
      else await delay(30);
      expect(sent.length).toBe(isDone ? 1 : 0);
      await queue.stop();
    }
  });

  it("the queue of one lane is not done before its receipt is dealt with", async () => {
    const { lane } = fakeLane();
    let away = true;
    let asked = 0;
    const queue = new SendQueue(
      lane,
      {
        ...silent,
        async onReceipt() {
          asked += 1;
          if (away) throw new Error("the record store is away");
        },
      },
      QUICK,
    );
    let isDone = false;
    push(queue, part(1), () => {
      isDone = true;
    });
    await expect.poll(() => asked, SOON).toBeGreaterThan(2);
    expect(isDone).toBe(false);
    away = false;
    await expect.poll(() => isDone, SOON).toBe(true);
  });

  it("fills batches one after the other, and says how much it holds", async () => {
    const { lane, sent } = fakeLane([], 2);
    const queue = new SendQueue(lane, silent, QUICK);
    const done: number[] = [];
    push(queue, part(1, 2, 3), () => done.push(1));
    expect([queue.bytes, done]).toEqual([3 * FIELD_BYTES, []]);
    push(queue, part(4, 5), () => done.push(2));
    await expect.poll(() => done, SOON).toEqual([1, 2]);
    expect([sent, queue.bytes]).toEqual([[[1, 2], [3, 4], [5]], 0]);
    push(queue, part(6), () => done.push(3));
    await expect.poll(() => done, SOON).toEqual([1, 2, 3]);
    expect(sent.at(-1)).toEqual([6]);
  });

  it("a send queue is empty at once when nothing is in flight", () => {
    const { lane } = fakeLane();
    let isDone = false;
    new SendQueue(lane, silent, QUICK).send(() => {
      isDone = true;
    });
    expect(isDone).toBe(true);
  });

  it("the queue of one lane gives up on stop: what is not sent is not done", async () => {
    const { lane } = fakeLane(Array.from({ length: 100 }, () => ({ kind: "hold", reason: "401" })));
    const queue = new SendQueue(lane, silent, { firstMs: 1, longestMs: 1, holdMs: 60_000 });
    const done: number[] = [];
    push(queue, part(1), () => done.push(1));
    await delay(10);
    await queue.stop();
    expect(done).toEqual([]);
  });
});
