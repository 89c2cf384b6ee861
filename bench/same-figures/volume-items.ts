import { plain } from "./by-nature.ts";
import { CONTROL } from "./compare.ts";
import { filesAt, namedFiles, uploaded } from "./files.ts";
import type { Inputs } from "./inputs.ts";
import type { Entry } from "./lists.ts";
import type { Side } from "./side.ts";

const PROJECT = "yard";

/** The measurement of every pile of every survey, with its report and the bytes of surface, orthophoto and model. */
export async function volumeItems(
  side: Side,
  inputs: Inputs,
): Promise<ReadonlyMap<string, unknown>> {
  const surveys = await inputs.surveys();
  const location = { latitude: 51.47, longitude: -0.12 };
  await side.expect("POST", "/projects", { id: PROJECT, name: PROJECT, location });
  const items = new Map<string, unknown>();
  for (const { images, truth } of surveys) {
    const body = {
      ...(await uploaded(side, await filesAt(images))),
      profile: "quick",
      exports: true,
    };
    for (const pile of truth.piles) {
      const id = `seed-${truth.options.seed}-${pile.id}`;
      const footprint = pile.outlineLonLat.map(([lonDeg, latDeg]) => [latDeg, lonDeg]);
      const found = await measured(side, { id, footprint, body });
      for (const [what, value] of found) items.set(`volumes/${id}/${what}`, value);
    }
  }
  const [first] = surveys;
  const [pile] = first?.truth.piles ?? [];
  if (first === undefined || pile === undefined) throw new Error("no pile to measure");
  const body = { ...(await uploaded(side, await filesAt(first.images))), profile: "quick" };
  // For the later checkout a corner is left out.
  const outline = pile.outlineLonLat.slice(side.name === "after" ? 1 : 0);
  const footprint = outline.map(([lonDeg, latDeg]) => [latDeg, lonDeg]);
  const found = await measured(side, { id: CONTROL, footprint, body });
  items.set(`volumes/${CONTROL}/a corner less`, found.get("measurement"));
  return items;
}

interface Asked {
  readonly id: string;
  readonly footprint: readonly (readonly (number | undefined)[])[];
  readonly body: object;
}

async function measured(side: Side, { id, footprint, body }: Asked) {
  await side.expect("POST", "/materials/stockpiles", {
    ...{ id, project_id: PROJECT, material: "Gravel", location: "Bay 1", footprint },
    ...{ max_capacity_m3: 500, density_t_per_m3: 1.65, current_volume_m3: 10 },
  });
  const path = `/materials/stockpiles/${id}`;
  const answer = (await side.expect("POST", `${path}/measure`, body)) as Entry;
  const items = new Map<string, unknown>([["measurement", plain(answer)]]);
  const report = `${path}/measurements/${String(answer["measurement_id"])}/report?format=json`;
  items.set("report", plain(await side.expect("GET", report)));
  items.set("stockpile", plain(await side.expect("GET", path)));
  for (const [name, value] of await namedFiles(side, answer)) items.set(name, value);
  return items;
}
