import { pino } from "pino";
import { describe, expect, it, vi } from "vitest";
import { DomainError } from "../../../domain/errors.ts";
import type { AssetId } from "../../../domain/ids.ts";
import { encodeForeign } from "../../../ingest/journal-record/foreign.ts";
import { RECORD_KIND } from "../../../ingest/journal-record/journal-record.ts";
import { Pipeline } from "../../../ingest/pipeline/runner.ts";
import { assetEntry, fixedDirectory } from "../../support/fixed-directory.ts";
import { fixedFences } from "../../support/fixed-fences.ts";
import { noPlans } from "../../support/fixed-plans.ts";
import { type ManualJournal, manualJournal } from "../../support/manual-journal.ts";
import { type MemoryRecords, openMemoryRecords } from "../../support/memory-records.ts";
import { openMemoryTelemetryStore } from "../../support/memory-telemetry-store.ts";
import { PATIENT_MS } from "../../support/patience.ts";

const entry = assetEntry("a1");
const SOON = { timeout: PATIENT_MS, interval: 5 };

/** Journals a publish to a foreign topic, which is one event. */
function append(journal: ManualJournal): void {
  const body = encodeForeign({
    assetId: "a1" as AssetId,
    projectId: entry.project.id,
    receivedAtMs: 1,
    topic: "elsewhere",
    count: 7,
  });
  journal.append(RECORD_KIND.foreign, 1, body, () => undefined);
  journal.commit();
}

/** A pipeline over the records, whose commits are `commit`. */
function start(
  journal: ManualJournal,
  records: MemoryRecords,
  commit: MemoryRecords["pipeline"]["commit"],
) {
  const { checkpoint, states, shared, days, daysOf, engineOnS } = records.pipeline;
  return Pipeline.start({
    journal,
    records: { checkpoint, states, shared, days, daysOf, engineOnS, commit },
    visits: records.visits,
    telemetry: openMemoryTelemetryStore(),
    telemetryWritten: () => journal.syncedSequence,
    directory: fixedDirectory([entry]),
    fences: fixedFences(),
    plans: noPlans(),
    log: pino({ level: "silent" }),
  });
}

describe("a pipeline that is stopped while the record store is away", () => {
  it("a pipeline that is stopped while the record store is away stores nothing later in front of what could not be stored", async () => {
    const journal = manualJournal();
    const records = openMemoryRecords();
    let commits = 0;
    // Away for the first commit and for its last try at the stop, and back right after.
    const pipeline = await start(journal, records, async (change) => {
      commits += 1;
      if (commits <= 2) throw new DomainError("STORE_UNAVAILABLE", "away");
      await records.pipeline.commit(change);
    });
    append(journal);
    await vi.waitFor(() => expect(commits).toBe(1), SOON);
    append(journal);
    const reads = vi.spyOn(journal, "read");
    await vi.waitFor(() => expect(reads.mock.calls.at(-1)?.[0]).toBe(3), SOON);
    await pipeline.stop();
    expect(records.rows.checkpoint).toBeUndefined();

    const restarted = await start(journal, records, records.pipeline.commit);
    await vi.waitFor(() => expect(restarted.committedSequence).toBe(2), SOON);
    await restarted.stop();
    const event = { type: "security.foreign_topic", data: { topic: "elsewhere", count: 7 } };
    expect(records.rows.events).toMatchObject([event, event]);
  });
});
