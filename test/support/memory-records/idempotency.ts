import type {
  IdempotencyClaim,
  IdempotencyRecords,
} from "../../../storage/ports/platform/idempotency.ts";
import type { KeyRow, MemoryRows } from "./rows.ts";

const LIFE_MS = 24 * 60 * 60 * 1000;
const nameOf = ({ scope, key }: Pick<IdempotencyClaim, "scope" | "key">) => `${scope} ${key}`;

/** Uses of `Idempotency-Key` in memory; leases run by `now`. */
export function createMemoryIdempotency(
  { answers }: Pick<MemoryRows, "answers">,
  now: () => number,
): IdempotencyRecords {
  let claims = 0;

  function held(claim: IdempotencyClaim): KeyRow | undefined {
    const row = answers.get(nameOf(claim));
    return row?.token === claim.token && row.answer === undefined ? row : undefined;
  }

  function settle(claim: IdempotencyClaim, change: Partial<KeyRow>): boolean {
    const row = held(claim);
    if (row !== undefined) answers.set(nameOf(claim), { ...row, ...change });
    return row !== undefined;
  }

  return {
    async claim({ scope, key, requestHash }, atMs, leaseMs) {
      const name = nameOf({ scope, key });
      const row = answers.get(name);
      const before = row !== undefined && row.claimedAtMs > atMs - LIFE_MS ? row : undefined;
      const isGone = before?.answer === undefined && (before?.leasedUntilMs ?? 0) <= now();
      const isSame = before?.begun === undefined || before.requestHash === requestHash;
      if (before !== undefined && !(isGone && isSame)) {
        const { answer, begun } = before;
        return { earlier: { requestHash: before.requestHash, answer, begun } };
      }
      claims += 1;
      const token = `claim ${claims}`;
      const begun = before?.begun;
      const leasedUntilMs = now() + leaseMs;
      const claimed = { requestHash, answer: undefined, begun, claimedAtMs: atMs, leasedUntilMs };
      answers.set(name, { ...claimed, token });
      return { claim: { scope, key, token }, begun };
    },
    async renew(renewed, leaseMs) {
      for (const claim of renewed) settle(claim, { leasedUntilMs: now() + leaseMs });
    },
    complete: async (claim, answer) => settle(claim, { answer }),
    begin: async (claim, begun) => settle(claim, { begun }),
    async release(claim) {
      if (held(claim)?.begun !== undefined) settle(claim, { leasedUntilMs: 0 });
      else if (held(claim) !== undefined) answers.delete(nameOf(claim));
    },
  };
}
