import { describe, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { createAssetTracks } from "../../../ingest/asset-state/live-assets.ts";
import { RECORD_KIND } from "../../../ingest/journal-record/journal-record.ts";
import { encodeReadings } from "../../../ingest/journal-record/readings.ts";
import { createStages } from "../../../ingest/pipeline/stages.ts";
import { PipelineStep } from "../../../ingest/pipeline/step.ts";
import { wholeTerritory } from "../../../ingest/pipeline/territory.ts";
import { assetEntry, fixedDirectory } from "../../support/fixed-directory.ts";
import { fixedFences } from "../../support/fixed-fences.ts";
import { noPlans } from "../../support/fixed-plans.ts";

const JOURNAL = "journal-1";
const DAY_MS = 86_400_000;
const T0 = Date.UTC(2026, 5, 1, 8);

const names = {
  asset: (id: string) => id,
  geofence: (id: string) => ({ name: id, kind: "zone" as const }),
};

function openStep() {
  return new PipelineStep({
    journalId: JOURNAL,
    directory: fixedDirectory([assetEntry("truck-1", "p1")]),
    tracks: createAssetTracks(),
    territory: wholeTerritory(createStages({ fences: fixedFences(), plans: noPlans(), names })),
    counters: {
      readings: 0,
      outcomes: { folded: 0, late: 0, ahead: 0, repeated: 0, too_late: 0 },
      reruns: 0,
      undecodable: 0,
    },
  });
}

/** One journal record with a reading at each of the given times. */
function record(sequence: number, timesMs: readonly number[], engineOn: number) {
  const receivedAtMs = T0 + 20 * DAY_MS;
  const readings = timesMs.map((fixTimeMs) => ({
    fixTimeMs,
    timeSource: "device" as const,
    rawTimeMs: undefined,
    seq: -1,
    payloadHash: 1,
    fields: { engine_on: engineOn },
    faults: undefined,
  }));
  const batch = {
    assetId: "truck-1" as AssetId,
    projectId: "p1" as ProjectId,
    receivedAtMs,
    readings,
  };
  const body = encodeReadings(batch, { clientHash: 0, packetId: 0, payloadHash: 1 });
  return { sequence, timeMs: receivedAtMs, kind: RECORD_KIND.readings, body };
}

describe("a pipeline step", () => {
  it("a pipeline step stores every day of a backlog of ten days that comes in one message", () => {
    const step = openStep();
    const days = Array.from({ length: 10 }, (_, day) => T0 + day * DAY_MS);
    step.apply(
      record(
        1,
        days.flatMap((ms) => [ms, ms + 60_000]),
        1,
      ),
    );
    const { days: stored } = step.take({ journalId: JOURNAL, sequence: 1 });
    expect(stored.map(({ day, workingS }) => [day, workingS])).toEqual(
      days.map((ms) => [new Date(ms).toISOString().slice(0, 10), 60]),
    );
    expect(step.take({ journalId: JOURNAL, sequence: 1 }).days).toEqual([]);
  });

  it("a pipeline step stores a day on which the machine only reported that it was stationary", () => {
    const step = openStep();
    step.apply(record(1, [T0, T0 + 60_000], 0));
    expect(step.take({ journalId: JOURNAL, sequence: 1 }).days).toMatchObject([
      { assetId: "truck-1", projectId: "p1", day: "2026-06-01", workingS: 0, engineOnS: 0 },
    ]);
  });
});
