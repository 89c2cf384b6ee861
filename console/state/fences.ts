import { signal } from "@preact/signals";
import { api } from "../api/client.ts";
import type { Fence } from "../map/features.ts";

const PAGE = 100;

/** Fences of the chosen project. */
export const fences = signal<readonly Fence[]>([]);

let reads = 0;

/** Reads them; a map without them is still a map, so a failure leaves what there was. */
export async function readFences(project: string | undefined): Promise<void> {
  reads += 1;
  const own = reads;
  const found: Fence[] = [];
  for (;;) {
    const { data } = await api
      .GET("/api/v1/equipment/geofences", {
        params: {
          query: {
            limit: PAGE,
            offset: found.length,
            ...(project === undefined ? {} : { project_id: project }),
          },
        },
      })
      .catch(() => ({ data: undefined }));
    if (data === undefined || own !== reads) return;
    found.push(...data.data);
    if (!data.pagination.has_more) break;
  }
  fences.value = found;
}
