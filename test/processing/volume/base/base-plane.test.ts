import { describe, expect, it } from "vitest";
import { fitBasePlane } from "../../../../processing/volume/base/base-plane.ts";
import { seededRandom } from "../../../support/seeded-random.ts";
import { CONE, circle, surfaceOf } from "../solids.ts";

const plane = (x: number, y: number) => 12 + 0.06 * x + 0.03 * y;
const toe = circle(CONE.radiusM + 0.2);

/** Normal noise by Box and Muller. */
function noise(seed: number): () => number {
  const random = seededRandom(seed);
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

describe("plane through the ring outside a toe", () => {
  it("the plane through the ring outside a toe finds the ground's tilt and its noise of 2 cm", () => {
    const normal = noise(3);
    const base = fitBasePlane(
      surfaceOf(0.1, (x, y) => plane(x, y) + CONE.height(x, y) + 0.02 * normal()),
      toe,
    );
    if (base === undefined) throw new Error("no plane");
    // A ring of 0.8 m about r = 7.1 m has 2 pi 7.5 0.8 / 0.01 = 3,770 cells: NMAD within 5 %.
    expect(base.cells).toBeGreaterThan(3_400);
    expect(base.cells).toBeLessThan(3_900);
    expect(base.nmadM).toBeGreaterThan(0.018);
    expect(base.nmadM).toBeLessThan(0.022);
    expect(base.slope).toBeCloseTo(Math.hypot(0.06, 0.03), 3);
    // 2 cm / sqrt(3,770) is 0.3 mm.
    expect(Math.abs(base.heightAt(0, 0) - 12)).toBeLessThan(0.0015);
    expect(base.inlierShare).toBeGreaterThan(0.99);
  });

  it("the plane through the ring outside a toe does not see a lorry 3 m high on a third of the ring", () => {
    const normal = noise(4);
    const base = fitBasePlane(
      surfaceOf(0.1, (x, y) => {
        const isLorry = Math.abs(Math.atan2(y, x)) < Math.PI / 3 && Math.hypot(x, y) > 7.1;
        return plane(x, y) + CONE.height(x, y) + (isLorry ? 3 : 0) + 0.02 * normal();
      }),
      toe,
    );
    if (base === undefined) throw new Error("no plane");
    expect(Math.abs(base.heightAt(0, 0) - 12)).toBeLessThan(0.01);
    expect(base.inlierShare).toBeGreaterThan(0.6);
    expect(base.inlierShare).toBeLessThan(0.7);
  });

  it("the plane through the ring outside a toe says so when the ring has no ground", () => {
    const surface = surfaceOf(0.1, (x, y) => (Math.hypot(x, y) > 7 ? Number.NaN : 0));
    expect(fitBasePlane(surface, toe)).toBeUndefined();
  });
});
