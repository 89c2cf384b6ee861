import type { Random } from "../randomness/random.ts";
import type { FleetOptions } from "./options.ts";
import type { ProjectPlan } from "./world/world.ts";

/** The projects of a run as they are to be created; each has a site of its own, a few km apart. */
export function planProjects(random: Random, options: FleetOptions): readonly ProjectPlan[] {
  return Array.from({ length: options.projects }, (_, i) => {
    const draws = random.fork(`place-${i + 1}`);
    return {
      id: i === 0 ? options.projectId : `${options.projectId}-${i + 1}`,
      name: `Simulated site ${i + 1}`,
      // Open country between the Main and the Baltic; any place away from the antimeridian would do.
      location: {
        latitude: round(draws.uniform(50, 53.5)),
        longitude: round(draws.uniform(9, 13)),
      },
      timeZone: options.timeZone,
      shift: options.shift,
    };
  });
}

function round(deg: number): number {
  return Math.round(deg * 1e5) / 1e5;
}
