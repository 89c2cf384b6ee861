import { describe, expect, it } from "vitest";
import { troublesOf } from "../../console/pages/overview/troubles.ts";

describe("trouble of the service on the overview", () => {
  const damage = {
    store: "records",
    file: "records/base/1",
    problem: "checksum",
    since: "2026-11-28T06:00:00Z",
    refuses_answers: true,
    command: "plumbline check",
  } as const;

  it("is nothing while all is well", () => {
    expect(troublesOf({ status: "ready", reasons: [] }, [], 0)).toEqual([]);
  });

  it("has the time that the service says, and else since when the page has seen it", () => {
    const reasons = ["journal: 1200 messages wait", "records: records/base/1 is damaged"];
    const first = troublesOf({ status: "not_ready", reasons, damage: [damage] }, [], 1_000);
    expect(first.map(({ text, foundMs, seenMs }) => [text, foundMs, seenMs])).toEqual([
      ["journal: 1200 messages wait", undefined, 1_000],
      ["records, records/base/1: checksum (plumbline check)", Date.parse(damage.since), 1_000],
    ]);
    // It counts on and is the same trouble; another one begins now.
    const later = { status: "not_ready", reasons: ["journal: 1500 messages wait", "disk is full"] };
    expect(
      troublesOf({ ...later, status: "not_ready" }, first, 9_000).map((one) => one.seenMs),
    ).toEqual([1_000, 9_000]);
  });

  it("has what stops the service before what only needs attention", () => {
    const found = troublesOf(
      { status: "not_ready", reasons: ["disk is full"], warnings: ["certificate expires"] },
      [],
      0,
    );
    expect(found.map(({ text, isStopping }) => [text, isStopping])).toEqual([
      ["disk is full", true],
      ["certificate expires", false],
    ]);
  });
});
