import { expect, it } from "vitest";
import { compose, rotationFromVector } from "../../../../processing/geometry/rotation.ts";
import {
  JACOBIAN_LENGTH,
  linearise,
} from "../../../../processing/photogrammetry/bundle/observation-jacobian.ts";
import { seededRandom } from "../../../support/seeded-random.ts";
import { picture, type Triple } from "../../../support/survey-network.ts";

const STEP = 1e-6;

/** Pixel by the test network's own formula, at unknowns (rotation, centre, lens) moved by `delta`. */
function pixelAt(
  rotation: Float64Array,
  centre: Triple,
  lens: readonly number[],
  point: Triple,
  delta: readonly number[],
): readonly [number, number] {
  const [wx = 0, wy = 0, wz = 0, x = 0, y = 0, z = 0, ...moves] = delta;
  const r = compose(rotationFromVector([wx, wy, wz]), rotation);
  const row = (i: number): Triple => [r[i * 3] ?? 0, r[i * 3 + 1] ?? 0, r[i * 3 + 2] ?? 0];
  const [f = 0, cx = 0, cy = 0, k1 = 0, k2 = 0, p1 = 0, p2 = 0] = lens.map(
    (value, i) => value + (moves[i] ?? 0),
  );
  const camera = {
    centre: [centre[0] + x, centre[1] + y, centre[2] + z] as const,
    right: row(0),
    down: row(1),
    forward: row(2),
    lens: 0,
  };
  const { u, v } = picture({ f, cx, cy, k1, k2, p1, p2 }, camera, point);
  return [u, v];
}

it("the Jacobian of an observation has the derivatives that finite differences give, for 20 cameras and points", () => {
  const random = seededRandom(42);
  const between = (low: number, high: number) => low + (high - low) * random();
  for (let trial = 0; trial < 20; trial += 1) {
    const tilt = rotationFromVector([between(-0.5, 0.5), between(-0.5, 0.5), between(-3, 3)]);
    // Pointing down, tilted by up to half a radian about each axis.
    const rotation = compose(tilt, Float64Array.of(1, 0, 0, 0, -1, 0, 0, 0, -1));
    const centre: Triple = [between(-5, 5), between(-5, 5), 40];
    const point: Triple = [between(-6, 6), between(-6, 6), between(-3, 3)];
    const lens = [between(800, 1000), 600, 450, -0.05, 0.02, 0.001, -0.0007];
    const out = new Float64Array(JACOBIAN_LENGTH);
    const isSeen = linearise(
      rotation,
      Float64Array.from(centre),
      0,
      Float64Array.from(lens),
      0,
      ...point,
      10,
      20,
      out,
    );
    expect(isSeen).toBe(true);
    const at = (delta: readonly number[]) => pixelAt(rotation, centre, lens, point, delta);
    const [u, v] = at([]);
    expect(out[26]).toBeCloseTo(u - 10, 8);
    expect(out[27]).toBeCloseTo(v - 20, 8);
    for (let unknown = 0; unknown < 13; unknown += 1) {
      const move = (k: number) => Array.from({ length: 13 }, (_, i) => (i === unknown ? k : 0));
      const [uPlus, vPlus] = at(move(STEP));
      const [uMinus, vMinus] = at(move(-STEP));
      const [byU, byV] = unknown < 6 ? [unknown, 6 + unknown] : [6 + unknown, 13 + unknown];
      // Rounding of central differences: 1e-13 of 1e3 px over 1e-6.
      expect(out[byU]).toBeCloseTo((uPlus - uMinus) / (2 * STEP), 3);
      expect(out[byV]).toBeCloseTo((vPlus - vMinus) / (2 * STEP), 3);
    }
  }
});

it("the Jacobian of an observation has no derivatives behind the camera", () => {
  const out = new Float64Array(JACOBIAN_LENGTH).fill(7);
  const down = Float64Array.of(1, 0, 0, 0, -1, 0, 0, 0, -1);
  const lens = Float64Array.of(900, 600, 450, 0, 0, 0, 0);
  expect(linearise(down, Float64Array.of(0, 0, 40), 0, lens, 0, 0, 0, 41, 0, 0, out)).toBe(false);
  expect(out.every((x) => x === 7)).toBe(true);
});
