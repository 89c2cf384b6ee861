import type { Location } from "../../../domain/geodesy.ts";
import type { Shift } from "../../../domain/project.ts";
import type { Random } from "../../randomness/random.ts";
import { createBays } from "../machines/bays.ts";
import { createDriver } from "../machines/driver.ts";
import { createDuty } from "../machines/duty.ts";
import { createEngine } from "../machines/engine.ts";
import { createMachine, type Machine } from "../machines/machine.ts";
import { FLEET_MIX, type MachineSpec } from "../machines/specs.ts";
import { type Calendar, createCalendar } from "../site/calendar.ts";
import { createFence, type Fence } from "../site/fences.ts";
import type { Point } from "../site/plane.ts";
import { createSite, type Site } from "../site/site.ts";

/** A project as the simulation needs it. */
export interface ProjectPlan {
  readonly id: string;
  readonly name: string;
  readonly location: Location;
  readonly timeZone: string;
  readonly shift: Shift;
}

/** A machine before it moves: what is registered in the API. */
export interface AssetPlan {
  readonly id: string;
  readonly name: string;
  readonly projectId: string;
  readonly spec: MachineSpec;
  /** Number among its kind on its site, from 0. */
  readonly index: number;
}

/** One machine of the running world. */
export interface WorldAsset {
  readonly plan: AssetPlan;
  readonly site: Site;
  readonly calendar: Calendar;
  readonly fences: readonly Fence[];
  readonly start: Point;
  readonly machine: Machine;
}

/** The ground of one project: what is there before anything moves. */
export interface Ground {
  readonly project: ProjectPlan;
  readonly site: Site;
  readonly fences: readonly Fence[];
}

export interface World {
  readonly grounds: readonly Ground[];
  readonly assets: readonly WorldAsset[];
}

/** Lists the machines of a fleet; ids depend on counts only, so that a second run finds the first's. */
export function planAssets(
  projectIds: readonly string[],
  assetCount: number,
): readonly AssetPlan[] {
  const counts = new Map<string, number>();
  return Array.from({ length: assetCount }, (_, i) => {
    const projectId = projectIds[i % projectIds.length] ?? "";
    const spec = FLEET_MIX[Math.floor(i / projectIds.length) % FLEET_MIX.length];
    if (spec === undefined) throw new RangeError("the fleet mix is empty");
    const key = `${projectId}/${spec.type}`;
    const index = counts.get(key) ?? 0;
    counts.set(key, index + 1);
    const number = String(index + 1).padStart(2, "0");
    return {
      id: `${projectId}-${spec.type.replace("_", "-")}-${number}`,
      name: `${spec.label} ${number}`,
      projectId,
      spec,
      index,
    };
  });
}

/** Draws the sites of the projects and, in turns, `fenceCount` fences on them. */
export function drawGrounds(
  random: Random,
  projects: readonly ProjectPlan[],
  fenceCount: number,
): readonly Ground[] {
  return projects.map((project, number) => {
    const sites = siteStream(random, number);
    const site = createSite(sites.fork("layout"), project.location);
    const fences = Array.from({ length: fenceCount }, (_, i) => i)
      .filter((i) => i % projects.length === number)
      .map((_, i) => createFence(sites.fork(`fence-${i}`), site, project.id, i));
    return { project, site, fences };
  });
}

/**
 * Puts the machines on the grounds at `startMs` (a whole second). Everything that follows is decided by
 * `random`: equal seeds, projects and starts give equal tracks, whatever is measured of them.
 */
export function createWorld(
  random: Random,
  grounds: readonly Ground[],
  assets: readonly AssetPlan[],
  startMs: number,
): World {
  const worldAssets: WorldAsset[] = [];
  for (const [number, { project, site, fences }] of grounds.entries()) {
    const sites = siteStream(random, number);
    const members = assets.filter((asset) => asset.projectId === project.id);
    const excavators = members.filter((asset) => asset.spec.type === "excavator").length;
    const bays = { load: createBays(excavators), batch: createBays(1) };
    for (const plan of members) {
      const draws = sites.fork(`${plan.spec.type}-${plan.index}`);
      const calendar = createCalendar(project.timeZone, project.shift);
      const start = site.stop(draws.pick(plan.spec.startPlaces), plan.spec.startSpot + plan.index);
      const driver = createDriver({
        site,
        random: draws.fork("plan"),
        index: plan.index,
        bays,
        duty: createDuty(draws.fork("duty"), calendar),
        limits: plan.spec.limits,
        start,
        startMs,
      });
      const engine = createEngine(draws.fork("engine"), plan.spec.engine);
      const machine = createMachine(plan.spec.plan(driver), engine, startMs);
      worldAssets.push({ plan, site, calendar, fences, start: start.point, machine });
    }
  }
  return { grounds, assets: worldAssets };
}

/** The stream of everything about one site. */
function siteStream(random: Random, number: number): Random {
  return random.fork(`site-${number + 1}`);
}
