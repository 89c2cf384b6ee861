import type { Tick } from "../../simulators/fleet/machines/machine.ts";
import {
  createWorld,
  drawGrounds,
  planAssets,
  type World,
} from "../../simulators/fleet/world/world.ts";
import { createRandom } from "../../simulators/randomness/random.ts";

/** Monday 2026-03-02 06:00:00 UTC. */
export const START_MS = Date.UTC(2026, 2, 2, 6);

/** A one-site world in the time zone UTC, with a shift. */
export function buildWorld(
  seed: number,
  assetCount: number,
  {
    fences = 6,
    shift = { start: "00:00", end: "24:00" },
    startMs = START_MS,
  }: { fences?: number; shift?: { start: string; end: string }; startMs?: number } = {},
): World {
  const project = {
    id: "site",
    name: "Site",
    location: { latitude: 52, longitude: 10 },
    timeZone: "UTC",
    shift,
  };
  const random = createRandom(`test-${seed}`);
  const grounds = drawGrounds(random, [project], fences);
  return createWorld(random, grounds, planAssets(["site"], assetCount), startMs);
}

/** Lets the whole world live for `seconds`; `visit` sees every machine's every second. */
export function live(
  world: World,
  seconds: number,
  visit: (tick: Tick, asset: World["assets"][number], index: number) => void,
  startMs = START_MS,
): void {
  for (let second = 1; second <= seconds; second += 1) {
    for (const [index, asset] of world.assets.entries()) {
      visit(asset.machine.step(startMs + second * 1_000), asset, index);
    }
  }
}
