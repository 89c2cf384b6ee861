import { batch } from "@preact/signals";
import type { components } from "../../client/index.ts";
import { api } from "../api/client.ts";
import type { Failure } from "../api/failure.ts";
import { outcomeOf } from "../api/outcome.ts";
import type { FenceGround } from "../map/drawing/draft.ts";
import { perSession } from "./per-session.ts";

/** A fence as the API has it; its client makes arrays of the pairs. */
export type Geofence = Omit<components["schemas"]["Geofence"], keyof FenceGround> & FenceGround;

const PAGE = 100;

/** Fences of the chosen project. */
export const fences = perSession<readonly Geofence[]>([]);

/** Whether they were ever read, and what the last read failed with. */
export const fencesState = perSession<Failure | "unread" | "read">("unread");

let reads = 0;

/** Reads them; a map without them is still a map, so a failure leaves what there was. */
export async function readFences(project: string | undefined): Promise<void> {
  reads += 1;
  const own = reads;
  const found: Geofence[] = [];
  for (;;) {
    const outcome = await outcomeOf(
      api.GET("/api/v1/equipment/geofences", {
        params: {
          query: {
            limit: PAGE,
            offset: found.length,
            ...(project === undefined ? {} : { project_id: project }),
          },
        },
      }),
    );
    if (own !== reads) return;
    if ("failure" in outcome) {
      fencesState.value = outcome.failure;
      return;
    }
    found.push(...outcome.value.data);
    if (!outcome.value.pagination.has_more) break;
  }
  batch(() => {
    fences.value = found;
    fencesState.value = "read";
  });
}
