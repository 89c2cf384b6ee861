import type { HeightField } from "../photogrammetry/ortho/depth-buffer.ts";
import { regionsOf } from "./cell-mask.ts";
import { coarser } from "./coarser-surface.ts";
import { type FootprintCells, footprintCells, heldBy } from "./footprint-cells.ts";
import { groundAround } from "./ground-around.ts";
import type { FootprintShift } from "./place-footprint.ts";
import type { PlanPolygon } from "./polygon-weights.ts";

/** Cell in which heights are compared, metres, at least. Chosen: the place is found again more closely. */
const CELL_M = 0.5;
/** Farthest shift that is tried, in standard deviations. */
const REACH_SIGMAS = 3;
/** Height from which on cells are of one heap with those beside them, metres. Chosen. */
const HEAP_M = 0.1;
/** Heaps of so many times the largest footprint are no stockpile: buildings, embankments. Chosen. */
const MOST_AREAS = 3;
/** Footprints that leave out this share of what the best place holds are 1 / e as likely. Chosen. */
const SLACK = 0.02;
/** Footprints that leave out no more than this share stay where they were drawn. Chosen. */
const HELD_ALL = 0.001;

/**
 * Finds where all footprints of a site lie in a survey whose positions drifted by many metres: such a survey is off
 * as a whole, so that they are moved together, to where they hold most of the heaps and the rings around them are
 * free. A heap alone may be mistaken for another; several have the footprints' own pattern.
 * @param sigmaM one standard deviation of the survey's place by axis
 */
export function placeTogether(
  surface: HeightField,
  polygons: readonly PlanPolygon[],
  sigmaM: number,
): FootprintShift {
  const field = coarser(surface, CELL_M);
  const ground = groundAround(field);
  if (ground === undefined) return [0, 0];
  const footprints = polygons.map((polygon) => footprintCells(field, polygon));
  const above = heaps(
    field.elevationM.map((z, cell) => Math.max(0, z - (ground.heightM[cell] ?? Number.NaN) || 0)),
    field,
    footprints,
  );
  const reach = Math.ceil((REACH_SIGMAS * sigmaM) / field.cellM);
  const tried: { readonly shift: FootprintShift; readonly held: number }[] = [];
  for (let down = -reach; down <= reach; down += 1) {
    for (let right = -reach; right <= reach; right += 1) {
      const held = footprints.reduce(
        (sum, footprint) => sum + heldBy(above, field, footprint, down, right),
        0,
      );
      tried.push({ shift: [right * field.cellM, 0 - down * field.cellM], held });
    }
  }
  const most = tried.reduce((best, { held }) => Math.max(best, held), 0);
  const asDrawn = footprints.reduce((all, one) => all + heldBy(above, field, one, 0, 0), 0);
  if (most === 0 || asDrawn >= (1 - HELD_ALL) * most) return [0, 0];
  let [east, north, sum] = [0, 0, 0];
  for (const { shift, held } of tried) {
    const [eastM, northM] = shift;
    const weight = Math.exp(
      (held - most) / (SLACK * most) - (eastM ** 2 + northM ** 2) / (2 * sigmaM ** 2),
    );
    east += weight * eastM;
    north += weight * northM;
    sum += weight;
  }
  return [east / sum, north / sum];
}

/** Heights above the ground of what may be a stockpile. */
function heaps(
  above: Float32Array,
  { width, height, cellM }: HeightField,
  footprints: readonly FootprintCells[],
): Float32Array {
  const mostCells =
    (MOST_AREAS * footprints.reduce((most, { areaM2 }) => Math.max(most, areaM2), 0)) / cellM ** 2;
  const kept = new Float32Array(width * height);
  const cells = Uint8Array.from(above, (h) => (h > HEAP_M ? 1 : 0));
  for (const heap of regionsOf({ width, height, cells })) {
    if (heap.length > mostCells) continue;
    for (const cell of heap) kept[cell] = above[cell] ?? 0;
  }
  return kept;
}
