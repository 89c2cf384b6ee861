import { describe, expect, it } from "vitest";
import type {
  MaintenanceRecords,
  PlanScope,
  PlanVersion,
  ServiceRow,
} from "../../../storage/ports/equipment/maintenance.ts";
import { assetId, commit, NOON_MS, type OpenStore, projectId } from "./rows.ts";

const OF_ASSET: PlanScope = { assetId: assetId("a1") };
const OF_TYPE: PlanScope = { projectId: projectId("p1"), assetType: "wheel loader" };
const PAGE = { limit: 10, offset: 0 };

const service = (id: string, change: Partial<ServiceRow> = {}): Omit<ServiceRow, "revision"> => ({
  id,
  assetId: assetId("a1"),
  projectId: projectId("p1"),
  item: "oil",
  servicedAtMs: NOON_MS,
  recordedAtMs: NOON_MS + 60_000,
  engineHours: 1_234.5,
  hoursSource: "machine",
  odometerKm: 0.25,
  note: "Öl und Filter",
  ...change,
});

export function describeMaintenanceRecords(current: () => OpenStore): void {
  const maintenance = () => current().store.maintenance;

  /** As [scope, plan, start, end], from noon, by rising start. */
  async function intervals() {
    const { rows } = await maintenance().plansSince(0);
    return [...rows].sort((a, b) => a.validFromMs - b.validFromMs).map(interval);
  }
  const interval = ({ plan, validFromMs, validToMs }: PlanVersion) => [
    plan ?? "removed",
    validFromMs - NOON_MS,
    validToMs === undefined ? "in force" : validToMs - NOON_MS,
  ];

  describe("maintenance", () => {
    it("the store of maintenance keeps the text of a plan and whom it is for", async () => {
      const plan = JSON.stringify({ name: 'Öl "1"', nul: "\0" });
      await maintenance().putPlan(OF_ASSET, plan, NOON_MS);
      await maintenance().putPlan(OF_TYPE, "{}", NOON_MS + 1);
      expect(await maintenance().plansSince(0)).toStrictEqual({
        revision: 2,
        rows: [
          { scope: OF_ASSET, plan, validFromMs: NOON_MS, validToMs: undefined, revision: 1 },
          {
            scope: OF_TYPE,
            plan: "{}",
            validFromMs: NOON_MS + 1,
            validToMs: undefined,
            revision: 2,
          },
        ],
      });
    });

    it("the store of maintenance ends the plan in force and begins the next; a removed plan is one too", async () => {
      await maintenance().putPlan(OF_ASSET, "1", NOON_MS);
      await maintenance().putPlan(OF_ASSET, "2", NOON_MS + 10);
      await maintenance().putPlan(OF_ASSET, undefined, NOON_MS + 20);
      await maintenance().putPlan(OF_ASSET, "3", NOON_MS + 30);
      expect(await intervals()).toEqual([
        ["1", 0, 10],
        ["2", 10, 20],
        ["removed", 20, 30],
        ["3", 30, "in force"],
      ]);
    });

    it("the store of maintenance gives every version at least 1 ms: two changes in one ms, and a clock that went back", async () => {
      await maintenance().putPlan(OF_TYPE, "1", NOON_MS);
      await maintenance().putPlan(OF_TYPE, "2", NOON_MS);
      await maintenance().putPlan(OF_TYPE, "3", NOON_MS - 60_000);
      expect(await intervals()).toEqual([
        ["1", 0, 1],
        ["2", 1, 2],
        ["3", 2, "in force"],
      ]);
    });

    it("the store of maintenance changes nothing when the same plan is put again or none is removed", async () => {
      await maintenance().putPlan(OF_ASSET, undefined, NOON_MS);
      expect((await maintenance().plansSince(0)).rows).toEqual([]);
      await maintenance().putPlan(OF_ASSET, "1", NOON_MS);
      await maintenance().putPlan(OF_ASSET, "1", NOON_MS + 10);
      expect(await intervals()).toEqual([["1", 0, "in force"]]);
    });

    it("the store of maintenance keeps scopes apart", async () => {
      await maintenance().putPlan(OF_TYPE, "1", NOON_MS);
      const others: readonly PlanScope[] = [
        { projectId: projectId("p1"), assetType: "wheel" },
        { projectId: projectId("p2"), assetType: "wheel loader" },
        { assetId: assetId("p1") },
      ];
      for (const scope of others) await maintenance().putPlan(scope, "2", NOON_MS + 1);
      const { rows } = await maintenance().plansSince(0);
      expect(rows.map((row) => row.validToMs)).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
      expect(rows.map((row) => row.scope)).toEqual([OF_TYPE, ...others]);
    });

    it("a follower of maintenance gets every plan and service once, by rising revision", async () => {
      await maintenance().putPlan(OF_ASSET, "1", NOON_MS);
      const recorded = await maintenance().recordService(service("s1"));
      expect(recorded).toStrictEqual({ ...service("s1"), revision: recorded.revision });
      const plans = await maintenance().plansSince(0);
      const services = await maintenance().servicesSince(0);
      expect(services).toStrictEqual({ revision: recorded.revision, rows: [recorded] });
      await maintenance().putPlan(OF_ASSET, "2", NOON_MS + 10);
      const later = await maintenance().plansSince(plans.revision);
      expect(later.rows.map(interval)).toEqual([
        ["1", 0, 10],
        ["2", 10, "in force"],
      ]);
      expect(later.rows.map((row) => row.revision)).toEqual([
        recorded.revision + 1,
        recorded.revision + 2,
      ]);
      expect(await maintenance().servicesSince(services.revision)).toEqual({
        revision: services.revision,
        rows: [],
      });
    });

    it("the store of maintenance lists the services of an asset, newest first, by item and page", async () => {
      const bare = service("s2", {
        servicedAtMs: NOON_MS + 5,
        engineHours: undefined,
        hoursSource: undefined,
        odometerKm: undefined,
        note: undefined,
      });
      await maintenance().recordService(service("s1"));
      const second = await maintenance().recordService(bare);
      await maintenance().recordService(service("s3", { item: "filter" }));
      await maintenance().recordService(service("other", { assetId: assetId("a2") }));
      const list = async (page: Parameters<MaintenanceRecords["services"]>[1]) => {
        const { services, total } = await maintenance().services(assetId("a1"), page);
        return [total, ...services.map((row) => row.id)];
      };
      // Of one moment, the one recorded last comes first.
      expect(await list(PAGE)).toEqual([3, "s2", "s3", "s1"]);
      expect(await list({ ...PAGE, item: "oil" })).toEqual([2, "s2", "s1"]);
      expect(await list({ limit: 1, offset: 1 })).toEqual([3, "s3"]);
      expect(await list({ ...PAGE, isReversed: true })).toEqual([3, "s1", "s3", "s2"]);
      const { services } = await maintenance().services(assetId("a1"), { limit: 1, offset: 0 });
      expect(services).toStrictEqual([second]);
    });

    it("the store of maintenance sums the metres of all days of one asset", async () => {
      const day = (id: string, date: string, distanceM: number) => ({
        assetId: assetId(id),
        projectId: projectId("p1"),
        day: date,
        workingS: 0,
        overtimeS: 0,
        engineOnS: 0,
        distanceM,
      });
      expect(await maintenance().distanceM(assetId("a1"))).toBe(0);
      await current().store.pipeline.commit(
        commit(1, {
          days: [
            day("a1", "2026-11-19", 1_000.5),
            day("a1", "2026-11-20", 20),
            day("a2", "2026-11-20", 7),
          ],
        }),
      );
      expect(await maintenance().distanceM(assetId("a1"))).toBe(1_020.5);
    });
  });
}
