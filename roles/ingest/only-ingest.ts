import { DomainError } from "../../domain/errors.ts";
import { type Lease, ONLY_INGEST } from "../../storage/ports/platform/leases.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import type { Start } from "../process/common.ts";

/**
 * How long a process that vanished keeps another one out, ms. More delays the successor; less lets a slow
 * database take the lease from a live one.
 */
const TTL_MS = 15_000;
const RENEW_EVERY_MS = TTL_MS / 3;

/**
 * Makes sure that only one process with a journal of its own takes messages in on a record store. Two pipelines
 * would process the same assets from journals of their own.
 * @param holder the same after a restart
 * @throws DomainError `STORE_LOCKED` while another process does.
 */
export async function claimIngest(
  { log, closers }: Pick<Start, "log" | "closers">,
  records: Pick<RecordStore, "leases">,
  holder: string,
): Promise<void> {
  const { leases } = records;
  const taken = await leases.acquire(ONLY_INGEST, holder, TTL_MS);
  if (taken === undefined) {
    throw new DomainError(
      "STORE_LOCKED",
      `another process takes messages in on DATABASE_URL, or did ${TTL_MS / 1_000} s ago; several need KAFKA_BROKERS`,
    );
  }
  let lease: Lease = taken;

  async function renew(): Promise<void> {
    const [held] = await leases.renew([lease], TTL_MS);
    if (held !== undefined) {
      lease = held;
      return;
    }
    // This process was paused for longer than the lease: the process that has it now goes on.
    clearInterval(timer);
    log.fatal("another process has begun to take messages in on DATABASE_URL; stopping");
    process.kill(process.pid, "SIGTERM");
  }

  const timer = setInterval(() => {
    // The record store is away: no process can take the lease, and nothing is committed.
    renew().catch(() => undefined);
  }, RENEW_EVERY_MS);
  closers.push(async () => {
    clearInterval(timer);
    await leases.release([lease]).catch(() => undefined);
  });
}
