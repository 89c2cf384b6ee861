import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { type AskedVolume, StoredVolumes } from "../../../api/site-surveys/stored-volumes.ts";
import type { Ring } from "../../../domain/geometry/geofence.ts";
import { READ_RASTERS } from "../../../processing/engine/raster/tasks.ts";
import { encodeBasis } from "../../../processing/epoch/survey-basis.ts";
import { measureStored } from "../../../processing/measurement/surface/measure-stored.ts";
import { openBasis } from "../../../processing/measurement/surface/open-basis.ts";
import { MEASURE_STORED, OPEN_BASIS } from "../../../processing/measurement/surface/tasks.ts";
import { HEAP_FOOTPRINT, heapBlock, heapSurvey } from "../../support/heap-survey.ts";

/**
 * Stored volumes whose tasks run here, and what was read and run.
 * @param cells of each survey; `undefined`: those of the heap, which is measured
 */
function openVolumes(cells?: number) {
  const work: string[] = [];
  const heap = { ...heapSurvey(), block: heapBlock() };
  const basis = encodeBasis(heap);
  const store = {
    async get(key: string) {
      work.push(`read ${key}`);
      return { body: Readable.from([basis]) };
    },
  };
  const large = (count: number) => ({
    ...heap,
    dsm: {
      ...heap.dsm,
      elevationM: new Float32Array(count),
      score: new Float32Array(count),
      views: new Uint8Array(count),
    },
  });
  // Each task's input is that of its own declaration.
  const run = async (task: { readonly name: string }, input: never) => {
    work.push(task.name);
    if (task.name === READ_RASTERS.name) return { ...heap, isUnitStated: true, findings: [] };
    if (cells !== undefined) return task.name === OPEN_BASIS.name ? large(cells) : {};
    return task.name === OPEN_BASIS.name
      ? openBasis((input as { readonly basis: Uint8Array }).basis)
      : measureStored(input);
  };
  const volumes = new StoredVolumes(store as never, run as never, undefined);
  const measure = (key: string | undefined, change: Partial<AskedVolume> = {}) =>
    volumes.measure(
      { basis: key, surface: "surface.tif" } as never,
      {
        footprint: HEAP_FOOTPRINT,
        isDrawnOnSurvey: true,
        base: { method: "plane" },
        otherFootprints: [],
        ...change,
      },
      { caller: "key", signal: new AbortController().signal },
    );
  return { work, measure };
}

/** The footprint with its first corner so many degrees farther east: as it is dragged. */
const dragged = (byDeg: number): Ring =>
  HEAP_FOOTPRINT.map(([lon, lat], i): Ring[number] =>
    i === 0 || i === HEAP_FOOTPRINT.length - 1 ? [lon + byDeg, lat] : [lon, lat],
  );

describe("volumes of footprints that are drawn one after the other", () => {
  it("the survey is read and opened for the first one alone, and each is measured", async () => {
    const { work, measure } = openVolumes();
    const volumes: number[] = [];
    for (let i = 0; i < 4; i += 1) {
      const { figures, isOwnAccuracy } = await measure("a", { footprint: dragged(-i * 2e-5) });
      volumes.push(figures.netM3);
      expect(isOwnAccuracy).toBe(true);
    }
    const measured = MEASURE_STORED.name;
    expect(work).toEqual(["read a", OPEN_BASIS.name, measured, measured, measured, measured]);
    expect(new Set(volumes).size).toBe(4);
  });

  it("of an earlier survey as the base the surface is read once, until a corner goes far beyond it", async () => {
    const { work, measure } = openVolumes(1);
    const base = { method: "survey", surface_key: "earlier.tif" } as const;
    for (const byDeg of [0, 1e-6, 2e-6]) await measure("a", { base, footprint: dragged(byDeg) });
    const reads = () => work.filter((one) => one === "read earlier.tif").length;
    expect(reads()).toBe(1);
    await measure("a", { base, footprint: dragged(4e-4) });
    expect(reads()).toBe(2);
  });

  it("a survey of which only the surface is kept is read once as well", async () => {
    const { work, measure } = openVolumes(1);
    await measure(undefined);
    await measure(undefined, { footprint: dragged(1e-6) });
    expect(work.filter((one) => one === "read surface.tif")).toHaveLength(1);
    expect(work.filter((one) => one === READ_RASTERS.name)).toHaveLength(1);
  });

  it("opened surveys are kept within a bound: the one that was not asked for longest is opened again", async () => {
    // Of 9 bytes each: three of them fit.
    const { work, measure } = openVolumes(4_500_000);
    const names = ["a", "b", "c", "a", "d", "a", "b"];
    for (const name of names) await measure(name);
    expect(work.filter((one) => one.startsWith("read "))).toEqual(
      ["a", "b", "c", "d", "b"].map((name) => `read ${name}`),
    );
  });
});
