import { describe, expect, it } from "vitest";
import type { TestRecords } from "../../support/databases.ts";
import { apiKey, hash32, keyId, projectId } from "./rows.ts";

export function describeApiKeyRecords(current: () => TestRecords): void {
  describe("API keys", () => {
    it("finds a key by its hash with every field it was given", async () => {
      const { apiKeys } = current().store;
      const full = apiKey("k1", {
        scopes: ["admin"],
        plan: "enterprise",
        project_ids: [projectId("p1"), projectId("p2")],
        expires_at: "2027-01-01T00:00:00.000Z",
        revoked_at: "2026-12-01T00:00:00.000Z",
        last_used_at: "2026-11-30T00:00:00.000Z",
      });
      await apiKeys.insert({ key: full, hash: hash32(1) });
      await apiKeys.insert({ key: apiKey("k2"), hash: hash32(2) });
      expect(await apiKeys.findByHash(hash32(1))).toStrictEqual({ key: full, hash: hash32(1) });
      expect(await apiKeys.findByHash(hash32(2))).toStrictEqual({
        key: apiKey("k2"),
        hash: hash32(2),
      });
      expect(await apiKeys.findByHash(hash32(3))).toBeUndefined();
      expect(await apiKeys.list()).toStrictEqual([full, apiKey("k2")]);
    });

    it("keeps apart a key for no project and a key for all", async () => {
      const { apiKeys } = current().store;
      await apiKeys.insert({ key: apiKey("none", { project_ids: [] }), hash: hash32(1) });
      await apiKeys.insert({ key: apiKey("all"), hash: hash32(2) });
      const [all, none] = await apiKeys.list();
      expect(none?.project_ids).toEqual([]);
      expect(all).not.toHaveProperty("project_ids");
    });

    it("the store of API keys refuses a taken id or hash with ID_CONFLICT", async () => {
      const { apiKeys } = current().store;
      await apiKeys.insert({ key: apiKey("k1"), hash: hash32(1) });
      const conflict = { code: "ID_CONFLICT" };
      await expect(apiKeys.insert({ key: apiKey("k1"), hash: hash32(2) })).rejects.toMatchObject(
        conflict,
      );
      await expect(apiKeys.insert({ key: apiKey("k2"), hash: hash32(1) })).rejects.toMatchObject(
        conflict,
      );
    });

    it("revokes a key once: a second revocation keeps the first time", async () => {
      const { apiKeys } = current().store;
      await apiKeys.insert({ key: apiKey("k1"), hash: hash32(1) });
      const revoked = apiKey("k1", { revoked_at: "2026-11-21T00:00:00.000Z" });
      expect(await apiKeys.revoke(keyId("k1"), "2026-11-21T00:00:00.000Z")).toStrictEqual(revoked);
      expect(await apiKeys.revoke(keyId("k1"), "2026-11-22T00:00:00.000Z")).toStrictEqual(revoked);
      await expect(apiKeys.revoke(keyId("k2"), "2026-11-21T00:00:00.000Z")).rejects.toMatchObject({
        code: "KEY_NOT_FOUND",
      });
    });

    it("the store of API keys notes the newest use of a key", async () => {
      const { apiKeys } = current().store;
      await apiKeys.insert({ key: apiKey("k1"), hash: hash32(1) });
      await apiKeys.touch(keyId("k1"), "2026-11-21T00:00:05.000Z");
      await apiKeys.touch(keyId("k1"), "2026-11-21T00:00:01.000Z");
      expect(await apiKeys.list()).toStrictEqual([
        apiKey("k1", { last_used_at: "2026-11-21T00:00:05.000Z" }),
      ]);
    });
  });
}
