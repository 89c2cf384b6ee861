import type { AssetId, ProjectId } from "../domain/ids.ts";
import { createAssetTracks } from "../ingest/asset-state/live-assets.ts";
import { RECORD_KIND, TICK_BODY } from "../ingest/journal-record/journal-record.ts";
import { encodeReadings } from "../ingest/journal-record/readings.ts";
import { PipelineStep } from "../ingest/pipeline/step.ts";
import { wholeTerritory } from "../ingest/pipeline/territory.ts";
import { createLivenessStage } from "../ingest/stages/liveness/liveness-stage.ts";
import { assetEntry, fixedDirectory } from "../test/support/fixed-directory.ts";

/**
 * What a tick of liveness costs over 10,000 assets in 20 projects, ms. Measured: while all report, while one asset
 * of each project is silent and held, in the tick in which every asset falls silent, and in the outages
 * after it. Run: `npx tsx bench/liveness.ts`
 */
const ASSETS = 10_000;
const PROJECTS = 20;
const TICK_MS = 10_000;
const START_MS = Date.UTC(2026, 5, 1);

const ids = Array.from({ length: ASSETS }, (_, i) => `ast_${String(i).padStart(16, "0")}`);
const directory = fixedDirectory(ids.map((id, i) => assetEntry(id, `site-${i % PROJECTS}`)));
const project = new Map([...directory.entries()].map((entry) => [entry.project.id, entry.project]));
const step = new PipelineStep({
  journalId: "bench",
  // The fixed directory looks through all entries for a project; the real one has a map too.
  directory: { ...directory, project: (id) => project.get(id) },
  tracks: createAssetTracks(),
  territory: wholeTerritory([createLivenessStage({ asset: (id) => id })]),
  counters: {
    readings: 0,
    outcomes: { folded: 0, late: 0, ahead: 0, repeated: 0, too_late: 0 },
    reruns: 0,
    undecodable: 0,
  },
});
let sequence = 0;
let nowMs = START_MS;

function apply(kind: number, body: Uint8Array): void {
  sequence += 1;
  step.apply({ sequence, timeMs: nowMs, kind, body });
}

function message(index: number): void {
  const reading = {
    fixTimeMs: nowMs,
    timeSource: "device" as const,
    rawTimeMs: undefined,
    seq: -1,
    payloadHash: 1,
    fields: { latitude: 52.5, longitude: 13.4 },
    faults: undefined,
  };
  const assetId = (ids[index] ?? "") as AssetId;
  const projectId = `site-${index % PROJECTS}` as ProjectId;
  const batch = { assetId, projectId, receivedAtMs: nowMs, readings: [reading] };
  const origin = { clientHash: 0, packetId: 0, payloadHash: 1 };
  apply(RECORD_KIND.readings, encodeReadings(batch, origin));
}

/** Ticks, with messages of the assets from `firstIndex` on between them; yields ms of each tick. */
function ticks(count: number, firstIndex: number): number[] {
  return Array.from({ length: count }, () => {
    for (let i = firstIndex; i < ASSETS; i += 1) message(i);
    nowMs += TICK_MS;
    const startedMs = performance.now();
    apply(RECORD_KIND.tick, TICK_BODY);
    const tookMs = performance.now() - startedMs;
    step.take({ journalId: "bench", sequence });
    return tookMs;
  });
}

function print(name: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(2);
  console.log(
    `${name.padEnd(40)} best ${at(0)}  median ${at(0.5)}  worst ${at(1)}  (${times.length} ticks)`,
  );
}

print("all report", ticks(60, 0));
// The first twenty assets, one of each project, are silent after 900 s and held for 60 s.
ticks(89, PROJECTS);
print("one of each project silent", ticks(8, PROJECTS));
for (let i = 0; i < PROJECTS; i += 1) message(i);
ticks(1, 0);
print("nobody reports", ticks(89, ASSETS));
print("every asset falls silent", ticks(1, ASSETS));
print("in the outages", ticks(60, ASSETS));
