import type { components } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { type Outcome, outcomeOf } from "../../../api/outcome.ts";
import { type Tagged, tagged } from "../form/tagged.ts";

type Schemas = components["schemas"];
export type Plan = Schemas["StoredMaintenancePlan"];
export type NewPlan = Schemas["MaintenancePlan"];

/** The plan of a type of machine in a project; `plan` is absent where it has none. */
export interface TypePlan {
  readonly type: string;
  readonly plan: Tagged<Plan> | undefined;
}

const pathOf = (projectId: string, type: string) => ({ path: { project_id: projectId, type } });

export const readPlan = (projectId: string, type: string): Promise<Outcome<Tagged<Plan>>> =>
  outcomeOf<Plan, Tagged<Plan>>(
    api.GET("/api/v1/equipment/projects/{project_id}/maintenance-plans/{type}", {
      params: pathOf(projectId, type),
    }),
    tagged,
  );

/** The plans of some types; the API has no list of them. */
export async function readPlans(
  projectId: string,
  types: readonly string[],
): Promise<Outcome<readonly TypePlan[]>> {
  const plans: TypePlan[] = [];
  for (const type of types) {
    const outcome = await readPlan(projectId, type);
    if ("value" in outcome) plans.push({ type, plan: outcome.value });
    else if (outcome.failure.status === 404) plans.push({ type, plan: undefined });
    else return outcome;
  }
  return { value: plans };
}

/** @param etag Absent: there was no plan. 412: somebody else changed it since it was read. */
export const putPlan = (
  projectId: string,
  type: string,
  body: NewPlan,
  etag: string | undefined,
): Promise<Outcome<Plan>> =>
  outcomeOf<Plan>(
    api.PUT("/api/v1/equipment/projects/{project_id}/maintenance-plans/{type}", {
      params: {
        ...pathOf(projectId, type),
        ...(etag === undefined ? {} : { header: { "If-Match": etag } }),
      },
      body,
    }),
  );

/** 412: somebody else changed it since it was read. */
export const deletePlan = (
  projectId: string,
  type: string,
  etag: string,
): Promise<Outcome<unknown>> =>
  outcomeOf<unknown>(
    api.DELETE("/api/v1/equipment/projects/{project_id}/maintenance-plans/{type}", {
      params: { ...pathOf(projectId, type), header: { "If-Match": etag } },
    }),
  );
