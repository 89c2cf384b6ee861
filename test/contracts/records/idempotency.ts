import { describe, expect, it } from "vitest";
import type { TestRecords } from "../../support/databases.ts";

const NOW_MS = Date.UTC(2026, 10, 20);
const DAY_MS = 24 * 60 * 60 * 1000;
const SCOPE = "key_1 POST /api/v1/projects";
const ANSWER = { status: 201, body: '{"id":"p1"}' };

export function describeIdempotencyRecords(current: () => TestRecords): void {
  describe("idempotency keys", () => {
    it("lets the first request have the key and shows the others its claim, then its answer", async () => {
      const { idempotency } = current().store;
      expect(await idempotency.claim(SCOPE, "k", "hash1", NOW_MS)).toBeUndefined();
      expect(await idempotency.claim(SCOPE, "k", "hash2", NOW_MS)).toEqual({
        requestHash: "hash1",
        response: undefined,
      });
      await idempotency.complete(SCOPE, "k", ANSWER);
      expect(await idempotency.claim(SCOPE, "k", "hash1", NOW_MS)).toEqual({
        requestHash: "hash1",
        response: ANSWER,
      });
    });

    it("keeps scopes apart", async () => {
      const { idempotency } = current().store;
      await idempotency.claim(SCOPE, "k", "hash1", NOW_MS);
      expect(await idempotency.claim("other", "k", "hash1", NOW_MS)).toBeUndefined();
      await idempotency.release(SCOPE, "k");
      expect(await idempotency.claim("other", "k", "hash1", NOW_MS)).toBeDefined();
    });

    it("frees a released key", async () => {
      const { idempotency } = current().store;
      await idempotency.claim(SCOPE, "k", "hash1", NOW_MS);
      await idempotency.release(SCOPE, "k");
      expect(await idempotency.claim(SCOPE, "k", "hash2", NOW_MS)).toBeUndefined();
    });

    it("keeps a key 24 h and then forgets it with its answer", async () => {
      const { idempotency } = current().store;
      await idempotency.claim(SCOPE, "k", "hash1", NOW_MS);
      await idempotency.complete(SCOPE, "k", ANSWER);
      const last = await idempotency.claim(SCOPE, "k", "hash2", NOW_MS + DAY_MS - 1);
      expect(last?.response).toEqual(ANSWER);
      expect(await idempotency.claim(SCOPE, "k", "hash2", NOW_MS + DAY_MS)).toBeUndefined();
      expect(await idempotency.claim(SCOPE, "k", "hash3", NOW_MS + DAY_MS)).toEqual({
        requestHash: "hash2",
        response: undefined,
      });
    });

    it("frees a claim that got no answer within 60 s: its process is gone", async () => {
      const { idempotency } = current().store;
      await idempotency.claim(SCOPE, "k", "hash1", NOW_MS);
      expect(await idempotency.claim(SCOPE, "k", "hash1", NOW_MS + 59_999)).toBeDefined();
      expect(await idempotency.claim(SCOPE, "k", "hash1", NOW_MS + 60_000)).toBeUndefined();
      // Whoever took it over has its own 60 s.
      expect(await idempotency.claim(SCOPE, "k", "hash1", NOW_MS + 119_999)).toBeDefined();
    });

    it("clears expired keys away as new ones are claimed", async () => {
      const { idempotency } = current().store;
      for (let i = 0; i < 25; i++) await idempotency.claim(SCOPE, `old${i}`, "h", NOW_MS);
      for (let i = 0; i < 5; i++) await idempotency.claim(SCOPE, `new${i}`, "h", NOW_MS + DAY_MS);
      const rows = await current().database.query("SELECT key FROM idempotency_keys ORDER BY key");
      expect(rows.map((row) => row["key"])).toEqual(["new0", "new1", "new2", "new3", "new4"]);
    });

    it("forgets a key after 24 h also while many older ones wait to be cleared away", async () => {
      const { idempotency } = current().store;
      for (let i = 0; i < 12; i++) await idempotency.claim(SCOPE, `older${i}`, "h", NOW_MS - 1);
      await idempotency.claim(SCOPE, "k", "hash1", NOW_MS);
      expect(await idempotency.claim(SCOPE, "k", "hash2", NOW_MS + DAY_MS)).toBeUndefined();
    });

    it("gives one of 10 simultaneous claims the key", async () => {
      const { idempotency } = current().store;
      const claims = await Promise.all(
        Array.from({ length: 10 }, (_, i) => idempotency.claim(SCOPE, "k", `hash${i}`, NOW_MS)),
      );
      expect(claims.filter((claim) => claim === undefined)).toHaveLength(1);
    });
  });
}
