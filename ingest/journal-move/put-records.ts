import { setTimeout as delay } from "node:timers/promises";
import { DomainError } from "../../domain/errors.ts";
import type { Appended } from "../../storage/ports/journal.ts";
import type { Outgoing } from "./outgoing.ts";
import type { Walk } from "./walk.ts";

/** Bytes that wait for their acknowledgement. More take memory; fewer wait for more round trips. */
const PENDING_BYTES = 4 * 1024 ** 2;
/** Longest wait for acknowledgements, ms. Longer hides brokers that are away; shorter gives up on those that elect a leader. */
const ACKNOWLEDGED_MS = 60_000;

/** Puts a record into one of the journals that records move to. */
export type Put = (target: number, record: Outgoing, done: Appended) => void;

export interface Putting {
  /** The same at each call. */
  readonly outgoing: () => AsyncIterable<Outgoing>;
  readonly put: Put;
  /** Begins to follow what the journals have, one for each target. */
  readonly walk: (isComplete: boolean) => readonly Walk[];
  /** Why the journals take nothing now, or `undefined`. */
  readonly trouble: () => string | undefined;
  readonly signal: AbortSignal;
  /** Called at once, and again as records move. */
  readonly onPut: (records: number) => void;
  readonly onCompared: (records: number) => void;
}

/** Called with a record that a journal has, and with its sequence there; in order. */
export type OnPlace = (record: Outgoing, target: number, sequence: number) => void;

/**
 * Puts those records into the journals that they do not have yet, then reads all of them back and compares them.
 * Cut off at any moment, another call goes on.
 * @throws DomainError `STORE_UNAVAILABLE` when a journal does not take them, `MIGRATION_FAILED` when one has
 * something else.
 */
export async function putRecords(putting: Putting, onPlace: OnPlace): Promise<void> {
  await putMissing(putting);
  const walks = putting.walk(true);
  let compared = 0;
  for await (const record of putting.outgoing()) {
    putting.signal.throwIfAborted();
    for (const target of record.targets) {
      const walk = at(walks, target);
      await walk.has(record);
      onPlace(record, target, walk.place);
    }
    compared += 1;
    putting.onCompared(compared);
  }
  for (const walk of walks) await walk.end();
}

async function putMissing({ outgoing, put, walk, trouble, signal, onPut }: Putting): Promise<void> {
  const walks = walk(false);
  let pending: Promise<void>[] = [];
  let bytes = 0;
  let done = 0;
  onPut(done);
  async function settle(): Promise<void> {
    const all = pending;
    [pending, bytes] = [[], 0];
    await within(Promise.all(all), trouble);
    signal.throwIfAborted();
    onPut(done);
  }
  for await (const record of outgoing()) {
    signal.throwIfAborted();
    for (const target of record.targets) {
      if (await at(walks, target).has(record)) continue;
      const acknowledged = new Promise<void>((resolve, reject) => {
        put(target, record, (error) => (error === undefined ? resolve() : reject(error)));
      });
      // Whoever stops before it waits for it has an error of its own.
      acknowledged.catch(() => undefined);
      pending.push(acknowledged);
      bytes += record.body.length;
    }
    done += 1;
    if (bytes >= PENDING_BYTES) await settle();
    else if (done % REPORTED === 0) onPut(done);
  }
  await settle();
}

/** How often progress is reported, records. */
const REPORTED = 1_000;

async function within(all: Promise<unknown>, trouble: () => string | undefined): Promise<void> {
  const waiting = new AbortController();
  const late = delay(ACKNOWLEDGED_MS, undefined, { signal: waiting.signal }).then(() => {
    const why = trouble() ?? `nothing was acknowledged for ${ACKNOWLEDGED_MS / 1_000} s`;
    throw new DomainError("STORE_UNAVAILABLE", `${why}; the same command goes on from here`);
  });
  // The wait that was ended is no failure.
  late.catch(() => undefined);
  await Promise.race([all, late]).finally(() => waiting.abort());
}

function at(walks: readonly Walk[], target: number): Walk {
  const walk = walks[target];
  if (walk === undefined) throw new RangeError(`there is no journal ${target}`);
  return walk;
}
