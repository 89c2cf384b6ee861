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

    it("renames a key and nothing else of it, and finds it by its id", async () => {
      const { apiKeys } = current().store;
      const full = apiKey("k1", {
        project_ids: [projectId("p1")],
        expires_at: "2027-01-01T00:00:00.000Z",
        revoked_at: "2026-12-01T00:00:00.000Z",
        last_used_at: "2026-11-30T00:00:00.000Z",
      });
      await apiKeys.insert({ key: full, hash: hash32(1) });
      await apiKeys.insert({ key: apiKey("k2"), hash: hash32(2) });
      // From right to left, and with a character beyond the first plane.
      const name = "\u202Eرافعة <b>\u{1F3D7}</b> '";
      const seen: string[] = [];
      const renamed = await apiKeys.rename(keyId("k1"), (before) => {
        seen.push(...Object.entries(before).flat());
        return { name };
      });
      expect([seen, renamed]).toStrictEqual([["name", full.name], { ...full, name }]);
      expect(await apiKeys.find(keyId("k1"))).toStrictEqual({ ...full, name });
      expect(await apiKeys.findByHash(hash32(1))).toStrictEqual({
        key: { ...full, name },
        hash: hash32(1),
      });
      expect(await apiKeys.find(keyId("k2"))).toStrictEqual(apiKey("k2"));
      expect(await apiKeys.find(keyId("k3"))).toBeUndefined();
    });

    it("a change of a key's name that throws leaves it, two at once follow each other, and one of no key is KEY_NOT_FOUND", async () => {
      const { apiKeys } = current().store;
      await apiKeys.insert({ key: apiKey("k1", { name: "a" }), hash: hash32(1) });
      const refusal = new Error("refused");
      const refused = apiKeys.rename(keyId("k1"), () => {
        throw refusal;
      });
      await expect(refused).rejects.toThrow("refused");
      expect((await apiKeys.find(keyId("k1")))?.name).toBe("a");
      const append = (text: string) =>
        apiKeys.rename(keyId("k1"), ({ name }) => ({ name: name + text }));
      await Promise.all([append("b"), append("c")]);
      expect(["abc", "acb"]).toContain((await apiKeys.find(keyId("k1")))?.name);
      await expect(apiKeys.rename(keyId("k2"), (name) => name)).rejects.toMatchObject({
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
