import { type Fence, fenceBody } from "../site/fences.ts";
import type { ApiClient } from "./api-client.ts";
import { refused } from "./provision.ts";

/**
 * Creates the fences, in force from `validFromMs` on. One that is there already, from an earlier run, is
 * given the outline of this one, from now on only. Fixes of the past are evaluated by what it was then.
 * @throws SimulatorError when the service refuses.
 */
export async function provisionFences(
  api: ApiClient,
  fences: readonly Fence[],
  validFromMs: number,
): Promise<void> {
  for (const fence of fences) {
    const body = fenceBody(fence, validFromMs);
    const { name, polygon, alert_on } = body;
    const path = `/equipment/geofences/${encodeURIComponent(fence.id)}`;
    // First the change: to a fence with an id that is taken the service answers 400, as to any wrong one.
    let answer = await api.request("PATCH", path, { name, polygon, alert_on });
    if (answer.status === 404) answer = await api.request("POST", "/equipment/geofences", body);
    if (answer.status !== 201 && answer.status !== 200) throw refused(`fence ${fence.id}`, answer);
  }
}
