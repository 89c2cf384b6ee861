import { describe, expect, it } from "vitest";
import type { AssetId, GeofenceId } from "../../../domain/ids.ts";
import { compareChange } from "../../../processing/reconciliation/compare-change.ts";
import { countLoads } from "../../../processing/reconciliation/count-loads.ts";
import { sumLoads } from "../../../processing/reconciliation/sum-loads.ts";
import { DEFAULT_WEIGHING_ERRORS } from "../../../processing/reconciliation/weighing-errors.ts";
import { START_MS } from "../../simulators/scene.ts";
import { openMemoryRecords } from "../../support/memory-records.ts";
import { openMemoryTelemetryStore } from "../../support/memory-telemetry-store.ts";
import { simulateHaul } from "../../support/simulated-haul.ts";
import { someOf } from "../../support/some-of.ts";
import { PROJECT } from "../../support/timeline-run.ts";

// Twenty machine hours each through the geofence pipeline; below 1 s when the machine is idle.

const HOUR_MS = 3_600_000;
/** Two measurements within the two hours that are simulated. */
const PERIOD = [START_MS + 0.25 * HOUR_MS, START_MS + 1.75 * HOUR_MS] as const;

async function countSimulated(seed: number) {
  const { visits, points, truth } = await simulateHaul(seed, 2 * 3_600, PERIOD);
  const records = openMemoryRecords();
  for (const visit of visits) records.rows.visits.set(visit.id, visit);
  const telemetry = openMemoryTelemetryStore();
  await telemetry.write(points, { journalId: "j", sequence: 1 });
  const { loads } = await countLoads(
    { visits: records.visits, telemetry },
    {
      projectId: PROJECT,
      geofenceId: "f1" as GeofenceId,
      fromMs: PERIOD[0],
      toMs: PERIOD[1],
      ignored: new Set<AssetId>(),
    },
    DEFAULT_WEIGHING_ERRORS,
  );
  return { truth, loads, sum: sumLoads(loads, DEFAULT_WEIGHING_ERRORS) };
}

describe("loads of simulated dumpers", () => {
  it.each(
    someOf([2, 1]),
  )("loads of simulated dumpers are all counted, their sum within its interval of the truth (seed %i)", async (seed) => {
    const { truth, sum } = await countSimulated(seed);
    // One excavator fills a dumper in three to four minutes.
    expect(truth.loads).toBeGreaterThan(20);
    expect(sum.counts).toMatchObject({ brought: truth.loads, taken: 0 });
    const offT = Math.abs(sum.net.t - truth.t);
    expect(offT).toBeLessThan(1.96 * sum.net.sigmaT);
    // 1 % over the root of five trucks, 3 % and scatter over the root of 30 loads.
    expect(sum.net.sigmaT / truth.t).toBeGreaterThan(0.004);
    expect(sum.net.sigmaT / truth.t).toBeLessThan(0.013);
    expect(offT).toBeGreaterThan(0);
    // A pile that was measured without error agrees, and one that lacks six loads of 34 t does not.
    const density = { tPerM3: 1.7, share: 0.01 };
    const agreed = compareChange({ m3: truth.t / 1.7, sigmaM3: 10 }, sum.net, density);
    const lacking = compareChange({ m3: (truth.t - 204) / 1.7, sigmaM3: 10 }, sum.net, density);
    expect([agreed.isSignificant, lacking.isSignificant]).toEqual([false, true]);
  });
});
