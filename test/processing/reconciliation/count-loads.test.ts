import { describe, expect, it } from "vitest";
import type { AssetId, GeofenceId, ProjectId } from "../../../domain/ids.ts";
import { type CountedPeriod, countLoads } from "../../../processing/reconciliation/count-loads.ts";
import { DEFAULT_WEIGHING_ERRORS } from "../../../processing/reconciliation/weighing-errors.ts";
import type { Visit } from "../../../storage/ports/equipment/visits.ts";
import type { SeriesQuery } from "../../../storage/ports/telemetry-store.ts";
import { visitEnd, visitOf, writePayload } from "../../support/hauling.ts";
import { openMemoryRecords } from "../../support/memory-records.ts";
import { openMemoryTelemetryStore } from "../../support/memory-telemetry-store.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Kilograms of truck `t1` by minute: one step per pair, in order. */
type Steps = readonly (readonly [fromMin: number, kg: number])[];

/** Counts the loads of a day's `visits` of `t1`, which reports its payload every `periodS` seconds of hours 0 to 4. */
async function count(
  visits: readonly Visit[],
  steps: Steps,
  { periodS = 5, ...change }: { periodS?: number } & Partial<CountedPeriod> = {},
) {
  const records = openMemoryRecords();
  for (const visit of visits) records.rows.visits.set(visit.id, visit);
  const telemetry = openMemoryTelemetryStore();
  const reads: SeriesQuery[] = [];
  await writePayload(
    telemetry,
    "t1",
    { fromMs: 0, toMs: 4 * HOUR_MS, periodS },
    (timeMs) => steps.findLast(([fromMin]) => timeMs >= fromMin * MINUTE_MS)?.[1] ?? 0,
  );
  const counted = await countLoads(
    {
      visits: records.visits,
      telemetry: {
        read: async (query) => {
          reads.push(query);
          return await telemetry.read(query);
        },
      },
    },
    {
      projectId: "p1" as ProjectId,
      geofenceId: "f1" as GeofenceId,
      fromMs: 30 * MINUTE_MS,
      toMs: 3 * HOUR_MS,
      ignored: new Set<AssetId>(),
      ...change,
    },
    DEFAULT_WEIGHING_ERRORS,
  );
  return { ...counted, reads };
}

const inShort = ({ loads }: Awaited<ReturnType<typeof count>>) =>
  loads.map(({ stay, kind, movedKg }) => [stay.visitIds.join("+"), kind, movedKg]);

