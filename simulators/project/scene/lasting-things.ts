import type { PaintedSite } from "../../survey/scene/ground-paint.ts";
import { createContainers } from "../../survey/site/building.ts";
import type { Road } from "../../survey/site/slot.ts";
import { createTrees } from "../../survey/site/tree.ts";
import type { ProjectPlan } from "../plan/plan-project.ts";
import { ROAD_RIGHT_M, ZONES_WITHIN } from "../zone/catalogue.ts";
import { type Standing, standTrees } from "./machines.ts";

/** Site offices: beside the zones, metres. */
const OFFICES = { alongM: 4, rightM: -46, radiusM: 6 };
/** Free of trees about the offices and the zones, metres. */
const CLEAR_M = { offices: 4, zones: 3 };
const ROAD_WIDTH_M = 6;

/** What stands on the site from the first week to the last: trees and offices. */
export function lastingThings({ ground: { grid }, zones, random }: ProjectPlan, extentM: number) {
  const zoned = {
    centre: { eastM: 0, northM: 0 },
    azimuthRad: grid.azimuthRad,
    halfLengthM: ZONES_WITHIN.alongM + CLEAR_M.zones,
    halfWidthM: ZONES_WITHIN.rightM + CLEAR_M.zones,
  };
  const office = grid.toSite(OFFICES);
  const clearM = OFFICES.radiusM + CLEAR_M.offices;
  const trees = createTrees(zoned, extentM, haulRoad(grid, extentM), random.fork("trees"))
    .filter(
      ({ centre }) =>
        Math.hypot(centre.eastM - office.eastM, centre.northM - office.northM) > clearM,
    )
    .map((solid): Standing => ({ foot: solid.centre, solids: [solid] }));
  const slot = { centre: office, radiusM: OFFICES.radiusM };
  return [
    ...trees,
    { foot: office, solids: createContainers("offices", slot, random.fork("offices")) },
    ...standTrees(zones, grid, random.fork("trees-in-zones")),
  ];
}

/** The ground before work begins, as it is painted: the haul road, and yards about buildings to come. */
export function paintedSite(
  { ground, zones, options }: ProjectPlan,
  extentM: number,
): Omit<PaintedSite, "epoch"> {
  const { grid, tiltEast, tiltNorth, seed } = ground;
  return {
    ground: {
      ...{ tiltEast, tiltNorth, extentM },
      // Heights come from the project's own ground.
      ...{ undulationM: 0, roughnessM: 0, pads: [] },
      seed: seed + options.seed,
    },
    piles: [],
    road: haulRoad(grid, extentM),
    yards: zones
      .filter(({ plan }) => plan.work.kind === "building")
      .map(({ plan: { rect } }) => ({
        centre: grid.toSite(rect),
        radiusM: Math.hypot(rect.halfLengthM, rect.halfWidthM) + 0.5,
      })),
  };
}

/** It runs on beyond the ground on both sides. */
function haulRoad({ toSite }: ProjectPlan["ground"]["grid"], extentM: number): Road {
  const at = (alongM: number) => toSite({ alongM, rightM: ROAD_RIGHT_M });
  return { from: at(-1.5 * extentM), to: at(1.5 * extentM), widthM: ROAD_WIDTH_M };
}
