import { AssetRun } from "../../../../simulators/fleet/asset-run.ts";
import type { Measurement } from "../../../../simulators/fleet/device/measurement.ts";
import { plumbline } from "../../../../simulators/fleet/formats/plumbline.ts";
import type { FleetOptions } from "../../../../simulators/fleet/options.ts";
import { planProjects } from "../../../../simulators/fleet/plan-fleet.ts";
import { measureLabel } from "../../../../simulators/fleet/setup.ts";
import { createWorld, drawGrounds, planAssets } from "../../../../simulators/fleet/world/world.ts";
import { createRandom } from "../../../../simulators/randomness/random.ts";

/**
 * What every device of a run measures, by the id of its asset, in the order of its readings: the same
 * world once more without a service. Seed, start and options decide it, whatever the devices speak.
 */
export function measuredIn(
  options: FleetOptions & { readonly startMs: number },
): ReadonlyMap<string, readonly Measurement[]> {
  const { seed, startMs, hours } = options;
  const random = createRandom(`fleet-${seed}`);
  const projects = planProjects(random, options);
  const plans = planAssets(
    projects.map(({ id }) => id),
    options.assets,
  );
  const world = createWorld(random, drawGrounds(random, projects, options.fences), plans, startMs);
  const measured = new Map<string, readonly Measurement[]>();
  const runs = world.assets.map((asset) => {
    const { id } = asset.plan;
    const kept: Measurement[] = [];
    measured.set(id, kept);
    const encode = (m: Measurement) => {
      kept.push(m);
      return "";
    };
    return new AssetRun({
      asset,
      format: { ...plumbline, encode },
      random: random.fork(measureLabel(id, options.projectId)),
      limits: options,
      startMs,
      keepAll: true,
      track: undefined,
    });
  });
  const endMs = startMs + Math.round(hours * 3_600) * 1_000;
  for (let atMs = startMs + 1_000; atMs <= endMs; atMs += 1_000) {
    for (const run of runs) run.step(atMs);
  }
  return measured;
}
