import { describe, expect, it } from "vitest";
import type { IdempotencyClaim } from "../../../storage/ports/platform/idempotency.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { type OpenStore, project } from "./rows.ts";

const NOW_MS = Date.UTC(2026, 10, 20);
const DAY_MS = 24 * 60 * 60 * 1000;
const SCOPE = "key_1 POST /api/v1/projects";
const ANSWER = { status: 201, body: '{"id":"p1"}' };
/** Longer than any test. */
const LEASE_MS = 600_000;
/** Over at once. */
const NO_LEASE_MS = 0;

interface Use {
  readonly scope?: string;
  readonly key?: string;
  readonly hash?: string;
  readonly atMs?: number;
  readonly leaseMs?: number;
}

function claim({ idempotency }: RecordStore, use: Use = {}) {
  const { scope = SCOPE, key = "k", hash = "hash1", atMs = NOW_MS, leaseMs = LEASE_MS } = use;
  return idempotency.claim({ scope, key, requestHash: hash }, atMs, leaseMs);
}

async function claimed(store: RecordStore, use: Use = {}): Promise<IdempotencyClaim> {
  const outcome = await claim(store, use);
  if (!("claim" in outcome)) throw new Error("the key is not free");
  return outcome.claim;
}

const earlier = (requestHash: string, rest: object = {}) => ({
  earlier: { requestHash, answer: undefined, begun: undefined, ...rest },
});

/** Uses of idempotency keys, and the transaction that their work is stored in. */
export function describeIdempotencyRecords(current: () => OpenStore): void {
  describe("idempotency keys", () => {
    it("idempotency keys let the first request have the key and show the others its hash, then its answer", async () => {
      const { store } = current();
      const mine = await claimed(store);
      expect(await claim(store, { hash: "hash2" })).toEqual(earlier("hash1"));
      expect(await store.idempotency.complete(mine, ANSWER)).toBe(true);
      expect(await claim(store)).toEqual(earlier("hash1", { answer: ANSWER }));
    });

    it("idempotency keys are kept apart by their scopes", async () => {
      const { store } = current();
      const mine = await claimed(store);
      await claimed(store, { scope: "other" });
      await store.idempotency.release(mine);
      expect(await claim(store, { scope: "other" })).toEqual(earlier("hash1"));
    });

    it("idempotency keys are free again once they are released", async () => {
      const { store } = current();
      await store.idempotency.release(await claimed(store));
      expect(await claim(store, { hash: "hash2" })).toMatchObject({ begun: undefined });
    });

    it("idempotency keys are kept for 24 h and then forgotten with their answers", async () => {
      const { store } = current();
      await store.idempotency.complete(await claimed(store), ANSWER);
      const last = await claim(store, { hash: "hash2", atMs: NOW_MS + DAY_MS - 1 });
      expect(last).toEqual(earlier("hash1", { answer: ANSWER }));
      await claimed(store, { hash: "hash2", atMs: NOW_MS + DAY_MS });
      const next = await claim(store, { hash: "hash3", atMs: NOW_MS + DAY_MS });
      expect(next).toEqual(earlier("hash2"));
    });

    it("idempotency keys are taken over once the lease has run out, and the slow claim can store nothing any more", async () => {
      const { store } = current();
      const slow = await claimed(store, { leaseMs: NO_LEASE_MS });
      const next = await claimed(store);
      expect(await store.idempotency.complete(slow, ANSWER)).toBe(false);
      expect(await store.idempotency.begin(slow, "job_1")).toBe(false);
      await store.idempotency.release(slow);
      expect(await claim(store)).toEqual(earlier("hash1"));
      expect(await store.idempotency.complete(next, ANSWER)).toBe(true);
    });

    it("idempotency keys keep their claim as long as its lease is renewed", async () => {
      const { store } = current();
      const mine = await claimed(store, { leaseMs: NO_LEASE_MS });
      await store.idempotency.renew([mine], LEASE_MS);
      expect(await claim(store)).toEqual(earlier("hash1"));
    });

    it("idempotency keys yield what a process that is gone began, to the same request only", async () => {
      const { store } = current();
      const gone = await claimed(store, { leaseMs: NO_LEASE_MS });
      expect(await store.idempotency.begin(gone, "job_1")).toBe(true);
      const other = await claim(store, { hash: "hash2" });
      expect(other).toEqual(earlier("hash1", { begun: "job_1" }));
      expect(await claim(store)).toMatchObject({ begun: "job_1" });
    });

    it("idempotency keys yield what was begun also after a release, since the work goes on", async () => {
      const { store } = current();
      const mine = await claimed(store);
      await store.idempotency.begin(mine, "job_1");
      await store.idempotency.release(mine);
      expect(await claim(store)).toMatchObject({ begun: "job_1" });
    });

    it("idempotency keys keep an answer that is released: its commit succeeded though its caller saw a failure", async () => {
      const { store } = current();
      const mine = await claimed(store);
      await store.idempotency.complete(mine, ANSWER);
      await store.idempotency.release(mine);
      expect(await claim(store)).toEqual(earlier("hash1", { answer: ANSWER }));
    });

    it("idempotency keys are given to one of 10 simultaneous claims", async () => {
      const { store } = current();
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, i) => claim(store, { hash: `hash${i}` })),
      );
      expect(outcomes.filter((outcome) => "claim" in outcome)).toHaveLength(1);
    });
  });

  describe("a transaction", () => {
    const harbour = project("harbour");

    it("a transaction stores the work and the answer of a key together", async () => {
      const { store } = current();
      const mine = await claimed(store);
      await store.transaction(async (transaction) => {
        await transaction.projects.insert(harbour);
        await transaction.idempotency.complete(mine, ANSWER);
      });
      expect(await store.projects.find(harbour.id)).toEqual(harbour);
      expect(await claim(store)).toEqual(earlier("hash1", { answer: ANSWER }));
    });

    it("a transaction stores neither when it fails after both", async () => {
      const { store } = current();
      const mine = await claimed(store);
      const failed = store.transaction(async (transaction) => {
        await transaction.projects.insert(harbour);
        await transaction.idempotency.complete(mine, ANSWER);
        throw new Error("killed");
      });
      await expect(failed).rejects.toThrow("killed");
      expect(await store.projects.find(harbour.id)).toBeUndefined();
      expect(await claim(store)).toEqual(earlier("hash1"));
    });

    it("a transaction fails with what a port throws in it, and stores nothing", async () => {
      const { store } = current();
      await store.projects.insert(harbour);
      const other = project("quay");
      const failed = store.transaction(async (transaction) => {
        await transaction.projects.insert(other);
        await transaction.projects.insert(harbour);
      });
      await expect(failed).rejects.toMatchObject({ code: "ID_CONFLICT" });
      expect(await store.projects.find(other.id)).toBeUndefined();
    });

    it("a transaction spans ports that open transactions of their own", async () => {
      const { store } = current();
      const changed = await store.transaction(async (transaction) => {
        await transaction.projects.insert(harbour);
        return await transaction.projects.update(harbour.id, (before) => ({
          ...before,
          name: "Quay",
        }));
      });
      expect(changed.name).toBe("Quay");
      expect(await store.projects.find(harbour.id)).toEqual(changed);
    });
  });
}
