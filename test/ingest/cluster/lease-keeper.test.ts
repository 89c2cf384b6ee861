import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DomainError } from "../../../domain/errors.ts";
import { keepLease, type LeaseKeeper } from "../../../ingest/cluster/lease-keeper.ts";
import type { Leases } from "../../../storage/ports/platform/leases.ts";
import { createMemoryLeases } from "../../support/memory-records/leases.ts";

const TTL_MS = 9_000;
const LOOK_MS = TTL_MS / 3;

describe("work under a lease", () => {
  const keepers: LeaseKeeper[] = [];
  let store: Leases & { away: boolean };
  beforeEach(() => {
    vi.useFakeTimers();
    const leases = createMemoryLeases(() => performance.now());
    const answer = <T>(ask: () => Promise<T>): Promise<T> =>
      store.away ? Promise.reject(new DomainError("STORE_UNAVAILABLE", "away")) : ask();
    store = {
      away: false,
      acquire: (...of) => answer(() => leases.acquire(...of)),
      seize: (...of) => answer(() => leases.seize(...of)),
      renew: (...of) => answer(() => leases.renew(...of)),
      release: (...of) => answer(() => leases.release(...of)),
      held: (...of) => answer(() => leases.held(...of)),
    };
  });
  afterEach(async () => {
    store.away = false;
    for (const keeper of keepers.splice(0)) await stop(keeper);
    vi.useRealTimers();
  });

  async function stop(keeper: LeaseKeeper): Promise<void> {
    const stopped = keeper.stop();
    await vi.advanceTimersByTimeAsync(0);
    await stopped;
  }

  function open(holder: string, start: () => Promise<void> = async () => undefined) {
    const log: string[] = [];
    const keeper = keepLease({
      leases: store,
      name: "chores",
      holder,
      async work() {
        await start();
        log.push("started");
        return {
          async stop() {
            log.push("stopped");
          },
        };
      },
      log: { info: () => undefined, warn: () => undefined },
      ttlMs: TTL_MS,
    });
    keepers.push(keeper);
    return { keeper, log };
  }
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it("work under a lease runs in one process at a time, and in the next one once the first stops", async () => {
    const first = open("a");
    await pass(0);
    const second = open("b");
    await pass(10 * TTL_MS);
    expect([first.log, second.log]).toEqual([["started"], []]);
    await stop(first.keeper);
    expect(first.log).toEqual(["started", "stopped"]);
    await pass(LOOK_MS);
    expect(second.log).toEqual(["started"]);
    expect([first.keeper.isHeld, second.keeper.isHeld]).toEqual([false, true]);
  });

  it("work under a lease goes on through an outage that is shorter than the lease", async () => {
    const { log, keeper } = open("a");
    await pass(0);
    store.away = true;
    await pass(2 * LOOK_MS);
    store.away = false;
    await pass(LOOK_MS);
    expect(log).toEqual(["started"]);
    expect(keeper.isHeld).toBe(true);
  });

  it("work under a lease stops when the store is away for longer than the lease, and starts again after", async () => {
    const { log } = open("a");
    await pass(0);
    store.away = true;
    await pass(TTL_MS);
    expect(log).toEqual(["started", "stopped"]);
    store.away = false;
    await pass(LOOK_MS);
    expect(log).toEqual(["started", "stopped", "started"]);
  });

  it("work under a lease stops when somebody else has taken the lease", async () => {
    const { log, keeper } = open("a");
    await pass(0);
    // What a process finds that was stalled for longer than its lease.
    store.renew = async () => [];
    store.acquire = async () => undefined;
    await pass(LOOK_MS);
    expect(log).toEqual(["started", "stopped"]);
    expect(keeper.isHeld).toBe(false);
  });

  it("tries again when the work does not start", async () => {
    let failures = 1;
    const { log } = open("a", async () => {
      failures -= 1;
      if (failures >= 0) throw new Error("not yet");
    });
    await pass(0);
    expect(log).toEqual([]);
    await pass(LOOK_MS);
    expect(log).toEqual(["started"]);
  });
});
