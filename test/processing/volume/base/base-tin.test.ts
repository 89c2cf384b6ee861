import { describe, expect, it } from "vitest";
import { fitBasePlane } from "../../../../processing/volume/base/base-plane.ts";
import { fitBaseTin } from "../../../../processing/volume/base/base-tin.ts";
import { volumeAbove } from "../../../../processing/volume/volume-above.ts";
import { seededRandom } from "../../../support/seeded-random.ts";
import { CONE, circle, surfaceOf } from "../solids.ts";

const toe = circle(CONE.radiusM + 0.6);

/** A cone on a ground, with even noise of 2 cm (one standard deviation), in cells of 15 cm. */
function coneOn(ground: (x: number, y: number) => number) {
  const random = seededRandom(11);
  const noise = () => (random() - 0.5) * Math.sqrt(12) * 0.02;
  return surfaceOf(0.15, (x, y) => ground(x, y) + CONE.height(x, y) + noise());
}

function tinOn(ground: (x: number, y: number) => number) {
  const surface = coneOn(ground);
  const base = fitBaseTin(surface, toe);
  if (base === undefined) throw new Error("no base");
  return { surface, base, volumeM3: volumeAbove(surface, toe, base).netM3 };
}

describe("triangulated base", () => {
  it("a triangulated base follows ground that is twisted, where a plane does not", () => {
    const twisted = (x: number, y: number) => 30 + 0.01 * x * y + 0.03 * x;
    const { surface, base, volumeM3 } = tinOn(twisted);
    for (let angle = 0; angle < 6.28; angle += 0.4) {
      for (const radius of [0, 2, 4.5, 7]) {
        const [x, y] = [radius * Math.cos(angle), radius * Math.sin(angle)];
        // Triangles of 2 m cut a twist by up to 0.01 * 1 * 1 m; noise leaves 3 mm.
        expect(Math.abs(base.heightAt(x, y) - twisted(x, y))).toBeLessThan(0.02);
      }
    }
    expect(Math.abs(volumeM3 / CONE.volumeM3 - 1)).toBeLessThan(0.01);
    expect(base.nmadM).toBeGreaterThan(0.015);
    expect(base.nmadM).toBeLessThan(0.03);
    const plane = fitBasePlane(surface, toe);
    // x y / 100 on a circle of 7.9 m: 31 cm high twice, low twice; the plane sees it as spread.
    expect(plane?.nmadM).toBeGreaterThan(0.2);
    expect(plane?.nmadM).toBeLessThan(0.5);
  });

  it("a triangulated base is the plane where the ground is one", () => {
    const { base, surface } = tinOn((x, y) => 5 + 0.04 * x - 0.02 * y);
    const plane = fitBasePlane(surface, toe);
    for (const [x, y] of [
      [0, 0],
      [5, 3],
      [-4, -6],
      [7.2, 0],
    ] as const) {
      expect(Math.abs(base.heightAt(x, y) - (plane?.heightAt(x, y) ?? 0))).toBeLessThan(0.008);
    }
    // Twelve sectors of 100 cells: 2 cm / 10, not 2 cm.
    expect(base.unevenM).toBeLessThan(0.006);
  });

  it("a triangulated base does not rise onto a lorry that hides a quarter of the ring", () => {
    const lorry = (x: number, y: number) =>
      Math.abs(Math.atan2(y, x)) < Math.PI / 4 && Math.hypot(x, y) > 7.6 ? 3 : 0;
    const { base, volumeM3 } = tinOn((x, y) => 0.03 * x + lorry(x, y));
    expect(base.inlierShare).toBeGreaterThan(0.7);
    expect(base.inlierShare).toBeLessThan(0.8);
    // On the lorry's side the ground is interpolated from either end of it.
    expect(Math.abs(base.heightAt(7, 0) - 0.21)).toBeLessThan(0.03);
    expect(Math.abs(volumeM3 / CONE.volumeM3 - 1)).toBeLessThan(0.01);
  });

  it("a triangulated base says how much the middle may bend unseen", () => {
    // A trough of 0.5 m over the pile's width: on the ring it has the shape of a saddle.
    const { base, volumeM3, surface } = tinOn((x) => 0.01 * x * x);
    const areaM2 = volumeAbove(surface, toe, base).areaM2;
    const offM = Math.abs(volumeM3 - CONE.volumeM3) / areaM2;
    expect(offM).toBeGreaterThan(0.1);
    expect(base.unevenM).toBeGreaterThan(0.7 * offM);
    expect(base.unevenM).toBeLessThan(1.8 * offM);
  });

  it("a triangulated base says so when the ring has no ground", () => {
    const bare = surfaceOf(0.3, (x, y) => (Math.hypot(x, y) > 7.4 ? Number.NaN : 0));
    expect(fitBaseTin(bare, toe)).toBeUndefined();
  });
});
