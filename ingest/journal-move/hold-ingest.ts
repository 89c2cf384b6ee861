import { DomainError } from "../../domain/errors.ts";
import { type Lease, type Leases, ONLY_INGEST } from "../../storage/ports/platform/leases.ts";

/** How long a process that vanished keeps another one out, ms; see `roles/ingest/only-ingest.ts`. */
const TTL_MS = 15_000;
const RENEW_EVERY_MS = TTL_MS / 3;

/**
 * Keeps single ingest processes from starting until it is released. `holder`: the journal that moves, whose own
 * process may have been killed a moment ago.
 * @throws DomainError `STORE_LOCKED` while another one runs.
 */
export async function holdIngest(
  leases: Leases,
  holder: string,
): Promise<{ release(): Promise<void> }> {
  const taken = await leases.acquire(ONLY_INGEST, holder, TTL_MS);
  if (taken === undefined) {
    throw new DomainError(
      "STORE_LOCKED",
      `an ingest process runs on DATABASE_URL with a data folder of its own, or did ${TTL_MS / 1_000} s ago: stop it, then try again`,
    );
  }
  let lease: Lease = taken;
  const timer = setInterval(() => {
    leases.renew([lease], TTL_MS).then(
      ([held]) => {
        lease = held ?? lease;
      },
      // The record store is away: the move finds out by itself.
      () => undefined,
    );
  }, RENEW_EVERY_MS);
  return {
    async release() {
      clearInterval(timer);
      await leases.release([lease]).catch(() => undefined);
    },
  };
}
