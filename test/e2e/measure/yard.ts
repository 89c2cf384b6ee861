import type { Client } from "../../support/answer-client.ts";
import type { SurveySet } from "../../support/survey-sets.ts";

/** Puts a stockpile onto the site: the footprint of a simulated pile, or none. */
export async function createStockpile(
  client: Client,
  id: string,
  pile?: SurveySet["truth"]["piles"][number],
): Promise<string> {
  const { status, body } = await client.post("/materials/stockpiles", {
    id,
    project_id: "yard",
    material: pile?.material ?? "gravel",
    location: `Place of ${id}`,
    max_capacity_m3: 500,
    density_t_per_m3: 1.8,
    current_volume_m3: 10.5,
    ...(pile === undefined
      ? {}
      : { footprint: pile.outlineLonLat.map(([lonDeg, latDeg]) => [latDeg, lonDeg]) }),
  });
  if (status !== 201)
    throw new Error(`a stockpile was answered ${status}: ${JSON.stringify(body)}`);
  return id;
}

/** A project for stockpiles and machines. */
export async function createYard(client: Client): Promise<void> {
  const location = { latitude: 51.5, longitude: -0.12 };
  const { status } = await client.post("/projects", { id: "yard", name: "Yard", location });
  if (status !== 201) throw new Error(`a project was answered ${status}`);
}
