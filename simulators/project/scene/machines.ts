import type { Random } from "../../randomness/random.ts";
import { alongAndRight, type Place } from "../../survey/coordinates/place.ts";
import type { Solid } from "../../survey/site/solid.ts";
import { createTree } from "../../survey/site/tree.ts";
import { createVehicle, type VehicleKind } from "../../survey/site/vehicle.ts";
import type { ProjectPlan } from "../plan/plan-project.ts";
import { ROAD_RIGHT_M } from "../zone/catalogue.ts";
import type { ProjectZone } from "../zone/project-zone.ts";
import type { GridPoint, SiteGrid } from "../zone/site-grid.ts";

/** A solid with heights above the ground at its foot. */
export interface Standing {
  readonly foot: Place;
  readonly solids: readonly Solid[];
}

/** Fills this large have a machine of their own on them, half length in metres. */
const LARGE_M = 14;
/** Machines whose middles are this near would stand in each other, metres. */
const APART_M = 9;
/** Share of the weeks in which it is left there. */
const LEFT_SHARE = 0.3;
/** Share of the weeks in which a parked one is away. */
const AWAY_SHARE = 0.25;
/** Places in an occluded zone: share of its half length and half width. */
const PARKED = [
  [-0.45, 0.4],
  [0.4, -0.2],
] as const;
const TREES = [
  [0.95, -0.8],
  [0.2, -0.98],
  [-0.9, -0.75],
] as const;

/** Machines of a week: beside the zones in work, on large fills, parked in the occluded one. */
export function standMachines(plan: ProjectPlan, week: number): Standing[] {
  const { zones, ground, random } = plan;
  const { grid } = ground;
  const drawn = random.fork(`machines-${week}`);
  const standing: Standing[] = [];
  const put = (kind: VehicleKind, owner: string, at: GridPoint, azimuthRad: number) => {
    const foot = grid.toSite(at);
    const isTaken = standing.some(
      (other) =>
        Math.hypot(other.foot.eastM - foot.eastM, other.foot.northM - foot.northM) < APART_M,
    );
    if (isTaken) return;
    const solids = createVehicle(kind, owner, foot, azimuthRad, drawn.fork(owner));
    standing.push({ foot, solids });
  };
  for (const zone of zones) {
    const { rect, isOccluded, code } = zone.plan;
    const own = drawn.fork(code);
    const done = zone.doneAt(week);
    if (isOccluded && week > 1) {
      for (const [k, [along, right]] of PARKED.entries()) {
        if (own.chance(AWAY_SHARE)) continue;
        const at = {
          alongM: rect.alongM + along * rect.halfLengthM + own.uniform(-1, 1),
          rightM: rect.rightM + right * rect.halfWidthM + own.uniform(-1, 1),
        };
        put("truck", `parked-${k + 1}`, at, grid.azimuthRad + own.uniform(-0.4, 0.4));
      }
    }
    if (done <= 0 || done >= 1) continue;
    // The aisle at a short side of the zone, two metres off it.
    const end = own.chance(0.5) ? 1 : -1;
    const besideM = {
      alongM: rect.alongM + end * (rect.halfLengthM + 2),
      rightM: rect.rightM + own.uniform(-0.4, 0.4) * rect.halfWidthM,
    };
    put("truck", `truck-${code}`, besideM, grid.azimuthRad + Math.PI / 2);
    if (
      zone.plan.work.kind === "fill" &&
      own.chance(LEFT_SHARE) &&
      Math.min(rect.halfLengthM, 2 * rect.halfWidthM) >= LARGE_M
    ) {
      const at = {
        alongM: rect.alongM + own.uniform(-0.5, 0.5) * rect.halfLengthM,
        rightM: rect.rightM + own.uniform(-0.3, 0.3) * rect.halfWidthM,
      };
      put("excavator", `excavator-${code}`, at, own.uniform(0, 2 * Math.PI));
    }
  }
  // Traffic that turns beside the haul road, off its new surface.
  const at = { alongM: drawn.uniform(-38, 38), rightM: ROAD_RIGHT_M - 3.4 };
  put("van", "van-road", at, grid.azimuthRad + (drawn.chance(0.5) ? 0 : Math.PI));
  return standing;
}

/** Trees at the edges of occluded zones: they were there before, and their crowns hang over. */
export function standTrees(
  zones: readonly ProjectZone[],
  grid: SiteGrid,
  random: Random,
): Standing[] {
  return zones
    .filter(({ plan }) => plan.isOccluded)
    .flatMap(({ plan: { rect, code } }) =>
      TREES.map(([along, right], k): Standing => {
        const foot = grid.toSite({
          alongM: rect.alongM + along * rect.halfLengthM,
          rightM: rect.rightM + right * rect.halfWidthM,
        });
        const owner = `tree-${code}-${k + 1}`;
        return { foot, solids: createTree(owner, foot.eastM, foot.northM, random.fork(owner)) };
      }),
    );
}

/** A vehicle that passes a camera, `aheadM` before it. */
export function passingMachine(
  from: Place,
  azimuthRad: number,
  aheadM: number,
  random: Random,
): Standing {
  const foot = alongAndRight(from, azimuthRad, aheadM, random.uniform(-0.25, 0.25) * aheadM);
  const kind = random.pick(["truck", "van", "excavator"] as const);
  const heading = azimuthRad + random.uniform(-0.6, 0.6) + Math.PI / 2;
  return { foot, solids: createVehicle(kind, "passing", foot, heading, random) };
}
