import { HOUR_MS } from "../../domain/time.ts";
import { AssetRun } from "../../simulators/fleet/asset-run.ts";
import { plumbline } from "../../simulators/fleet/formats/plumbline.ts";
import { FLEET_DEFAULTS, fencesFrom } from "../../simulators/fleet/options.ts";
import { planProjects } from "../../simulators/fleet/plan-fleet.ts";
import { fenceBody } from "../../simulators/fleet/site/fences.ts";
import { createWorld, drawGrounds, planAssets } from "../../simulators/fleet/world/world.ts";
import { createRandom } from "../../simulators/randomness/random.ts";
import { CLOCK_START_MS } from "./by-nature.ts";

/** What a simulated fleet asks of a service, and every message that its devices send, in order. */
export interface FleetMessages {
  readonly project: { readonly id: string; readonly [field: string]: unknown };
  readonly fences: readonly object[];
  readonly assets: readonly { readonly id: string; readonly type: string }[];
  readonly messages: readonly { readonly assetId: string; readonly payload: string }[];
}

/** A Wednesday morning, the day before the clock of the services begins. */
export const FLEET_START_MS = Date.UTC(2026, 11, 23, 7);
const FLEET = {
  ...{ ...FLEET_DEFAULTS, url: "", key: "", seed: 18, startMs: FLEET_START_MS },
  // Late, doubled, shuffled and impossible messages too.
  ...{ assets: 4, fences: 8, rate: 0.1, hours: 0.75, outliers: true, backlog: true },
};

/** Lives the fleet without a service; the same at every call. */
export function fleetMessages(): FleetMessages {
  const random = createRandom(`fleet-${FLEET.seed}`);
  const projects = planProjects(random, FLEET);
  const [project] = projects;
  if (project === undefined) throw new Error("a fleet without a project");
  const plans = planAssets([project.id], FLEET.assets);
  const grounds = drawGrounds(random, projects, FLEET.fences);
  const runs = createWorld(random, grounds, plans, FLEET_START_MS).assets.map(
    (asset) =>
      new AssetRun({
        ...{ asset, format: plumbline, limits: FLEET, startMs: FLEET_START_MS, keepAll: true },
        random: random.fork(asset.plan.id),
        track: undefined,
      }),
  );
  const endMs = FLEET_START_MS + FLEET.hours * HOUR_MS;
  const messages: { readonly assetId: string; readonly payload: string }[] = [];
  for (let atMs = FLEET_START_MS + 1_000; atMs <= endMs; atMs += 1_000) {
    for (const due of runs.flatMap((run) => run.step(atMs))) {
      for (const { payload } of due.messages) messages.push({ assetId: due.asset.id, payload });
    }
  }
  for (const run of runs) {
    for (const { payload } of run.finish(endMs)) messages.push({ assetId: run.id, payload });
  }
  const { id, name, location, timeZone, shift } = project;
  const fencesFromMs = fencesFrom(FLEET_START_MS, CLOCK_START_MS);
  return {
    project: { id, name, location, time_zone: timeZone, shift },
    fences: grounds.flatMap(({ fences }) => fences.map((one) => fenceBody(one, fencesFromMs))),
    assets: plans.map((plan) => ({ id: plan.id, type: plan.spec.type })),
    messages,
  };
}
