import { describe, expect, it } from "vitest";
import type { TestRecords } from "../../support/databases.ts";

const NOW_MS = Date.UTC(2026, 10, 20);
const DAY_MS = 24 * 60 * 60 * 1000;
const LEASE_MS = 600_000;

/** What becomes of the rows of idempotency keys; reads the database below. */
export function describeIdempotencyExpiry(current: () => TestRecords): void {
  const claim = (key: string, atMs: number) =>
    current().store.idempotency.claim({ scope: "s", key, requestHash: "h" }, atMs, LEASE_MS);

  describe("expired idempotency keys", () => {
    it("expired idempotency keys are deleted as new ones are claimed", async () => {
      for (let i = 0; i < 25; i++) await claim(`old${i}`, NOW_MS);
      for (let i = 0; i < 5; i++) await claim(`new${i}`, NOW_MS + DAY_MS);
      const rows = await current().database.query("SELECT key FROM idempotency_keys ORDER BY key");
      expect(rows.map((row) => row["key"])).toEqual(["new0", "new1", "new2", "new3", "new4"]);
    });

    it("expired idempotency keys are free also while many older ones wait to be deleted", async () => {
      for (let i = 0; i < 12; i++) await claim(`older${i}`, NOW_MS - 1);
      await claim("k", NOW_MS);
      expect(await claim("k", NOW_MS + DAY_MS)).toMatchObject({ begun: undefined });
    });
  });
}
