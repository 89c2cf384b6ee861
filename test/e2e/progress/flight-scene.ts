import type { Client } from "../../support/answer-client.ts";
import { readTruthRaster, type SurveySet } from "../../support/survey-sets.ts";
import { made } from "./site-service.ts";

/** Planned top of the fill, metres above the ground, and tops of levels. Chosen. */
const FILL_M = 3;
const LEVELS_M = [0.5, 1.5, 3] as const;

/**
 * A project on the ground of a simulated survey: a zone to be filled where its first heap lies, one of levels
 * where its second one does, and one that no picture shows. Baselines are the true ground.
 */
export async function createFlightProject(
  client: Client,
  set: SurveySet,
  id: string,
): Promise<void> {
  const { origin, piles } = set.truth;
  await made(
    client.post("/projects", {
      id,
      name: `Project ${id}`,
      location: { latitude: origin.latDeg, longitude: origin.lonDeg },
      planned_start: "2025-01-05",
      planned_finish: "2025-12-18",
    }),
  );
  const [first, second] = piles;
  if (first === undefined || second === undefined) throw new Error("the survey lacks heaps");
  const ground = await readTruthRaster(set, "groundEnu");
  const groundAt = ([east, north]: readonly [number, number]): number => {
    const column = Math.round((east - ground.westM) / ground.cellM - 0.5);
    const row = Math.round((ground.northM - north) / ground.cellM - 0.5);
    return origin.heightM + (ground.elevationM[row * ground.width + column] ?? Number.NaN);
  };
  const zone = (name: string, body: object) =>
    made(client.post("/progress/zones", { id: `${id}-${name}`, project_id: id, name, ...body }));
  const surface = (name: string, of: "baseline" | "design", body: object) =>
    made(client.send("PUT", `/progress/zones/${id}-${name}/surfaces/${of}`, body));
  const polygonOf = ({ outlineLonLat }: typeof first) =>
    outlineLonLat.map(([lng, lat]) => [lat, lng]);
  await zone("fill", { polygon: polygonOf(first), metric: { kind: "fill" }, weight: 2 });
  await surface("fill", "baseline", { height_m: groundAt(first.centre), reference: "survey" });
  await surface("fill", "design", { height_m: FILL_M, reference: "baseline" });
  await zone("levels", {
    polygon: polygonOf(second),
    metric: {
      kind: "height",
      levels: LEVELS_M.map((top_m, i) => ({ name: `Level ${i + 1}`, top_m, weight: 1 })),
    },
    weight: 3,
  });
  await surface("levels", "baseline", { height_m: groundAt(second.centre), reference: "survey" });
  await zone("office", { metric: { kind: "manual" }, declared_progress: 25, weight: 1 });
}
