import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { claimIngest } from "../../../roles/ingest/only-ingest.ts";
import { createClosers } from "../../../roles/process/closers.ts";
import { createMemoryLeases } from "../../support/memory-records/leases.ts";

describe("the only process that takes messages in", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function open() {
    const records = { leases: createMemoryLeases(Date.now) };
    const log = pino({ level: "silent" });
    const claim = async (holder: string) => {
      const closers = createClosers();
      await claimIngest({ log, closers }, records, holder);
      return closers;
    };
    return { records, claim };
  }

  it("the only process that takes messages in keeps others out for as long as it runs, and lets them in after", async () => {
    const { claim } = open();
    const first = await claim("a");
    await vi.advanceTimersByTimeAsync(60_000);
    await expect(claim("b")).rejects.toMatchObject({ code: "STORE_LOCKED" });
    await first.close();
    const second = await claim("b");
    await second.close();
  });

  it("the only process that takes messages in need not wait for itself after it was killed", async () => {
    const { claim } = open();
    const killed = await claim("a");
    const again = await claim("a");
    await expect(claim("b")).rejects.toMatchObject({ code: "STORE_LOCKED" });
    await again.close();
    await killed.close();
  });

  it("the only ingest process stops itself when another process took over while it was stalled", async () => {
    const { records, claim } = open();
    const kill = vi.spyOn(process, "kill").mockReturnValue(true);
    const stalled = await claim("a");
    vi.setSystemTime(Date.now() + 15_000);
    await records.leases.acquire("ingest/only", "b", 15_000);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(kill.mock.calls).toEqual([[process.pid, "SIGTERM"]]);
    await stalled.close();
  });
});