describe("countLoads", () => {
  it("countLoads weighs what comes full and leaves empty, comes empty and leaves full, and passes", async () => {
    const counted = await count(
      [visitOf("a", [40, 45]), visitOf("b", [60, 66]), visitOf("c", [80, 81])],
      [
        [0, 30_000],
        [42, 0],
        [63, 35_000],
        [70, 0],
      ],
    );
    expect(inShort(counted)).toEqual([
      ["a", "brought", 30_000],
      ["b", "taken", -35_000],
      ["c", "none", 0],
    ]);
    // All within one read.
    expect(counted.reads).toHaveLength(1);
  });

  it("countLoads counts a load once where the position flickers on the edge while it is being loaded", async () => {
    const counted = await count(
      [visitOf("a", [40, 42]), visitOf("b", [42.5, 44]), visitOf("c", [46, 48])],
      [
        [0, 0],
        [41, 10_000],
        [43, 25_000],
        [47, 36_000],
      ],
    );
    // "c" is two minutes away: what was on the truck between them is weighed for both, and cancels.
    expect(inShort(counted)).toEqual([
      ["a+b", "taken", -25_000],
      ["c", "taken", -11_000],
    ]);
  });

  it("countLoads does not take what a machine carried within its next stay for what it left with", async () => {
    // Readings at 45 min, before both, and at 50 min, within the second.
    const counted = await count(
      [visitOf("a", [46, 47]), visitOf("b", [48.5, 51])],
      [
        [0, 30_000],
        [50, 0],
      ],
      { periodS: 300 },
    );
    expect(inShort(counted)).toEqual([
      ["a", "unknown", Number.NaN],
      ["b", "unknown", Number.NaN],
    ]);
    expect(counted.loads.map(({ before, after }) => [before?.kg, after?.kg])).toEqual([
      [30_000, undefined],
      [undefined, 0],
    ]);
  });

  it("countLoads puts stays into the period in which they ended, and names who is inside at its end", async () => {
    const counted = await count(
      [
        visitOf("before", [20, 30]),
        visitOf("across the first", [25, 32], { assetId: "t2" as AssetId }),
        visitOf("across the second", [179, 181]),
        visitOf("open", [170, undefined], { assetId: "t3" as AssetId }),
        visitOf("later", [190, 195], { assetId: "t4" as AssetId }),
      ],
      [[0, 30_000]],
    );
    expect(counted.loads.map(({ stay }) => stay.visitIds)).toEqual([["across the first"]]);
    expect(counted.inside.map(({ assetId }) => assetId).toSorted()).toEqual(["t1", "t3"]);
  });

  it("countLoads does not know the load of a machine that reports no payload or was silent on one side", async () => {
    const counted = await count(
      [visitOf("van", [40, 41], { assetId: "van" as AssetId }), visitOf("silent", [233, 241])],
      [[0, 30_000]],
      { toMs: 5 * HOUR_MS },
    );
    expect(inShort(counted)).toEqual([
      ["van", "unknown", Number.NaN],
      ["silent", "unknown", Number.NaN],
    ]);
    expect(counted.loads.map(({ before, after }) => [before?.kg, after?.kg])).toEqual([
      [undefined, undefined],
      [30_000, undefined],
    ]);
  });

  it("countLoads weighs a stay that began with the first fix by what the machine carried then", async () => {
    const counted = await count(
      [visitOf("a", [40, 45], { entered: visitEnd(40 * MINUTE_MS, "first_fix") })],
      [
        [40, 30_000],
        [43, 0],
      ],
    );
    expect(inShort(counted)).toEqual([["a", "brought", 30_000]]);
    expect(counted.loads[0]?.confidence).toBe("low");
  });

  it("countLoads leaves out withdrawn visits, those of other fences, and machines that are ignored", async () => {
    const counted = await count(
      [
        visitOf("a", [40, 45], { withdrawn: true }),
        visitOf("b", [60, 65], { geofenceId: "f2" as GeofenceId }),
        visitOf("c", [80, 85]),
        visitOf("d", [90, 95], { assetId: "loader" as AssetId }),
      ],
      [
        [0, 30_000],
        [82, 0],
      ],
      { ignored: new Set(["loader" as AssetId]) },
    );
    expect(inShort(counted)).toEqual([["c", "brought", 30_000]]);
  });

  it("countLoads reads a day in slices of at most 12 h, and nothing of the hours between far stays", async () => {
    const visits = Array.from({ length: 60 }, (_, i) =>
      visitOf(`v${i}`, [35 + i * 30, 36 + i * 30]),
    );
    const { reads, loads } = await count(
      [...visits, visitOf("late", [4_000, 4_001])],
      [[0, 30_000]],
      { toMs: 100 * HOUR_MS },
    );
    expect(loads).toHaveLength(61);
    expect(reads.length).toBeLessThanOrEqual(5);
    const longestMs = Math.max(...reads.map(({ fromMs, toMs }) => toMs - fromMs));
    expect(longestMs).toBeLessThanOrEqual(12 * HOUR_MS);
    const readMs = reads.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
    expect(readMs).toBeLessThan(32 * HOUR_MS);
  });

  it("countLoads refuses more than 10,000 visits", async () => {
    const records = openMemoryRecords();
    const visits = {
      list: async (filter: Parameters<typeof records.visits.list>[0]) => ({
        ...(await records.visits.list(filter)),
        total: 10_001,
      }),
    };
    const counting = countLoads(
      { visits, telemetry: openMemoryTelemetryStore() },
      {
        projectId: "p1" as ProjectId,
        geofenceId: "f1" as GeofenceId,
        fromMs: 0,
        toMs: 1,
        ignored: new Set(),
      },
      DEFAULT_WEIGHING_ERRORS,
    );
    await expect(counting).rejects.toMatchObject({ code: "PARAMETER_INVALID" });
  });
});
