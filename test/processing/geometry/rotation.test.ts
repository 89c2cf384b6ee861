import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  angleBetween,
  compose,
  inverse,
  rotate,
  rotationFromVector,
  type Vector3,
  vectorFromRotation,
} from "../../../processing/geometry/rotation.ts";

const part = fc.double({ min: -1, max: 1, noNaN: true });
const axis = fc
  .tuple(part, part, part)
  .filter(([x, y, z]) => Math.hypot(x, y, z) > 0.1)
  .map(([x, y, z]): Vector3 => {
    const length = Math.hypot(x, y, z);
    return [x / length, y / length, z / length];
  });
const times = ([x, y, z]: Vector3, k: number): Vector3 => [k * x, k * y, k * z];

describe("a rotation", () => {
  it("a rotation of a quarter turn about z takes east to north", () => {
    const [x, y, z] = rotate(rotationFromVector([0, 0, Math.PI / 2]), [1, 0, 0]);
    expect(x).toBeCloseTo(0, 15);
    expect(y).toBeCloseTo(1, 15);
    expect(z).toBe(0);
  });

  it("a rotation comes back from its vector, from no turn to just below half a turn", () => {
    const angles = fc.oneof(
      fc.double({ min: 0, max: Math.PI - 1e-4, noNaN: true }),
      fc.double({ min: 0, max: 1e-6, noNaN: true }),
      fc.double({ min: Math.PI - 2e-4, max: Math.PI - 4e-9, noNaN: true }),
    );
    fc.assert(
      fc.property(axis, angles, (direction, angle) => {
        const w = times(direction, angle);
        const back = vectorFromRotation(rotationFromVector(w));
        // Near half a turn the cosine hides 1e-8 rad.
        expect(Math.hypot(back[0] - w[0], back[1] - w[1], back[2] - w[2])).toBeLessThan(1e-7);
      }),
    );
  });

  it("a rotation of half a turn comes back as one of its two vectors", () => {
    fc.assert(
      fc.property(axis, (direction) => {
        const half = rotationFromVector(times(direction, Math.PI));
        const again = rotationFromVector(vectorFromRotation(half));
        for (let i = 0; i < 9; i += 1) expect(again[i]).toBeCloseTo(half[i] ?? Number.NaN, 7);
      }),
    );
  });

  it("a rotation composed with its inverse is none, and angles add up about one axis", () => {
    fc.assert(
      fc.property(axis, fc.double({ min: 0, max: 1.5, noNaN: true }), (direction, angle) => {
        const r = rotationFromVector(times(direction, angle));
        const twice = compose(r, r);
        expect(angleBetween(compose(r, inverse(r)), rotationFromVector([0, 0, 0]))).toBeLessThan(
          1e-7,
        );
        expect(angleBetween(twice, r)).toBeCloseTo(angle, 7);
      }),
    );
  });
});
