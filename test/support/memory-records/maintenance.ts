import type {
  MaintenanceRecords,
  PlanScope,
} from "../../../storage/ports/equipment/maintenance.ts";
import { changesAfter, type MemoryRows, newestRevision, pageOfRows } from "./rows.ts";

/** Maintenance plans and recorded services in memory. */
export function createMemoryMaintenance({ plans, services, days }: MemoryRows): MaintenanceRecords {
  const nextRevision = () => Math.max(newestRevision(plans), newestRevision(services)) + 1;

  return {
    async putPlan(scope, plan, atMs, check) {
      const i = plans.findIndex((row) => row.validToMs === undefined && isSame(row.scope, scope));
      const before = plans[i];
      const held = before?.plan;
      check?.(before && held !== undefined ? { ...before, plan: held } : undefined);
      if (held === plan) return;
      let validFromMs = atMs;
      if (before !== undefined) {
        validFromMs = Math.max(atMs, before.validFromMs + 1);
        plans[i] = { ...before, validToMs: validFromMs, revision: nextRevision() };
      }
      plans.push({ scope, plan, validFromMs, validToMs: undefined, revision: nextRevision() });
    },
    plansSince: async (revision) => changesAfter(plans, revision),
    async recordService(service) {
      const row = { ...service, revision: nextRevision() };
      services.push(row);
      return row;
    },
    async services(assetId, { item, ...page }) {
      const all = services
        .filter((row) => row.assetId === assetId && (item === undefined || row.item === item))
        .sort((a, b) => b.servicedAtMs - a.servicedAtMs || b.revision - a.revision);
      return { services: pageOfRows(all, page), total: all.length };
    },
    servicesSince: async (revision) => changesAfter(services, revision),
    distanceM: async (assetId) =>
      days.filter((day) => day.assetId === assetId).reduce((sum, day) => sum + day.distanceM, 0),
  };
}

function isSame(a: PlanScope, b: PlanScope): boolean {
  if ("assetId" in a) return "assetId" in b && a.assetId === b.assetId;
  return "projectId" in b && a.projectId === b.projectId && a.assetType === b.assetType;
}
