import type { Logger } from "pino";
import type { Lease, Leases } from "../../storage/ports/platform/leases.ts";
import { createWakeablePause } from "../pacing/wakeable-pause.ts";

/**
 * How long a process that vanished keeps others waiting, ms. Longer leaves the work undone after a crash; shorter
 * loses leases to a slow store.
 */
const TTL_MS = 10_000;
/** Renewals per life of a lease: two may fail. */
const RENEWALS = 3;

/** What runs while the lease is held. */
export interface LeasedWork {
  stop(): Promise<void>;
}

export interface LeaseKeeper {
  readonly isHeld: boolean;
  /** Stops the work and gives the lease up. */
  stop(): Promise<void>;
}

export interface LeaseKeeperOptions {
  readonly leases: Leases;
  readonly name: string;
  /** The same after a restart, so that a process that was killed need not wait for itself. */
  readonly holder: string;
  /** Starts the work; it is stopped when the lease is lost. */
  readonly work: () => Promise<LeasedWork>;
  readonly log: Pick<Logger, "info" | "warn">;
  readonly ttlMs?: number;
}

/**
 * Does work in one of several processes at a time: takes the lease as soon as it is free, renews it,
 * and stops the work when another process may have it. For moments of a stalled process two may
 * overlap, so the work must bear being done twice.
 */
export function keepLease(options: LeaseKeeperOptions): LeaseKeeper {
  const { leases, name, holder, work, log, ttlMs = TTL_MS } = options;
  const everyMs = ttlMs / RENEWALS;
  let lease: Lease | undefined;
  let running: LeasedWork | undefined;
  /** On the monotonic clock; counted from before the question, so never later than the store's. */
  let heldUntilMs = 0;
  let isTroubled = false;
  let isStopped = false;
  const rest = createWakeablePause();

  async function ask(): Promise<void> {
    const askedMs = performance.now();
    lease =
      lease === undefined
        ? await leases.acquire(name, holder, ttlMs)
        : (await leases.renew([lease], ttlMs))[0];
    if (lease !== undefined) heldUntilMs = askedMs + ttlMs;
    isTroubled = false;
  }

  async function poll(): Promise<void> {
    try {
      await ask();
    } catch (error) {
      if (!isTroubled) log.warn({ err: error, lease: name }, "lease cannot be renewed");
      isTroubled = true;
      if (performance.now() >= heldUntilMs) lease = undefined;
    }
    if (lease === undefined) await halt();
    else if (running === undefined) {
      running = await work();
      log.info({ lease: name }, "lease taken");
    }
  }

  async function halt(): Promise<void> {
    const ended = running;
    running = undefined;
    if (ended === undefined) return;
    log.warn({ lease: name }, "lease lost");
    await ended.stop();
  }

  async function keep(): Promise<void> {
    while (!isStopped) {
      await poll().catch((error: unknown) => {
        log.warn({ err: error, lease: name }, "work under a lease did not start; trying again");
      });
      if (!isStopped) await rest.wait(everyMs);
    }
  }

  const keeping = keep();

  return {
    get isHeld() {
      return running !== undefined;
    },
    async stop() {
      isStopped = true;
      rest.wake();
      await keeping;
      await running?.stop();
      running = undefined;
      // A waiting process takes it when it ends, if this does not arrive.
      if (lease !== undefined) await leases.release([lease]).catch(() => undefined);
    },
  };
}
