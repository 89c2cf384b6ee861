import type { MaintenancePlan } from "../../domain/equipment/maintenance.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { PlanChange, PlanDirectory } from "../../ingest/directories/plan-directory.ts";
import { createPlanTimeline } from "../../ingest/directories/plan-timeline.ts";
import type {
  PlanScope,
  PlanVersion,
  ServiceRow,
} from "../../storage/ports/equipment/maintenance.ts";

/** A plan directory in memory for machines of one type, whose plans and services a test puts in by hand. */
export interface FixedPlans extends PlanDirectory {
  /** Ends the plan of that scope and begins the next; `undefined` removes it. */
  put(scope: PlanScope, plan: MaintenancePlan | undefined, atMs: number): void;
  serviced(service: Partial<ServiceRow> & Pick<ServiceRow, "assetId" | "item">): ServiceRow;
}

/** A directory without any maintenance plan. */
export const noPlans = (): PlanDirectory => fixedPlans();

/** Opens an empty directory; every asset is of type `assetType`. */
export function fixedPlans(assetType = "excavator"): FixedPlans {
  const timeline = createPlanTimeline();
  const open = new Map<string, PlanVersion>();
  const changes: PlanChange[] = [];
  let services: ServiceRow[] = [];
  let revision = 0;
  const subject = (assetId: AssetId, projectId: ProjectId) => ({ assetId, projectId, assetType });

  return {
    inForce: (assetId, projectId, atMs) =>
      timeline.isEmpty ? undefined : timeline.at(subject(assetId, projectId), atMs),
    changes: (assetId, projectId, fromMs, toMs) =>
      timeline.changes(subject(assetId, projectId), fromMs, toMs),
    ofScope: (scope, atMs) => timeline.ofScope(scope, atMs),
    get seen() {
      return { plans: revision, services: revision };
    },
    changesAfter: (seen) => changes.filter((change) => change.revision > seen),
    servicesAfter(seen) {
      services = services.filter((row) => row.revision > seen);
      return services;
    },
    refresh: () => Promise.resolve(),
    close: () => undefined,
    put(scope, plan, atMs) {
      const key = JSON.stringify(scope);
      const before = open.get(key);
      revision += 1;
      if (before !== undefined) timeline.apply([{ ...before, validToMs: atMs, revision }]);
      const version: PlanVersion = {
        scope,
        plan: plan && JSON.stringify(plan),
        validFromMs: atMs,
        validToMs: undefined,
        revision,
      };
      open.set(key, version);
      changes.push({ scope, atMs, revision });
      timeline.apply([version]);
    },
    serviced(service) {
      revision += 1;
      const row: ServiceRow = {
        id: `srv_${revision}`,
        projectId: "p1" as ProjectId,
        servicedAtMs: 0,
        recordedAtMs: 0,
        engineHours: undefined,
        hoursSource: undefined,
        odometerKm: undefined,
        note: undefined,
        ...service,
        revision,
      };
      services.push(row);
      return row;
    },
  };
}
