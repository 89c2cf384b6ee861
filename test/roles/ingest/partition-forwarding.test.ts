import { expect, it } from "vitest";
import type { ForwarderId } from "../../../domain/ids.ts";
import { progressOfAll } from "../../../roles/ingest/partition-forwarding.ts";
import type { ForwarderProgress } from "../../../storage/ports/events/forwarders.ts";

const progress = (id: string, change: Partial<ForwarderProgress>): ForwarderProgress => ({
  forwarderId: id as ForwarderId,
  journalId: "journal",
  sequence: 1,
  sent: 0,
  skipped: {},
  lastSentAtMs: undefined,
  lastError: undefined,
  heldSinceMs: undefined,
  behind: undefined,
  ...change,
});

it("a forwarder's figures are those of all partitions together", () => {
  const first = progress("f1", {
    sent: 3,
    skipped: { no_position: 1 },
    behind: { records: 5, sinceMs: 900 },
  });
  const second = progress("f1", {
    sent: 4,
    skipped: { no_position: 2, too_old: 1 },
    heldSinceMs: 700,
    behind: { records: 2, sinceMs: 800 },
  });
  const other = progress("f2", { sent: 1 });
  expect(progressOfAll([{ progress: [first, other] }, { progress: [second] }])).toEqual([
    {
      ...first,
      sent: 7,
      skipped: { no_position: 3, too_old: 1 },
      heldSinceMs: 700,
      behind: { records: 7, sinceMs: 800 },
    },
    other,
  ]);
});

it("a forwarder that is nowhere behind is not behind", () => {
  const both = progressOfAll([
    { progress: [progress("f1", {})] },
    { progress: [progress("f1", {})] },
  ]);
  expect(both.map(({ behind }) => behind)).toEqual([undefined]);
});
