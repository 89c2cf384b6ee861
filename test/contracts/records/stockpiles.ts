import { describe, expect, it } from "vitest";
import type { StockpileMeasurement } from "../../../domain/sites/measurement.ts";
import type { Stockpile } from "../../../domain/sites/stockpile.ts";
import type { MeasuredStockpile } from "../../../storage/ports/sites/stockpiles.ts";
import { event, geofenceId, type OpenStore, project, projectId } from "./rows.ts";
import { jobId, measurement, measurementId, stockpile, stockpileId } from "./stockpile-rows.ts";

const PAGE = { limit: 10, offset: 0 };
const S1 = stockpileId("s1");
const UNKNOWN = { code: "STOCKPILE_NOT_FOUND" };

export function describeStockpileRecords(current: () => OpenStore): void {
  const stockpiles = () => current().store.stockpiles;

  async function insertAll(...all: readonly Stockpile[]): Promise<void> {
    for (const id of new Set(all.map((one) => one.project_id))) {
      await current().store.projects.insert(project(id));
    }
    for (const one of all) await stockpiles().insert(one);
  }

  /** Stores a measurement that makes its volume the stockpile's. */
  const measure = (id: string, change: Partial<StockpileMeasurement> = {}) => {
    const made = measurement(id, change);
    return stockpiles().addMeasurement(made.stockpile_id, made.job_id, (before) => ({
      stockpile: { ...before, current_volume_m3: made.current_volume_m3 },
      measurement: made,
      events: [],
    }));
  };

  const volume = async () => (await stockpiles().find(S1))?.current_volume_m3;

  describe("stockpiles", () => {
    it("finds a stockpile with every field it was given", async () => {
      const full = stockpile("s1", {
        density_t_per_m3: 1.65,
        thresholds: { empty_percent: 0.5, low_percent: 10, full_percent: 99.5 },
        footprint: [
          [13.405, 52.52],
          [13.406, 52.52],
          [13.406123456789013, 52.521],
          [13.405, 52.52],
        ],
        footprint_state: "confirmed",
        base: { method: "level", height_m: -12.345 },
        geofence_id: geofenceId("g1"),
        current_volume_m3: 523.599,
        current_sigma_m3: 3.74,
        volume_basis: "measured",
        measurement_id: measurementId("m1"),
        last_measured: "2026-11-20T10:00:00.123Z",
        datum: {
          version: 1,
          grid: { cellM: 0.1 },
          base: { kind: "tin", vertices: [0.1, -2, 3e-9] },
        },
        updated_at: "2026-11-20T11:30:00.000Z",
      });
      await insertAll(full, stockpile("s2"));
      expect(await stockpiles().find(S1)).toStrictEqual(full);
      expect(await stockpiles().find(stockpileId("s2"))).toStrictEqual(stockpile("s2"));
      expect(await stockpiles().find(stockpileId("s3"))).toBeUndefined();
    });

    it("the store of stockpiles refuses an id that is taken and a project that is not there", async () => {
      await insertAll(stockpile("s1"));
      await expect(
        stockpiles().insert(stockpile("s1", { location: "other" })),
      ).rejects.toMatchObject({ code: "ID_CONFLICT" });
      await expect(
        stockpiles().insert(stockpile("s2", { project_id: projectId("none") })),
      ).rejects.toMatchObject({ code: "PROJECT_NOT_FOUND" });
      expect((await stockpiles().list({ offset: 0 })).total).toBe(1);
      expect(await stockpiles().find(S1)).toStrictEqual(stockpile("s1"));
    });

    it("lists stockpiles oldest first, by project and by material in any case, without their datum", async () => {
      const later = { created_at: "2026-11-20T08:00:00.001Z" };
      await insertAll(
        stockpile("c", later),
        stockpile("b", { datum: { version: 1 } }),
        stockpile("a", { project_id: projectId("p2"), material: "ÜBERKORN 0/2" }),
        stockpile("d", { ...later, material: "U\u0308berkorn 0/2" }),
      );
      const ids = async (filter: object) => {
        const { stockpiles: found, total } = await stockpiles().list({ offset: 0, ...filter });
        return [found.map(({ id }) => id), total];
      };
      expect(await ids({})).toEqual([["a", "b", "c", "d"], 4]);
      expect(await ids({ limit: 2, offset: 1 })).toEqual([["b", "c"], 4]);
      expect(await ids({ projectIds: [projectId("p1")] })).toEqual([["b", "c", "d"], 3]);
      expect(await ids({ projectIds: [] })).toEqual([[], 0]);
      expect(await ids({ material: "überkorn 0/2" })).toEqual([["a", "d"], 2]);
      expect(await ids({ material: "überkorn" })).toEqual([[], 0]);
      const { stockpiles: listed } = await stockpiles().list({ limit: 1, offset: 1 });
      const { datum: _, ...ofB } = stockpile("b");
      const b = { ...ofB, has_datum: true };
      expect(listed).toStrictEqual([b]);
    });

    it("replaces a stockpile, and finds it by its new material", async () => {
      await insertAll(stockpile("s1", { density_t_per_m3: 1.6, datum: { version: 1 } }));
      const changed = stockpile("s1", { material: "Sand", base: { method: "tin" } });
      expect(await stockpiles().update(S1, () => changed)).toStrictEqual(changed);
      expect(await stockpiles().find(S1)).toStrictEqual(changed);
      expect((await stockpiles().list({ material: "SAND", offset: 0 })).total).toBe(1);
    });

    it("leaves a stockpile alone when its change throws", async () => {
      await insertAll(stockpile("s1"));
      const refused = stockpiles().update(S1, () => {
        throw new RangeError("no");
      });
      await expect(refused).rejects.toThrow(RangeError);
      expect(await stockpiles().find(S1)).toStrictEqual(stockpile("s1"));
    });

    it("the store of stockpiles runs simultaneous edits and measurements of one stockpile one after the other", async () => {
      await insertAll(stockpile("s1"), stockpile("s2"));
      const add = (before: Stockpile): Stockpile => ({
        ...before,
        current_volume_m3: before.current_volume_m3 + 1,
      });
      const edits = Array.from({ length: 8 }, () => stockpiles().update(S1, add));
      const seen: number[] = [];
      const measures = Array.from({ length: 8 }, (_, i) =>
        stockpiles().addMeasurement(S1, jobId(`j${i}`), (before): MeasuredStockpile => {
          seen.push(before.current_volume_m3);
          const made = measurement(`m${i}`, { job_id: jobId(`j${i}`) });
          return { stockpile: add(before), measurement: made, events: [event(`e${i}`)] };
        }),
      );
      await Promise.all([...edits, ...measures]);
      expect(await volume()).toBe(16);
      expect(new Set(seen).size).toBe(8);
      expect((await stockpiles().measurements(S1, PAGE)).total).toBe(8);
      expect((await current().store.events.after(0, { limit: 99 })).length).toBe(8);
      expect(await stockpiles().find(stockpileId("s2"))).toStrictEqual(stockpile("s2"));
    });

    it("the store of stockpiles stores state, measurement and events together, and yields the measurement", async () => {
      await insertAll(stockpile("s1"));
      const made = measurement("m1");
      const stored = await stockpiles().addMeasurement(S1, made.job_id, (before) => ({
        stockpile: {
          ...before,
          current_volume_m3: 523.599,
          current_sigma_m3: 3.74,
          volume_basis: "measured",
          measurement_id: made.id,
          last_measured: made.measured_at,
          datum: { version: 1 },
        },
        measurement: made,
        events: [event("e1", { type: "materials.stockpile.measured", assetId: undefined })],
      }));
      expect(stored).toEqual(made);
      expect(await stockpiles().findMeasurement(S1, made.id)).toEqual(made);
      expect(await stockpiles().find(S1)).toStrictEqual(
        stockpile("s1", {
          current_volume_m3: 523.599,
          current_sigma_m3: 3.74,
          volume_basis: "measured",
          measurement_id: made.id,
          last_measured: "2026-11-20T10:00:00.000Z",
          datum: { version: 1 },
        }),
      );
      expect(await current().store.events.after(0, { limit: 9 })).toMatchObject([
        { id: "e1", type: "materials.stockpile.measured" },
      ]);
    });

    it("the store of stockpiles stores the measurement of one job once, and does not compute it a second time", async () => {
      await insertAll(stockpile("s1"));
      await measure("m1");
      const again = await stockpiles().addMeasurement(S1, jobId("job-of-m1"), () => {
        throw new Error("asked a second time");
      });
      expect(again).toEqual(measurement("m1"));
      const attempts = [1, 2, 3].map((i) =>
        measure(`m2-${i}`, { job_id: jobId("j2"), current_volume_m3: i }),
      );
      const ids = new Set((await Promise.all(attempts)).map(({ id }) => id));
      expect(ids.size).toBe(1);
      expect((await stockpiles().measurements(S1, PAGE)).total).toBe(2);
    });

    it("the store of stockpiles stores nothing of a measurement that throws", async () => {
      await insertAll(stockpile("s1"));
      const refused = stockpiles().addMeasurement(S1, jobId("j1"), () => {
        throw new RangeError("no");
      });
      await expect(refused).rejects.toThrow(RangeError);
      expect(await stockpiles().find(S1)).toStrictEqual(stockpile("s1"));
      expect(await stockpiles().measurements(S1, PAGE)).toEqual({ measurements: [], total: 0 });
    });

    it("the store of stockpiles lists measurements latest first by their own time, then by the time they were stored", async () => {
      await insertAll(stockpile("s1"), stockpile("s2"));
      await measure("second");
      await measure("first", { measured_at: "2026-11-20T10:00:00.001Z" });
      await measure("last", { measured_at: "2026-11-19T10:00:00.000Z" });
      await measure("third", { recorded_at: "2026-11-20T10:04:00.000Z" });
      await measure("other", { stockpile_id: stockpileId("s2") });
      const ids = async (limit: number, offset: number) => {
        const { measurements, total } = await stockpiles().measurements(S1, { limit, offset });
        return [measurements.map(({ id }) => id), total];
      };
      expect(await ids(3, 0)).toEqual([["first", "second", "third"], 4]);
      expect(await ids(3, 3)).toEqual([["last"], 4]);
      expect(await stockpiles().findMeasurement(S1, measurementId("other"))).toBeUndefined();
    });

    it("forgets a deleted stockpile and its measurements, and keeps its id taken", async () => {
      await insertAll(stockpile("s1"), stockpile("s2"));
      await measure("m1");
      await measure("m2", { stockpile_id: stockpileId("s2") });
      await stockpiles().delete(S1);
      expect(await stockpiles().find(S1)).toBeUndefined();
      expect((await stockpiles().list({ offset: 0 })).stockpiles).toMatchObject([{ id: "s2" }]);
      expect((await stockpiles().measurements(S1, PAGE)).total).toBe(0);
      expect(await stockpiles().findMeasurement(S1, measurementId("m1"))).toBeUndefined();
      expect((await stockpiles().measurements(stockpileId("s2"), PAGE)).total).toBe(1);
      await expect(stockpiles().insert(stockpile("s1"))).rejects.toMatchObject({
        code: "ID_CONFLICT",
      });
    });

    it("the store of stockpiles answers STOCKPILE_NOT_FOUND where there is none, and to a measurement that ends too late", async () => {
      await insertAll(stockpile("s1"));
      await stockpiles().delete(S1);
      await expect(measure("m1")).rejects.toMatchObject(UNKNOWN);
      await expect(stockpiles().delete(S1)).rejects.toMatchObject(UNKNOWN);
      await expect(
        stockpiles().update(stockpileId("s2"), (before) => before),
      ).rejects.toMatchObject(UNKNOWN);
    });

    it("a stockpile keeps its project from being deleted", async () => {
      const { projects } = current().store;
      await insertAll(stockpile("s1"));
      await expect(projects.delete(projectId("p1"))).rejects.toMatchObject({
        code: "PROJECT_IN_USE",
        message: 'project "p1" has stockpiles',
      });
      await measure("m1");
      await stockpiles().delete(S1);
      await projects.delete(projectId("p1"));
      expect(await projects.list()).toEqual([]);
    });
  });
}
