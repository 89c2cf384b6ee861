import type { PlanDirectory } from "../../ingest/maintenance/plan-directory.ts";

/** A directory without any maintenance plan. */
export function noPlans(): PlanDirectory {
  return {
    inForce: () => undefined,
    changes: () => [],
    ofScope: () => undefined,
    seen: { plans: 0, services: 0 },
    changesAfter: () => [],
    servicesAfter: () => [],
    refresh: () => Promise.resolve(),
    close: () => undefined,
  };
}
