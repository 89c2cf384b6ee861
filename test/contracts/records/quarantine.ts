import { describe, expect, it } from "vitest";
import type { TestRecords } from "../../support/databases.ts";
import { assetId, commit, JOURNAL, projectId, quarantined } from "./rows.ts";

const ALL = { limit: 10, offset: 0 };
const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

export function describeQuarantineRecords(current: () => TestRecords): void {
  async function keep(
    sequences: readonly number[],
    change: Parameters<typeof quarantined>[1] = {},
  ) {
    const last = sequences.at(-1) ?? 0;
    const entries = sequences.map((sequence) => quarantined(sequence, change));
    await current().store.pipeline.commit(commit(last, { quarantined: entries }));
  }

  describe("quarantine", () => {
    it("the quarantine finds a message with every field it was given", async () => {
      const { quarantine } = current().store;
      await keep([1, 2]);
      expect(await quarantine.find(`${JOURNAL}-2`)).toStrictEqual(quarantined(2));
      expect(await quarantine.find(`${JOURNAL}-3`)).toBeUndefined();
    });

    it("the quarantine lists the newest first, by page, with the total", async () => {
      const { quarantine } = current().store;
      await keep(range(1, 5));
      expect(await quarantine.list({ limit: 2, offset: 1 })).toStrictEqual({
        entries: [quarantined(4), quarantined(3)],
        total: 5,
        dropped: 0,
      });
      const oldest = await quarantine.list({ isReversed: true, limit: 2, offset: 0 });
      expect(oldest.entries).toStrictEqual([quarantined(1), quarantined(2)]);
    });

    it("the quarantine lists by asset and by project; an empty list of projects matches none", async () => {
      const { quarantine } = current().store;
      await keep([1]);
      await keep([2], { assetId: assetId("a2"), projectId: projectId("p2") });
      await keep([3], { assetId: assetId("a2"), projectId: projectId("p3") });
      const ids = async (filter: object) =>
        (await quarantine.list({ ...ALL, ...filter })).entries.map((entry) => entry.id.slice(-1));
      expect(await ids({})).toEqual(["3", "2", "1"]);
      expect(await ids({ assetId: assetId("a2") })).toEqual(["3", "2"]);
      expect(await ids({ projectIds: [projectId("p1"), projectId("p3")] })).toEqual(["3", "1"]);
      expect(await ids({ assetId: assetId("a2"), projectIds: [projectId("p2")] })).toEqual(["2"]);
      expect(await ids({ projectIds: [] })).toEqual([]);
    });

    it("the quarantine keeps 1,000 messages per asset and UTC day and counts the rest", async () => {
      const { quarantine } = current().store;
      await keep(range(1, 700));
      await keep(range(701, 1_250));
      await keep([1_251], { assetId: assetId("a2") });
      // The last ms of that day, and the first of the next.
      const midnightMs = Date.UTC(2026, 10, 21);
      await keep([1_252], { receivedAtMs: midnightMs - 1 });
      await keep([1_253], { receivedAtMs: midnightMs });
      const ofAsset = await quarantine.list({ ...ALL, assetId: assetId("a1") });
      expect([ofAsset.total, ofAsset.dropped]).toEqual([1_001, 251]);
      const all = await quarantine.list(ALL);
      expect([all.total, all.dropped]).toEqual([1_002, 251]);
      expect(await quarantine.find(`${JOURNAL}-1000`)).toBeDefined();
      expect(await quarantine.find(`${JOURNAL}-1001`)).toBeUndefined();
      expect(await quarantine.find(`${JOURNAL}-1252`)).toBeUndefined();
      expect(await quarantine.find(`${JOURNAL}-1253`)).toBeDefined();
    });

    it("the quarantine counts nothing twice when the journal is replayed from the start in other steps", async () => {
      const { quarantine } = current().store;
      await keep(range(1, 1_100));
      const before = await quarantine.list(ALL);
      expect([before.total, before.dropped]).toEqual([1_000, 100]);
      await keep(range(1, 300));
      await keep(range(301, 1_100));
      expect(await quarantine.list(ALL)).toStrictEqual(before);
      await keep(range(1_090, 1_105));
      expect((await quarantine.list(ALL)).dropped).toBe(105);
    });

    it("the quarantine counts the messages of another journal beside those of the first", async () => {
      const { quarantine, pipeline } = current().store;
      await keep(range(1, 999));
      const entries = range(1, 3).map((n) => quarantined(n, { id: `other-journal-${n}` }));
      const checkpoint = { journalId: "other-journal", sequence: 3 };
      for (const _ of [1, 2]) {
        await pipeline.commit(commit(3, { checkpoint, quarantined: entries }));
      }
      const { total, dropped } = await quarantine.list(ALL);
      expect([total, dropped]).toEqual([1_000, 2]);
      expect(await quarantine.find("other-journal-1")).toBeDefined();
    });

    it("the quarantine keeps a message whose topic or reason holds U+0000, with U+FFFD in its place", async () => {
      const { quarantine } = current().store;
      await keep([1], { topic: "a\0b", reason: "bad \0", format: "x\0" });
      expect(await quarantine.find(`${JOURNAL}-1`)).toMatchObject({
        topic: "a\ufffdb",
        reason: "bad \ufffd",
        format: "x\ufffd",
      });
    });

    it("the quarantine marks a message as replayed", async () => {
      const { quarantine } = current().store;
      await keep([1]);
      await quarantine.markReplayed(`${JOURNAL}-1`, 1_795_000_000_000);
      expect((await quarantine.find(`${JOURNAL}-1`))?.replayedAtMs).toBe(1_795_000_000_000);
      await expect(quarantine.markReplayed("none-1", 1)).rejects.toMatchObject({
        code: "QUARANTINE_NOT_FOUND",
      });
    });

    it("the quarantine keeps requests for a replay, oldest first, until it is done or dropped", async () => {
      const { quarantine } = current().store;
      await keep([1, 2, 3]);
      const id = (n: number) => `${JOURNAL}-${n}`;
      const requested = async () =>
        (await quarantine.requestedReplays(10)).map((entry) => entry.id);
      expect(await requested()).toEqual([]);
      await quarantine.requestReplay(id(2), 2_000);
      await quarantine.requestReplay(id(3), 1_000);
      await quarantine.requestReplay(id(1), 3_000);
      expect(await requested()).toEqual([id(3), id(2), id(1)]);
      expect(await quarantine.requestedReplays(1)).toStrictEqual([quarantined(3)]);
      await quarantine.markReplayed(id(3), 9_000);
      await quarantine.dropReplayRequest(id(2));
      expect(await requested()).toEqual([id(1)]);
      expect((await quarantine.find(id(3)))?.replayedAtMs).toBe(9_000);
      expect((await quarantine.find(id(2)))?.replayedAtMs).toBeUndefined();
      await expect(quarantine.requestReplay("none-1", 1)).rejects.toMatchObject({
        code: "QUARANTINE_NOT_FOUND",
      });
    });

    it("the quarantine deletes messages received before a time, a bounded number per call, and the counts of days before", async () => {
      const { quarantine } = current().store;
      const dayMs = Date.UTC(2026, 10, 20);
      await keep(range(1, 1_100));
      await keep([1_101], { receivedAtMs: dayMs + 86_400_000 });
      await keep([1_102], { receivedAtMs: dayMs + 86_400_001 });
      // A time within the second day keeps that day's count.
      expect(await quarantine.expire(dayMs + 86_400_001)).toBe(true);
      expect(await quarantine.expire(dayMs + 86_400_001)).toBe(false);
      const { entries, total, dropped } = await quarantine.list(ALL);
      expect([total, dropped]).toEqual([1, 0]);
      expect(entries).toStrictEqual([quarantined(1_102, { receivedAtMs: dayMs + 86_400_001 })]);
      const days = await current().database.query("SELECT day, kept FROM quarantine_days");
      expect(days).toEqual([{ day: "2026-11-21", kept: 2 }]);
    });

    it("the quarantine holds a message of 256 KiB byte for byte", async () => {
      const { quarantine } = current().store;
      const payload = Uint8Array.from({ length: 256 * 1024 }, (_, i) => (i * 31) % 256);
      await keep([1], { payload });
      const stored = await quarantine.find(`${JOURNAL}-1`);
      expect(Buffer.compare(stored?.payload ?? Buffer.alloc(0), payload)).toBe(0);
    });
  });
}
