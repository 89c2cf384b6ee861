import { describe, expect, it } from "vitest";
import {
  closedVolumeM3,
  type Pile,
  type PileShape,
  pileHeightM,
  pileOutline,
  pileVolume,
} from "../../../simulators/survey/site/pile.ts";

const pileOf = (shape: PileShape, events: Pile["events"] = []): Pile => ({
  id: "pile-1",
  material: "gravel",
  centre: { eastM: 3, northM: -2 },
  shape,
  events,
  reachM: 7,
});
const cone: PileShape = { kind: "cone", heightM: 3, radiusM: 4 };
const ridge: PileShape = { kind: "ridge", heightM: 3, radiusM: 4, lengthM: 5, azimuthRad: 0.7 };
const frustum: PileShape = { kind: "frustum", heightM: 2, bottomRadiusM: 5, topRadiusM: 2 };

describe("volumes", () => {
  it("the volume of a pile follows the closed formulas of cone, ridge and frustum", () => {
    expect(closedVolumeM3(cone)).toBeCloseTo(16 * Math.PI, 12);
    // A prism of 5 m with a triangle of 8 x 3 m, and one whole cone at its ends.
    expect(closedVolumeM3(ridge)).toBeCloseTo(60 + 16 * Math.PI, 12);
    // pi h / 3 (25 + 10 + 4)
    expect(closedVolumeM3(frustum)).toBeCloseTo(26 * Math.PI, 12);
  });

  it.each([
    cone,
    ridge,
    frustum,
  ])("the heights of a $kind sum up to its closed volume within 1e-5", (shape) => {
    const closed = closedVolumeM3(shape) ?? Number.NaN;
    // An event beneath notice makes the volume numeric: a bite of no radius at a place off the pile.
    const far = {
      kind: "bite" as const,
      epoch: 1,
      eastM: 30,
      northM: 0,
      radiusM: 0.001,
      heightM: 0,
    };
    const { volumeM3, method } = pileVolume(pileOf(shape, [far]), 1);
    expect(method).toBe("numeric");
    expect(Math.abs(volumeM3 / closed - 1)).toBeLessThan(1e-5);
  });

  it("a cone covers a circle of 4 m radius, 50.27 m2", () => {
    expect(pileVolume(pileOf(cone), 1).areaM2).toBeCloseTo(16 * Math.PI, 1);
  });

  it("a pile loses material at a bite's epoch and not before, and an addition is a heap with a cone of its own", () => {
    const bite = {
      kind: "bite" as const,
      epoch: 2,
      eastM: 6,
      northM: -2,
      radiusM: 1.5,
      heightM: 0,
    };
    const heap = {
      kind: "heap" as const,
      epoch: 3,
      eastM: -2.5,
      northM: -2,
      radiusM: 1.2,
      heightM: 1,
    };
    const pile = pileOf(cone, [bite, heap]);
    const [first, second, third] = [1, 2, 3].map((epoch) => pileVolume(pile, epoch).volumeM3);
    expect(first).toBeCloseTo(16 * Math.PI, 9);
    expect(pileHeightM(pile, 2, 6, -2)).toBe(0);
    expect(second).toBeLessThan((first ?? 0) - 2);
    // The heap stands apart: 5.5 m from the middle of a cone of 4 m radius, pi 1.44 / 3 m3.
    expect((third ?? 0) - (second ?? 0)).toBeCloseTo((Math.PI * 1.44) / 3, 3);
  });
});

describe("pileOutline", () => {
  it("pileOutline contains every place with material, at every epoch, with 0.3 to 0.6 m to spare", () => {
    const heap = {
      kind: "heap" as const,
      epoch: 3,
      eastM: 7.5,
      northM: -2,
      radiusM: 2,
      heightM: 1,
    };
    const pile = pileOf(ridge, [heap]);
    const ring = pileOutline(pile);
    let leastM = Number.POSITIVE_INFINITY;
    for (let e = -6; e <= 12; e += 0.1) {
      for (let n = -11; n <= 7; n += 0.1) {
        if (pileHeightM(pile, 3, e, n) <= 0) continue;
        leastM = Math.min(leastM, signedDistanceM(ring, e, n));
      }
    }
    expect(leastM).toBeGreaterThan(0.3);
    expect(leastM).toBeLessThan(0.6);
  });
});

/** Least distance to the edges' lines of a ring that runs counter-clockwise; negative = outside. */
function signedDistanceM(ring: readonly { eastM: number; northM: number }[], e: number, n: number) {
  let leastM = Number.POSITIVE_INFINITY;
  for (const [i, a] of ring.entries()) {
    const b = ring[(i + 1) % ring.length] ?? a;
    const [dx, dy] = [b.eastM - a.eastM, b.northM - a.northM];
    const length = Math.hypot(dx, dy);
    const t = ((e - a.eastM) * dx + (n - a.northM) * dy) / length ** 2;
    if (t < 0 || t > 1) continue;
    leastM = Math.min(leastM, (dx * (n - a.northM) - dy * (e - a.eastM)) / length);
  }
  return leastM;
}
