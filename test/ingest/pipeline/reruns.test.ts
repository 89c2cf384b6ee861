import { pino } from "pino";
import { describe, expect, it, vi } from "vitest";
import type { Reading } from "../../../domain/equipment/reading.ts";
import type { AssetId } from "../../../domain/ids.ts";
import { RECORD_KIND } from "../../../ingest/journal-record/journal-record.ts";
import { encodeReadings } from "../../../ingest/journal-record/readings.ts";
import { Pipeline } from "../../../ingest/pipeline/runner.ts";
import { assetEntry, fixedDirectory } from "../../support/fixed-directory.ts";
import { fixedFences } from "../../support/fixed-fences.ts";
import { noPlans } from "../../support/fixed-plans.ts";
import { manualJournal } from "../../support/manual-journal.ts";
import { openMemoryRecords } from "../../support/memory-records.ts";
import { openMemoryTelemetryStore } from "../../support/memory-telemetry-store.ts";
import { PATIENT_MS } from "../../support/patience.ts";

const ASSETS = ["steady", "late"] as const;
const T0 = Date.parse("2026-06-01T08:00:00Z");
const SECOND = 1_000;
/** How far the telemetry store is behind, ms: more than the pipeline needs to read what is new. */
const STORE_BEHIND_MS = 20;
const MESSAGE_EVERY_MS = 4;
const ORIGIN = { clientHash: 0, packetId: 0, payloadHash: 0 };

/** What outlives a pipeline. */
const openStores = () => ({
  journal: manualJournal(),
  telemetry: openMemoryTelemetryStore(),
  records: openMemoryRecords(),
  /** Journal place up to which the telemetry store has everything. */
  written: 0,
});

/** A pipeline whose telemetry store takes every reading some time after it, as a store that writes to disk does. */
async function startBehind(stores = openStores()) {
  const entries = ASSETS.map((id) => assetEntry(id));
  const [{ project }] = entries as [(typeof entries)[number]];
  const { journal, telemetry, records } = stores;
  const pipeline = await Pipeline.start({
    journal,
    records: records.pipeline,
    visits: records.visits,
    telemetry,
    telemetryWritten: () => stores.written,
    directory: fixedDirectory(entries),
    fences: fixedFences(),
    plans: noPlans(),
    log: pino({ level: "silent" }),
  });
  const take = (
    assetId: AssetId,
    fixTimeMs: number,
    flag: Pick<Reading, "isHistorical"> = {},
  ): void => {
    const reading: Reading = {
      fixTimeMs,
      timeSource: "device",
      rawTimeMs: undefined,
      seq: -1,
      payloadHash: fixTimeMs % 1_000_000,
      fields: { engine_on: 1 },
      faults: undefined,
      ...flag,
    };
    const batch = { assetId, projectId: project.id, receivedAtMs: fixTimeMs, readings: [reading] };
    const body = encodeReadings(batch, ORIGIN);
    const sequence = journal.append(RECORD_KIND.readings, fixTimeMs, body, () => undefined);
    journal.commit();
    setTimeout(async () => {
      const position = { journalId: journal.id, sequence };
      await telemetry.write([{ ...reading, assetId, projectId: project.id }], position);
      stores.written = sequence;
    }, STORE_BEHIND_MS);
  };
  return { pipeline, take };
}

describe("re-runs while messages keep coming", () => {
  it("re-runs while messages keep coming put a late reading in its place, and what came meanwhile on top", async () => {
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
        timeout: PATIENT_MS,
        interval: 10,
      })
      .finally(() => clearInterval(load));

    const applied = (id: AssetId, fixTimeMs: number) =>
      vi.waitFor(() => expect(pipeline.live.find(id)?.work.tMs).toBe(fixTimeMs), {
        timeout: PATIENT_MS,
      });
    await applied(late, T0 + (60 + second) * SECOND);
    await applied(steady, T0 + second * SECOND);
    const track = pipeline.live.find(late);
    expect(track?.lateFromMs).toBe(Number.POSITIVE_INFINITY);
    // The engine ran from the first reading to the last, without a gap.
    expect(track?.days[0]?.engineOnMs).toBe((60 + second) * SECOND);
    expect(pipeline.counters.outcomes).toMatchObject({ late: 1, folded: 2 + 2 * second });
    await pipeline.stop();
  });

  it("re-runs while messages keep coming put a device's past in its place once a live reading has passed it, also after a restart", async () => {
    const stores = openStores();
    const [id] = ASSETS as unknown as readonly [AssetId];
    const first = await startBehind(stores);
    first.take(id, T0);
    for (const second of [180, 60, 240, 120]) {
      first.take(id, T0 + second * SECOND, { isHistorical: true });
    }
    await vi.waitFor(() => expect(first.pipeline.counters.outcomes.ahead).toBe(4), {
      timeout: PATIENT_MS,
    });
    expect(first.pipeline.live.state(id)).toMatchObject({
      lastUpdateMs: T0,
      lastWorkedAtMs: T0,
      latest: { engine_on: { fixTimeMs: T0 } },
      today: { engineOnS: 0 },
    });
    await first.pipeline.stop();

    const { pipeline, take } = await startBehind(stores);
    expect(pipeline.live.find(id)?.work.tMs).toBe(T0);
    take(id, T0 + 300 * SECOND);
    await vi.waitFor(() => expect(pipeline.counters.reruns).toBe(1), { timeout: PATIENT_MS });
    expect(pipeline.live.state(id)?.today).toMatchObject({ engineOnS: 300 });
    expect(pipeline.live.find(id)?.ahead).toBeUndefined();
    await pipeline.stop();
    const days = await stores.records.pipeline.days(id, "2026-06-01", "2026-06-01");
    expect(days).toMatchObject([{ engineOnS: 300 }]);
  });
});
