import type {
  IdempotencyClaim,
  IdempotencyRecords,
} from "../../storage/ports/platform/idempotency.ts";

/**
 * How long a claim is believed to be a request that still runs, ms. Shorter than a repetition waits,
 * so that after a crash the first repetition does the work. A shorter one would be taken over while a
 * busy database keeps renewals waiting, which costs that request its work.
 */
const LEASE_MS = 4_000;
const RENEW_EVERY_MS = 1_000;

/** The claims of requests that run in this process. */
export interface ClaimKeeper {
  readonly leaseMs: number;
  /** Renews a claim until it is dropped. */
  keep(claim: IdempotencyClaim): void;
  /** False: it is not kept (any more). */
  drop(claim: IdempotencyClaim): boolean;
  stop(): void;
}

/** Renews leases once a second while there are any: most requests end before the first renewal. */
export function createClaimKeeper(records: Pick<IdempotencyRecords, "renew">): ClaimKeeper {
  const kept = new Set<IdempotencyClaim>();
  let timer: NodeJS.Timeout | undefined;

  function renew(): void {
    // A lease that cannot be renewed may be taken over; then its work is not stored.
    records.renew([...kept], LEASE_MS).catch(() => undefined);
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    leaseMs: LEASE_MS,
    keep(claim) {
      kept.add(claim);
      timer ??= setInterval(renew, RENEW_EVERY_MS).unref();
    },
    drop(claim) {
      const wasKept = kept.delete(claim);
      if (kept.size === 0) stop();
      return wasKept;
    },
    stop,
  };
}
