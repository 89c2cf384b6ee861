import type { RecordTransaction } from "../../storage/ports/record-store.ts";
import type { MemoryRecords } from "./memory-records.ts";

/** Where a process is killed in the work of a request with an `Idempotency-Key`. */
export const KILL_POINTS = [
  "after the claim",
  "before the work is stored",
  "after the work is stored",
] as const;
export type KillPoint = (typeof KILL_POINTS)[number];

/** One process on records that outlive it. */
export interface KilledProcess {
  readonly records: MemoryRecords;
  /** Resolves when the process is dead. */
  readonly killed: Promise<void>;
}

const READS = /^(find|list|cursors|lastSequence|after|outlines|findDelivery)$/;

/** The records with every call of a transaction that writes named in `writes` once it is committed. */
export function withWrites(records: MemoryRecords, writes: string[]): MemoryRecords {
  return {
    ...records,
    async transaction(work) {
      const calls: string[] = [];
      const done = await records.transaction((ports) =>
        work(
          eachCall(ports, (name) => {
            if (!name.startsWith("idempotency.")) calls.push(name);
          }),
        ),
      );
      writes.push(...calls.filter((name) => !READS.test(name.split(".")[1] ?? "")));
      return done;
    },
  };
}

/**
 * A process that is killed at the first such point. No call on its records returns from then on, and a
 * transaction that is open is undone, as a database does when its client is gone.
 */
export function killedProcess(records: MemoryRecords, point: KillPoint): KilledProcess {
  let isDead = false;
  let die = (): void => undefined;
  const killed = new Promise<void>((resolve) => {
    die = () => {
      isDead = true;
      resolve();
    };
  });
  const never = new Promise<never>(() => undefined);

  const ports = eachCall(records, (name, call) => {
    if (isDead || name === "idempotency.renew") return never;
    // Routes that need no transaction store their answer by itself.
    if (name === "idempotency.complete" && point === "before the work is stored") {
      die();
      return never;
    }
    return call().then((result) => {
      const isPoint =
        (name === "idempotency.claim" && point === "after the claim") ||
        (name === "idempotency.complete" && point === "after the work is stored");
      if (isPoint) die();
      return isDead ? never : result;
    });
  });

  return {
    killed,
    records: {
      ...records,
      ...ports,
      async transaction(work) {
        if (isDead) return await never;
        const undone = new Error("the process was killed");
        const done = records.transaction(async (transaction) => {
          const made = await work(transaction);
          if (point !== "before the work is stored") return made;
          die();
          throw undone;
        });
        const made = await done.catch((error: unknown) =>
          error === undone ? never : Promise.reject(error),
        );
        if (point === "after the work is stored") die();
        return isDead ? await never : made;
      },
    },
  };
}

type Around = (name: string, call: () => Promise<unknown>) => Promise<unknown> | undefined;

/** The ports with `around` in place of every call, or before it where it yields nothing. */
function eachCall(ports: RecordTransaction, around: Around): RecordTransaction {
  const wrapped = Object.entries(ports).flatMap(([port, methods]) => {
    if (typeof methods !== "object" || port === "rows") return [];
    const proxy = new Proxy(methods, {
      get(target: object, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function" || typeof name !== "string") return member;
        return (...inputs: unknown[]): Promise<unknown> => {
          const call = async (): Promise<unknown> => await Reflect.apply(member, target, inputs);
          return around(`${port}.${name}`, call) ?? call();
        };
      },
    });
    return [[port, proxy]];
  });
  return Object.fromEntries(wrapped) as RecordTransaction;
}
