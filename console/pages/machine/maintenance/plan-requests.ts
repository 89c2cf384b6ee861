import type { components } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { type Outcome, outcomeOf } from "../../../api/outcome.ts";
import { type Tagged, tagged } from "../../settings/form/tagged.ts";

type Schemas = components["schemas"];
/** The plan that holds for a machine, and whether it is its own. */
export type MachinePlan = Schemas["AssetMaintenancePlan"];

/** `plan` is absent where neither the machine nor its type has one. */
export interface HeldPlan {
  readonly plan: Tagged<MachinePlan> | undefined;
}

const PATH = "/api/v1/equipment/assets/{asset_id}/maintenance-plan";

export const readMachinePlan = (assetId: string): Promise<Outcome<Tagged<MachinePlan>>> =>
  outcomeOf<MachinePlan, Tagged<MachinePlan>>(
    api.GET(PATH, { params: { path: { asset_id: assetId } } }),
    tagged,
  );

export async function readHeldPlan(assetId: string): Promise<Outcome<HeldPlan>> {
  const outcome = await readMachinePlan(assetId);
  if ("value" in outcome) return { value: { plan: outcome.value } };
  return outcome.failure.status === 404 ? { value: { plan: undefined } } : outcome;
}

/** @param etag Of its own plan; absent: it had none. 412: somebody else changed it since it was read. */
export const putMachinePlan = (
  assetId: string,
  body: Schemas["MaintenancePlan"],
  etag: string | undefined,
): Promise<Outcome<unknown>> =>
  outcomeOf<unknown>(
    api.PUT(PATH, {
      params: {
        path: { asset_id: assetId },
        ...(etag === undefined ? {} : { header: { "If-Match": etag } }),
      },
      body,
    }),
  );

/** 412: somebody else changed it since it was read. */
export const deleteMachinePlan = (assetId: string, etag: string): Promise<Outcome<unknown>> =>
  outcomeOf<unknown>(
    api.DELETE(PATH, { params: { path: { asset_id: assetId }, header: { "If-Match": etag } } }),
  );
