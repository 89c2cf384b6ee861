import { expect, test } from "vitest";
import { FenceTimeline } from "../../../ingest/geofence/fence-timeline.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { countOf } from "../../support/some-of.ts";
import {
  createOracle,
  type LatticeFence,
  type LatticePoint,
  latticeFence,
  toDegrees,
  UNITS_PER_DEG,
} from "./lattice.ts";
import { PROJECT } from "./site.ts";

const POINTS = countOf({ all: 1_000_000, some: 100_000 });
const REGION_FENCES = 12;
/** Half the width of a region, lattice units: about 3.5 km. */
const REGION = 2 ** 15;
/** Where the regions lie, degrees: ordinary places, the antimeridian, and beside both poles. */
const MIDDLES = [
  [10.25, 50.5],
  [-0.01, 0.01],
  [180, -17],
  [-180, 65.5],
  [179.99, 10],
  [-70, 89.9],
  [25, -89.9],
  [180, 89.95],
] as const;

const random = seededRandom(20_261_121);
const within = (span: number): number => Math.floor((random() * 2 - 1) * span);

const regions = MIDDLES.map(([lonDeg, latDeg], r) => {
  const middle = [Math.round(lonDeg * UNITS_PER_DEG), Math.round(latDeg * UNITS_PER_DEG)] as const;
  const fences = Array.from({ length: REGION_FENCES }, (_, k) =>
    latticeFence(`r${r}-${String(k).padStart(2, "0")}`, drawCorners(middle)),
  );
  return { middle, fences, isInside: createOracle(fences) };
});

/** A star of 3 to 14 corners; its edges often run along the lattice, so that points lie on them. */
function drawCorners([x0, y0]: LatticePoint): readonly LatticePoint[] {
  const count = 3 + Math.floor(random() * 12);
  const [cx, cy] = [x0 + within(REGION / 2), y0 + within(REGION / 2)];
  const grid = 2 ** Math.floor(random() * 10);
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * (i + 0.8 * random())) / count;
    const radius = REGION * (0.05 + 0.4 * random());
    const snap = (v: number): number => Math.round(v / grid) * grid;
    return [cx + snap(radius * Math.cos(angle)), cy + snap(radius * Math.sin(angle))] as const;
  });
}

/** Half of the points anywhere in the region, the others on corners, on edges, or one unit beside. */
function drawPoint([x0, y0]: LatticePoint, fences: readonly LatticeFence[]): LatticePoint {
  const kind = random();
  if (kind < 0.5) return [x0 + within(REGION), y0 + within(REGION)];
  const { corners } = fences[Math.floor(random() * fences.length)] ?? { corners: [] };
  const i = Math.floor(random() * corners.length);
  const [ax, ay] = corners[i] ?? [0, 0];
  const [bx, by] = corners[(i + 1) % corners.length] ?? [0, 0];
  if (kind < 0.6) return [ax, ay];
  // The lattice points of an edge lie at shares of its greatest common divisor.
  const steps = gcd(Math.abs(bx - ax), Math.abs(by - ay));
  const step = Math.floor(random() * (steps + 1));
  const on = [ax + ((bx - ax) / steps) * step, ay + ((by - ay) / steps) * step] as const;
  if (kind < 0.8) return on;
  return [on[0] + within(2), on[1] + within(2)];
}

const gcd = (a: number, b: number): number => (b === 0 ? Math.max(a, 1) : gcd(b, a % b));

test(`the index finds for ${POINTS.toLocaleString("en")} random and boundary points exactly the fences that hold them`, () => {
  const timeline = new FenceTimeline();
  timeline.apply(regions.flatMap(({ fences }) => fences.map(({ version }) => version)));
  let wrong = 0;
  let hits = 0;

  for (let n = 0; n < POINTS; n++) {
    const region = regions[n % regions.length];
    if (region === undefined) break;
    const point = drawPoint(region.middle, region.fences);
    const [lonDeg, latDeg] = toDegrees(point);
    const found = timeline.fencesHolding({ lonDeg, latDeg }, PROJECT, 0);
    let next = 0;
    for (let k = 0; k < REGION_FENCES; k++) {
      if (!region.isInside(point, k)) continue;
      hits += 1;
      if (found[next]?.geofenceId !== region.fences[k]?.id) wrong += 1;
      next += 1;
    }
    if (found.length !== next && wrong < POINTS) wrong += 1;
  }

  expect(wrong).toBe(0);
  // Of the points drawn about every second lies in one fence or more.
  expect(hits).toBeGreaterThan(POINTS / 2);
});
