import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import { LinkLog } from "../../../ingest/broker/link-log.ts";
import { assetEntry, fixedDirectory } from "../../support/fixed-directory.ts";
import { manualJournal } from "../../support/manual-journal.ts";

const T0 = Date.UTC(2026, 5, 1, 8);
const A1 = "a1" as AssetId;

function open() {
  const journal = manualJournal();
  const directory = fixedDirectory([assetEntry("a1"), assetEntry("a2", "p2")]);
  const log = new LinkLog({ journal, directory, now: Date.now });
  /** Lets time pass, and the journal write what it got. */
  function pass(ms: number): void {
    vi.advanceTimersByTime(ms);
    journal.commit();
  }
  return { journal, directory, log, pass };
}

const up = (assetId: string, atMs: number, projectId = "p1") => ({
  type: "link",
  change: { assetId, projectId, atMs, end: undefined },
});
const down = (assetId: string, atMs: number, end: string) => ({
  type: "link",
  change: { assetId, projectId: "p1", atMs, end },
});

beforeEach(() => {
  vi.useFakeTimers({ now: T0 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the log of links", () => {
  it("the log of links begins with a start, and has no link before that is durable", () => {
    const { journal, log } = open();
    log.opened(A1);
    journal.become("full");
    journal.become("open");
    vi.advanceTimersByTime(500);
    expect(journal.entries()).toEqual([]);
    journal.commit();
    journal.commit();
    expect(journal.entries()).toEqual([{ type: "start" }, up("a1", T0)]);
  });

  it("the log of links of a foreign broker's sessions begins without a start", () => {
    const journal = manualJournal();
    const directory = fixedDirectory([assetEntry("a1")]);
    const log = new LinkLog({ journal, directory, now: Date.now, outliveUs: true });
    log.opened(A1);
    journal.commit();
    expect(journal.entries()).toEqual([up("a1", T0)]);
    log.close();
  });

  it("has a link that goes up at once, in the asset's project", () => {
    const { journal, log, pass } = open();
    pass(0);
    log.opened("a2" as AssetId);
    journal.commit();
    expect(journal.entries().slice(1)).toEqual([up("a2", T0, "p2")]);
  });

  it("the log lists a link that stays down 5 s later, with the time and the reason of its end", () => {
    const { journal, log, pass } = open();
    pass(0);
    log.opened(A1);
    pass(60_000);
    log.closed(A1, "keep_alive");
    pass(4_900);
    expect(journal.records).toHaveLength(2);
    pass(600);
    expect(journal.entries().at(-1)).toEqual(down("a1", T0 + 60_000, "keep_alive"));
    expect(journal.records.at(-1)?.timeMs).toBe(T0 + 65_000);
  });

  it("the log of links has nothing of a session that is taken over, nor of one that is back within 5 s", () => {
    const { journal, log, pass } = open();
    pass(0);
    log.opened(A1);
    for (let i = 0; i < 3; i += 1) {
      log.closed(A1, "cut");
      pass(4_000);
      log.opened(A1);
      pass(4_000);
    }
    pass(60_000);
    expect(journal.entries()).toEqual([{ type: "start" }, up("a1", T0)]);
  });

  it("the log of links keeps what a full journal refuses, the newest of each asset, and writes it later", () => {
    const { journal, log, pass } = open();
    pass(0);
    journal.become("full");
    log.opened(A1);
    log.opened("a2" as AssetId);
    pass(10_000);
    log.closed("a2" as AssetId, "cut");
    log.opened("a2" as AssetId);
    pass(10_000);
    journal.become("open");
    pass(500);
    expect(journal.entries().slice(1)).toEqual([up("a1", T0), up("a2", T0 + 10_000, "p2")]);
  });

  it("the log of links writes again what the journal took and then refused", () => {
    const { journal, log, pass } = open();
    pass(0);
    log.opened(A1);
    journal.become("full");
    journal.become("open");
    pass(500);
    expect(journal.entries().slice(1)).toEqual([up("a1", T0)]);
    log.closed(A1, "disconnect");
    vi.advanceTimersByTime(5_500);
    journal.become("full");
    journal.become("open");
    pass(500);
    expect(journal.entries().slice(2)).toEqual([down("a1", T0 + 500, "disconnect")]);
  });

  it("the log of links has nothing of an asset that was deleted, and nothing after it is closed", () => {
    const { journal, directory, log, pass } = open();
    pass(0);
    log.opened(A1);
    log.opened("a2" as AssetId);
    pass(0);
    directory.change("a1", undefined);
    log.closed(A1, "closed");
    log.closed("a2" as AssetId, "cut");
    log.close();
    pass(60_000);
    expect(journal.records).toHaveLength(3);
  });

  describe("at one of several alike processes", () => {
    /** Lets the question of the last sweep be answered, and the journal write. */
    async function passAsked(ms: number, journal: ReturnType<typeof manualJournal>): Promise<void> {
      await vi.advanceTimersByTimeAsync(ms);
      journal.commit();
    }

    function openAlike(elsewhere: (ids: readonly AssetId[]) => Promise<ReadonlySet<AssetId>>) {
      const journal = manualJournal();
      const directory = fixedDirectory([assetEntry("a1"), assetEntry("a2"), assetEntry("a3")]);
      const log = new LinkLog({ journal, directory, now: Date.now, outliveUs: true, elsewhere });
      return { journal, log };
    }

    it("a link that is up at another process 5 s later did not go down, nor what is reached through it", async () => {
      const asked: (readonly AssetId[])[] = [];
      const { journal, log } = openAlike(async (ids) => {
        asked.push(ids);
        return new Set([A1]);
      });
      log.opened(A1);
      log.opened("a2" as AssetId);
      log.closed(A1, "cut");
      log.closed("a3" as AssetId, "cut", A1);
      log.closed("a2" as AssetId, "keep_alive");
      await passAsked(6_000, journal);
      expect(journal.entries()).toEqual([up("a1", T0), up("a2", T0), down("a2", T0, "keep_alive")]);
      expect(asked).toEqual([[A1, "a2"]]);
      // It comes back here: that is journalled again.
      log.opened(A1);
      await passAsked(0, journal);
      expect(journal.entries().at(-1)).toEqual(up("a1", T0 + 6_000));
      log.close();
    });

    it("a link that came back while it was asked, or while the records were away, did not go down", async () => {
      let isAway = true;
      const { journal, log } = openAlike(async () => {
        if (isAway) throw new Error("away");
        return new Set();
      });
      log.opened(A1);
      log.opened("a2" as AssetId);
      log.closed(A1, "cut");
      log.closed("a2" as AssetId, "cut");
      await passAsked(20_000, journal);
      expect(journal.entries()).toHaveLength(2);
      log.opened(A1);
      isAway = false;
      await passAsked(1_000, journal);
      expect(journal.entries().slice(2)).toEqual([down("a2", T0, "cut")]);
      log.close();
    });

    it("the links of a process that was taken for dead are journalled again, those that ended meanwhile as ended", async () => {
      const { journal, log } = openAlike(async () => new Set());
      log.opened(A1);
      log.opened("a2" as AssetId);
      log.closed("a2" as AssetId, "cut");
      await passAsked(1_000, journal);
      log.again();
      await passAsked(0, journal);
      expect(journal.entries().slice(2)).toEqual([up("a1", T0 + 1_000)]);
      await passAsked(6_000, journal);
      expect(journal.entries().slice(3)).toEqual([down("a2", T0, "cut")]);
      log.close();
    });

    it("the end of a link of a process that died is journalled with the time when it was seen last", async () => {
      const { journal, log } = openAlike(async () => new Set());
      const stored = log.gone(A1, T0 - 15_000);
      journal.commit();
      await stored;
      expect(journal.entries()).toEqual([down("a1", T0 - 15_000, "cut")]);
      await log.gone("deleted" as AssetId, T0);
      journal.become("full");
      await expect(log.gone(A1, T0)).rejects.toThrow("takes nothing");
      log.close();
    });
  });
});
