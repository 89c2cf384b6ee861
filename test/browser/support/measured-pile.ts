import { createApiClient } from "../../support/api-client.ts";
import type { Served } from "./console-browser.ts";
import { heapSurface } from "./heap-surface.ts";

/** Ids of the project and of its measured stockpile. */
export const PILE = { project: "gravel-yard", id: "gravel" } as const;

/** Radius and height of the heap at its measurements, metres: the second one is larger. */
const HEAPS = [
  [9, 5],
  [10, 6],
] as const;

/** A project with a stockpile that was measured twice from given heights, and so two surveys, through the API. */
export async function makeMeasuredPile(served: Served): Promise<void> {
  const client = createApiClient(served.origin, served.key);
  await client.post("/projects", {
    ...{ id: PILE.project, name: "Gravel yard", time_zone: "Europe/Berlin" },
    location: { latitude: 52.52, longitude: 13.4 },
  });
  await client.post("/materials/stockpiles", {
    ...{ id: PILE.id, project_id: PILE.project, material: "Gravel 8/16", location: "Bay 1" },
    ...{ max_capacity_m3: 1_000, density_t_per_m3: 1.6 },
  });
  for (const [radiusM, heightM] of HEAPS) {
    await client.post(`/materials/stockpiles/${PILE.id}/measure`, {
      images: [await heapSurface(radiusM, heightM)],
    });
  }
}
