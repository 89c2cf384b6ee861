import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { AssetId } from "../../../../domain/ids.ts";
import {
  MessageLog,
  type NotedMessage,
} from "../../../../ingest/device-log/messages/message-log.ts";

const START_MS = Date.UTC(2026, 10, 20, 12);
const a1 = "a1" as AssetId;

const noted = (i: number, change: Partial<NotedMessage> = {}): NotedMessage => ({
  receivedAtMs: START_MS + i * 1_000,
  topic: "sites/p1/assets/a1/telemetry",
  payloadBytes: 100 + i,
  qos: 1,
  outcome: "stored",
  reason: undefined,
  readings: 1,
  newestFixMs: START_MS + i * 1_000,
  ...change,
});

// Tests run without it; a context of its own gives the function to a process that runs already.
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Heap and buffers in use after a full collection, bytes. */
function usedBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe("the log of messages", () => {
  it("gives an asset's messages newest first, each asset its own", () => {
    const log = new MessageLog(START_MS);
    const quarantined = noted(2, { outcome: "quarantined", reason: "not JSON", readings: 0 });
    log.note(a1, noted(1));
    log.note("a2" as AssetId, noted(7));
    log.note(a1, quarantined);
    expect(log.view(a1)).toStrictEqual({ sinceMs: START_MS, messages: [quarantined, noted(1)] });
    expect(log.view("a3" as AssetId)).toStrictEqual({ sinceMs: START_MS, messages: [] });
  });

  it("the log of messages keeps the last 50, and hands out copies that later messages do not change", () => {
    const log = new MessageLog(START_MS);
    for (let i = 0; i < 120; i += 1) log.note(a1, noted(i));
    const { messages } = log.view(a1);
    const expected = Array.from({ length: 50 }, (_, i) => noted(119 - i));
    expect(messages).toStrictEqual(expected);
    for (let i = 120; i < 200; i += 1) log.note(a1, noted(i));
    expect(messages).toStrictEqual(expected);
  });

  it("calls a stored message late whose newest fix is older than one before it", () => {
    const log = new MessageLog(START_MS);
    log.note(a1, noted(10));
    log.note(a1, noted(11, { newestFixMs: START_MS + 9_999 }));
    log.note(a1, noted(12, { newestFixMs: START_MS + 10_000 }));
    log.note(a1, noted(13, { newestFixMs: undefined, readings: 0 }));
    log.note(a1, noted(14, { outcome: "duplicate", newestFixMs: START_MS }));
    const outcomes = log.view(a1).messages.map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["duplicate", "stored", "stored", "late", "stored"]);
  });

  it("the log of messages takes the memory of an asset with its first message, and none with later ones", () => {
    const assets = Array.from({ length: 1_000 }, (_, i) => `a${i}` as AssetId);
    const log = new MessageLog(START_MS);
    const noteAll = (i: number) => {
      for (const assetId of assets) log.note(assetId, noted(i));
    };
    noteAll(0);
    const before = usedBytes();
    for (let i = 1; i < 50; i += 1) noteAll(i);
    const perMessage = (usedBytes() - before) / (49 * assets.length);
    expect(log.view(a1).messages).toHaveLength(50);
    expect(perMessage).toBeLessThan(10);
  });

  it("the log of messages gives less room to the assets of a large fleet", () => {
    const log = new MessageLog(START_MS);
    for (let asset = 0; asset < 10_001; asset += 1) {
      const assetId = `a${asset}` as AssetId;
      for (let i = 0; i < 60; i += 1) log.note(assetId, noted(i));
    }
    const roomOf = (asset: number) => log.view(`a${asset}` as AssetId).messages.length;
    expect([roomOf(1_999), roomOf(2_000), roomOf(9_999), roomOf(10_000)]).toEqual([50, 20, 20, 4]);
  });

  it("the log of messages forgets a deleted asset", () => {
    const log = new MessageLog(START_MS);
    log.note(a1, noted(1));
    log.forget(a1);
    expect(log.view(a1).messages).toEqual([]);
  });
});
