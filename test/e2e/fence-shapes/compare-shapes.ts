import type { LonLat } from "../../../domain/geometry/geofence.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { circleTrial, corridorTrial, type ShapeTrial } from "../../support/shape-truth.ts";

/** Corners of the polygons that circles are compared with: off by 5e-8 of the radius. */
const DENSE_CORNERS = 10_000;

const circle = (lonDeg: number, latDeg: number, radius_m: number) =>
  ({ type: "circle", centre: [lonDeg, latDeg], radius_m }) as const;
const corridor = (width_m: number, ...line: readonly LonLat[]) =>
  ({ type: "corridor", line, width_m }) as const;

const CIRCLES = [
  [circle(13.4, 52.5, 10), 0.02],
  [circle(13.4, 52.5, 200), 0.02],
  [circle(180, 0, 1_000), 0.02],
  [circle(-179.98, -17, 10_000), 0.055],
  [circle(20, 89.99, 300), 0.02],
] as const;

/** Compares the side on which points lie by the outlines of all shapes with the true side. */
export function compareShapes(
  points: number,
  seed: number,
  say: (line: string) => void,
): readonly (readonly [string, boolean])[] {
  const random = seededRandom(seed);
  const corridors = makeCorridors(random);
  const each = Math.ceil(points / (CIRCLES.length + corridors.length));
  const expectations: (readonly [string, boolean])[] = [];
  let compared = 0;
  let differing = 0;
  const take = (name: string, trial: ShapeTrial, toleranceM: number) => {
    compared += trial.points;
    differing += trial.differing;
    say(
      `${name}: ${trial.corners} corners, ${trial.points} points, ${trial.inside} inside, ${trial.differing} on the other side, the farthest ${(trial.farthestM * 1_000).toFixed(1)} mm from the edge`,
    );
    expectations.push([
      `${name}: only points within ${toleranceM * 1_000} mm of the edge are on the other side`,
      trial.farthestM <= toleranceM && trial.inside > trial.points / 10,
    ]);
  };
  for (const [drawn, toleranceM] of CIRCLES) {
    const name = `circle of ${drawn.radius_m} m at ${drawn.centre}`;
    take(name, circleTrial(drawn, each, random, DENSE_CORNERS), toleranceM);
  }
  for (const [name, drawn] of corridors) take(name, corridorTrial(drawn, each, random), 0.05);
  say(`${compared} points, ${differing} on the other side`);
  return expectations;
}

function makeCorridors(random: () => number) {
  const walk = (count: number, stepDeg: number): readonly LonLat[] => {
    const line: LonLat[] = [[13, 52]];
    let heading = 0;
    for (let i = 1; i < count; i += 1) {
      const [lonDeg, latDeg] = line[i - 1] ?? [13, 52];
      heading += (random() - 0.5) * 0.8 - heading * 0.1;
      line.push([lonDeg + stepDeg * Math.cos(heading), latDeg + stepDeg * Math.sin(heading) * 0.6]);
    }
    return line;
  };
  return [
    ["straight road of 12 m", corridor(12, [13.4, 52.5], [13.41, 52.5])],
    ["winding haul road of 10 m, 60 points", corridor(10, ...walk(60, 4e-4))],
    ["track of 150 fixes, 8 m", corridor(8, ...walk(150, 1e-4))],
    ["valley of 300 m", corridor(300, ...walk(30, 2e-3))],
    ["over the antimeridian", corridor(20, [179.99, -17], [-179.99, -17.01], [-179.98, -17])],
    ["80 km from west to east", corridor(30, [13, 52.5], [14.2, 52.5])],
    [
      "crossing itself without a gap",
      corridor(200, [13, 52], [13.001, 52], [13.0005, 52.0005], [13.0005, 51.9995]),
    ],
  ] as const;
}
