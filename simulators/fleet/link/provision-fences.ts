import { type Fence, fenceBody } from "../fences.ts";
import type { ApiClient } from "./api-client.ts";
import { refused } from "./provision.ts";

/**
 * Creates the fences, in force from `validFromMs` on. One that is there already, from an earlier run, is
 * given the outline of this one, from now on only: fixes of the past are judged by what it was then.
 * @throws SimulatorError when the service refuses.
 */
export async function provisionFences(
  api: ApiClient,
  fences: readonly Fence[],
  validFromMs: number,
): Promise<void> {
  for (const fence of fences) {
    const body = fenceBody(fence, validFromMs);
    let answer = await api.request("POST", "/equipment/geofences", body);
    if (answer.status === 409) {
      const path = `/equipment/geofences/${encodeURIComponent(fence.id)}`;
      const { name, polygon, alert_on } = body;
      answer = await api.request("PATCH", path, { name, polygon, alert_on });
    }
    if (answer.status !== 201 && answer.status !== 200) throw refused(`fence ${fence.id}`, answer);
  }
}
