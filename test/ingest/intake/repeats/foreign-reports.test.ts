import { afterEach, describe, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../../domain/ids.ts";
import { ForeignReports } from "../../../../ingest/intake/repeats/foreign-reports.ts";
import { type ManualJournal, manualJournal } from "../../../support/manual-journal.ts";

const T0 = Date.parse("2026-06-01T08:00:00Z");
const A1 = { assetId: "a1" as AssetId, projectId: "p1" as ProjectId };
const A2 = { assetId: "a2" as AssetId, projectId: "p1" as ProjectId };

let nowMs = T0;
let reports: ForeignReports;

afterEach(() => reports.close());

function open(maxAssets?: number): ManualJournal {
  nowMs = T0;
  const journal = manualJournal();
  reports = new ForeignReports(journal, () => nowMs, maxAssets);
  return journal;
}

/** What is durable: asset, count and seconds after the start, of each report. */
function reported(journal: ManualJournal): readonly (readonly [string, number, number])[] {
  journal.commit();
  return journal.entries().flatMap((entry) => {
    if (entry.type !== "foreign") return [];
    const { assetId, count, receivedAtMs } = entry.publish;
    return [[assetId, count, (receivedAtMs - T0) / 1_000] as const];
  });
}

describe("reports of foreign publishes", () => {
  it("reports of foreign publishes come at once for the first and then once a minute and asset with the number since", () => {
    const journal = open();
    for (let second = 0; second < 180; second += 1) {
      nowMs = T0 + second * 1_000;
      reports.note(A1, "elsewhere");
      reports.note(A1, "elsewhere");
    }
    nowMs = T0 + 180_000;
    reports.sweep();

    // The publish that makes a report due is in it.
    expect(reported(journal)).toEqual([
      ["a1", 1, 0],
      ["a1", 120, 0],
      ["a1", 120, 60],
      ["a1", 119, 120],
    ]);
  });

  it("reports of foreign publishes of one asset do not delay those of another", () => {
    const journal = open();
    reports.note(A1, "elsewhere");
    nowMs += 1_000;
    reports.note(A2, "elsewhere");

    expect(reported(journal)).toEqual([
      ["a1", 1, 0],
      ["a2", 1, 1],
    ]);
  });

  it("reports of foreign publishes are made by the timer when the device falls silent", () => {
    const journal = open();
    reports.note(A1, "first");
    reports.note(A1, "second");
    nowMs += 59_999;
    reports.sweep();
    expect(reported(journal)).toHaveLength(1);
    nowMs += 1;
    reports.sweep();
    expect(reported(journal)).toHaveLength(2);
    nowMs += 600_000;
    reports.sweep();

    expect(reported(journal)).toHaveLength(2);
  });

  it("reports of foreign publishes that the journal refuses are counted into the next one", () => {
    const journal = open();
    reports.note(A1, "elsewhere");
    journal.become("full");
    reports.note(A1, "elsewhere");
    nowMs += 60_000;
    reports.sweep();
    journal.become("open");
    reports.sweep();
    expect(reported(journal)).toEqual([["a1", 2, 0]]);
  });

  it("reports of foreign publishes are made of what was counted when the service stops", () => {
    const journal = open();
    for (let i = 0; i < 5; i += 1) reports.note(A1, "elsewhere");
    reports.close();

    expect(reported(journal).map(([, count]) => count)).toEqual([1, 4]);
  });

  it("reports of foreign publishes take no more assets than there is memory for, until others have been quiet for a minute", () => {
    const journal = open(1);
    expect(reports.note(A1, "elsewhere")).toBe(true);
    expect(reports.note(A2, "elsewhere")).toBe(false);
    nowMs += 60_000;
    reports.sweep();

    expect(reports.note(A2, "elsewhere")).toBe(true);
    expect(reported(journal)).toHaveLength(2);
  });

  it("reports of foreign publishes come on time although the clock was set back by an hour", () => {
    const journal = open();
    reports.note(A1, "elsewhere");
    nowMs -= 3_600_000;
    reports.note(A1, "elsewhere");

    expect(reported(journal).map(([, count]) => count)).toEqual([1, 1]);
  });
});
