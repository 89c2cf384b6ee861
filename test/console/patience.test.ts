import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readsWaitUntil, sendPatiently } from "../../console/api/patience.ts";

const BUSY = () => new Response(null, { status: 429, headers: { "retry-after": "7" } });
const READ = new Request("http://site/api/v1/overview");

/** A service that answers so, one after the other, and then always with the last. */
function serviceOf(...answers: (() => Response)[]) {
  const times: number[] = [];
  return {
    times,
    async send() {
      times.push(Date.now());
      const next = answers.length > 1 ? answers.shift() : answers[0];
      return next?.() ?? new Response(null, { status: 500 });
    },
  };
}

describe("a request that is refused because there were too many", () => {
  beforeEach(() => vi.useFakeTimers({ now: 0 }));
  afterEach(() => vi.useRealTimers());

  it("waits as long as the service asks if it reads, and is sent again", async () => {
    const { times, send } = serviceOf(BUSY, () => new Response("here"));
    const answer = sendPatiently(READ, send);
    await vi.advanceTimersByTimeAsync(6_999);
    expect(readsWaitUntil.value).toBe(7_000);
    expect(times).toEqual([0]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await (await answer).text()).toBe("here");
    expect(times).toEqual([0, 7_000]);
    expect(readsWaitUntil.value).toBeNull();
  });

  it("keeps the reads that come meanwhile from asking at all", async () => {
    const { times, send } = serviceOf(BUSY, () => new Response("here"));
    const first = sendPatiently(READ, send);
    await vi.advanceTimersByTimeAsync(1_000);
    const second = sendPatiently(READ, send);
    await vi.advanceTimersByTimeAsync(6_000);
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    expect(times).toEqual([0, 7_000, 7_000]);
  });

  it("is told after four refusals, and at once if the service asks for longer than two minutes", async () => {
    const always = serviceOf(BUSY);
    const answer = sendPatiently(READ, always.send);
    await vi.advanceTimersByTimeAsync(21_000);
    expect((await answer).status).toBe(429);
    expect(always.times).toEqual([0, 7_000, 14_000, 21_000]);
    const later = () => new Response(null, { status: 429, headers: { "retry-after": "120" } });
    expect((await sendPatiently(READ, serviceOf(later).send)).status).toBe(429);
  });

  it("is told at once if it writes: the person decides whether it is still meant", async () => {
    const { times, send } = serviceOf(BUSY);
    const write = new Request("http://site/api/v1/projects", { method: "POST", body: "{}" });
    expect((await sendPatiently(write, send)).status).toBe(429);
    expect(times).toEqual([0]);
    expect(readsWaitUntil.value).toBeNull();
  });
});
