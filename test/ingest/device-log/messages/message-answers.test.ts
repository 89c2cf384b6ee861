import { pino } from "pino";
import { describe, expect, it } from "vitest";
import type { AssetId } from "../../../../domain/ids.ts";
import { askForViews } from "../../../../ingest/device-log/messages/asked-views.ts";
import { startMessageAnswers } from "../../../../ingest/device-log/messages/message-answers.ts";
import { MessageLog } from "../../../../ingest/device-log/messages/message-log.ts";
import { openMemoryRecords } from "../../../support/memory-records.ts";

const START_MS = Date.UTC(2026, 10, 20, 12);
const a1 = "a1" as AssetId;

describe("messages that an API process asks for", () => {
  it("messages that an API process asks for come from the ingest process that took them, without waiting for the others", async () => {
    const { messageViews: views } = openMemoryRecords();
    const taken = new MessageLog(START_MS);
    taken.note(a1, {
      receivedAtMs: START_MS,
      topic: "t",
      payloadBytes: 1,
      qos: 1,
      outcome: "stored",
      reason: undefined,
      readings: 1,
      newestFixMs: START_MS,
    });
    const other = new MessageLog(START_MS + 5);
    const start = (nodeId: string, log: MessageLog) =>
      startMessageAnswers({
        views,
        nodeId,
        viewOf: (assetId) => log.view(assetId),
        log: pino({ level: "silent" }),
        readEveryMs: 5,
      });
    const nodes = [start("n1", other), start("n2", taken)];
    const answers = await askForViews(views, a1, { everyMs: 5, patienceMs: 60_000 });
    await Promise.all(nodes.map((node) => node.stop()));
    expect(answers).toContainEqual(taken.view(a1));
  });

  it("messages that an API process asks for are empty when no process answers in time", async () => {
    const { messageViews: views } = openMemoryRecords();
    expect(await askForViews(views, a1, { everyMs: 5, patienceMs: 20 })).toEqual([]);
  });
});
