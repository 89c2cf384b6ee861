import { describe, expect, it } from "vitest";
import type { SessionId } from "../../../domain/ids.ts";
import type { Session } from "../../../storage/ports/platform/sessions.ts";
import { hash32, NOON_MS, type OpenStore } from "./rows.ts";

/** More than any test stores. */
const MOST = 1_000;

const session = (id: string, more: Partial<Session> = {}): Session => ({
  id: id as SessionId,
  keyId: "k1",
  createdAtMs: NOON_MS,
  lastSeenAtMs: NOON_MS,
  address: "192.0.2.7",
  userAgent: "Browser/1.0 (Žluťoučký)",
  ...more,
});

export function describeSessionRecords(current: () => OpenStore): void {
  const insert = (number: number, more: Partial<Session> = {}, mostOfKey = MOST) =>
    current().store.sessions.insert(
      { session: session(`s${number}`, more), hash: hash32(number), keyHash: hash32(100) },
      mostOfKey,
    );
  const ids = async () => (await current().store.sessions.list()).map(({ id }) => id);

  describe("sessions", () => {
    it("a session is found by the hash of its cookie with every field it was given", async () => {
      const { sessions } = current().store;
      await insert(1, { createdAtMs: NOON_MS + 1 });
      await insert(2, { keyId: "admin", address: "2001:db8::1", userAgent: "" });
      expect(await sessions.findByHash(hash32(1))).toStrictEqual({
        session: session("s1", { createdAtMs: NOON_MS + 1 }),
        hash: hash32(1),
        keyHash: hash32(100),
      });
      expect(await sessions.findByHash(hash32(3))).toBeUndefined();
      expect(await sessions.list()).toStrictEqual([
        session("s2", { keyId: "admin", address: "2001:db8::1", userAgent: "" }),
        session("s1", { createdAtMs: NOON_MS + 1 }),
      ]);
    });

    it("the store of sessions refuses a taken id or hash with ID_CONFLICT and keeps the first", async () => {
      const { sessions } = current().store;
      await insert(1);
      const conflict = { code: "ID_CONFLICT" };
      const keyHash = hash32(100);
      const sameId = { session: session("s1"), hash: hash32(2), keyHash };
      const sameHash = { session: session("s2"), hash: hash32(1), keyHash };
      await expect(sessions.insert(sameId, MOST)).rejects.toMatchObject(conflict);
      await expect(sessions.insert(sameHash, MOST)).rejects.toMatchObject(conflict);
      expect(await ids()).toEqual(["s1"]);
    });

    it("a session beyond the most of its key removes the least recently seen of that key alone", async () => {
      await insert(1, { lastSeenAtMs: NOON_MS + 9 });
      await insert(2, { lastSeenAtMs: NOON_MS + 1 });
      await insert(3, { lastSeenAtMs: NOON_MS + 2 });
      await insert(4, { keyId: "k2", lastSeenAtMs: NOON_MS });
      await insert(5, { lastSeenAtMs: NOON_MS + 3 }, 3);
      expect(await ids()).toEqual(["s1", "s3", "s4", "s5"]);
      await insert(6, {}, 1);
      expect(await ids()).toEqual(["s4", "s6"]);
    });

    it("a session notes its newest request, and one that is gone notes nothing", async () => {
      const { sessions } = current().store;
      await insert(1);
      await sessions.touch("s1" as SessionId, NOON_MS + 5);
      await sessions.touch("s1" as SessionId, NOON_MS + 1);
      await sessions.touch("s2" as SessionId, NOON_MS + 1);
      expect(await sessions.list()).toStrictEqual([session("s1", { lastSeenAtMs: NOON_MS + 5 })]);
    });

    it("a removed session is found no more, and a second removal is SESSION_NOT_FOUND", async () => {
      const { sessions } = current().store;
      await insert(1);
      await insert(2);
      await sessions.remove("s1" as SessionId);
      expect(await sessions.findByHash(hash32(1))).toBeUndefined();
      expect(await ids()).toEqual(["s2"]);
      await expect(sessions.remove("s1" as SessionId)).rejects.toMatchObject({
        code: "SESSION_NOT_FOUND",
      });
    });

    it("the sessions of one key are removed together, and those of others stay", async () => {
      await insert(1);
      await insert(2, { keyId: "k2" });
      await insert(3);
      await current().store.sessions.removeOfKey("k1");
      expect(await ids()).toEqual(["s2"]);
    });

    it("sessions expire by their last request and by their age, and not before", async () => {
      await insert(1, { createdAtMs: NOON_MS - 10, lastSeenAtMs: NOON_MS - 1 });
      await insert(2, { createdAtMs: NOON_MS - 10, lastSeenAtMs: NOON_MS });
      await insert(3, { createdAtMs: NOON_MS - 11, lastSeenAtMs: NOON_MS });
      expect(await current().store.sessions.expire(NOON_MS, NOON_MS - 10)).toBe(false);
      expect(await ids()).toEqual(["s2"]);
    });
  });
}
