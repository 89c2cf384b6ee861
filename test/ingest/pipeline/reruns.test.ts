import { pino } from "pino";
import { describe, expect, it, vi } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import type { Reading } from "../../../domain/reading.ts";
import { encodeReadings, RECORD_KIND } from "../../../ingest/journal-record.ts";
import { startPipeline } from "../../../ingest/pipeline/runner.ts";
import { assetEntry, fixedDirectory } from "../../support/fixed-directory.ts";
import { fixedFences } from "../../support/fixed-fences.ts";
import { noPlans } from "../../support/fixed-plans.ts";
import { manualJournal } from "../../support/manual-journal.ts";
import { openMemoryRecords } from "../../support/memory-records.ts";
import { openMemoryTelemetryStore } from "../../support/memory-telemetry-store.ts";

const ASSETS = ["steady", "late"] as const;
const T0 = Date.parse("2026-06-01T08:00:00Z");
const SECOND = 1_000;
/** How far the telemetry store is behind, ms: more than the pipeline needs to read what is new. */
const STORE_BEHIND_MS = 20;
const MESSAGE_EVERY_MS = 4;
const ORIGIN = { clientHash: 0, packetId: 0, payloadHash: 0 };

/** A pipeline whose telemetry store takes every reading some time after it, as a store that writes to disk does. */
async function startBehind() {
  const entries = ASSETS.map((id) => assetEntry(id));
  const [{ project }] = entries as [(typeof entries)[number]];
  const journal = manualJournal();
  const telemetry = openMemoryTelemetryStore();
  const records = openMemoryRecords();
  let written = 0;
  const pipeline = await startPipeline({
    journal,
    records: records.pipeline,
    visits: records.visits,
    telemetry,
    telemetryWritten: () => written,
    directory: fixedDirectory(entries),
    fences: fixedFences(),
    plans: noPlans(),
    log: pino({ level: "silent" }),
  });
  const take = (assetId: AssetId, fixTimeMs: number): void => {
    const reading: Reading = {
      fixTimeMs,
      timeSource: "device",
      rawTimeMs: undefined,
      seq: -1,
      payloadHash: fixTimeMs % 1_000_000,
      fields: { engine_on: 1 },
      faults: undefined,
    };
    const batch = { assetId, projectId: project.id, receivedAtMs: fixTimeMs, readings: [reading] };
    const body = encodeReadings(batch, ORIGIN);
    const sequence = journal.append(RECORD_KIND.readings, fixTimeMs, body, () => undefined);
    journal.commit();
    setTimeout(async () => {
      const position = { journalId: journal.id, sequence };
      await telemetry.write([{ ...reading, assetId, projectId: project.id }], position);
      written = sequence;
    }, STORE_BEHIND_MS);
  };
  return { pipeline, take };
}

describe("re-runs while messages keep coming", () => {
  it("put a late reading in its place, and what came meanwhile on top", async () => {
    const { pipeline, take } = await startBehind();
    const [steady, late] = ASSETS as unknown as readonly [AssetId, AssetId];
    let second = 0;
    take(late, T0);
    take(late, T0 + 60 * SECOND);
    take(late, T0 + 30 * SECOND);
    const load = setInterval(() => {
      second += 1;
      take(steady, T0 + second * SECOND);
      take(late, T0 + (60 + second) * SECOND);
    }, MESSAGE_EVERY_MS);
    await vi
      .waitFor(() => expect(pipeline.counters.reruns).toBeGreaterThan(0), {
        timeout: 15_000,
        interval: 10,
      })
      .finally(() => clearInterval(load));

    const applied = (id: AssetId, fixTimeMs: number) =>
      vi.waitFor(() => expect(pipeline.live.find(id)?.work.tMs).toBe(fixTimeMs), {
        timeout: 5_000,
      });
    await applied(late, T0 + (60 + second) * SECOND);
    await applied(steady, T0 + second * SECOND);
    const track = pipeline.live.find(late);
    expect(track?.lateFromMs).toBe(Number.POSITIVE_INFINITY);
    // The engine ran from the first reading to the last, without a gap.
    expect(track?.days[0]?.engineOnMs).toBe((60 + second) * SECOND);
    expect(pipeline.counters.outcomes).toMatchObject({ late: 1, folded: 2 + 2 * second });
    await pipeline.stop();
  }, 30_000);
});
