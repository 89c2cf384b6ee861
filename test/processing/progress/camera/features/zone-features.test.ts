import { describe, expect, it } from "vitest";
import { uniformPatterns } from "../../../../../processing/progress/camera/features/uniform-patterns.ts";
import {
  FEATURE_COUNT,
  zoneFeatures,
} from "../../../../../processing/progress/camera/features/zone-features.ts";
import { changeIndex } from "../../../../../processing/progress/camera/view/change-index.ts";
import { shiftedBy } from "../../../../../processing/progress/camera/view/frame-map.ts";
import { WHOLE_IMAGE } from "../../../../../processing/progress/camera/view/outline.ts";
import { pictureLight } from "../../../../../processing/progress/camera/view/picture-light.ts";
import {
  frameLuminance,
  type ViewPixels,
} from "../../../../../processing/progress/camera/view/view-frame.ts";
import { warpZone } from "../../../../../processing/progress/camera/view/warp-zone.ts";
import { cameraScene, type SceneShot } from "../../../../support/camera-scene.ts";

const STILL = shiftedBy({ dx: 0, dy: 0 });
const scene = cameraScene(5);

const featuresOf = (pixels: ViewPixels, outline = scene.outline) =>
  zoneFeatures(warpZone(pixels, STILL, outline), pictureLight(pixels));

const distance = (a: Float32Array, b: Float32Array): number =>
  Math.sqrt(a.reduce((sum, value, i) => sum + (value - (b[i] ?? 0)) ** 2, 0));

describe("features of a zone", () => {
  it("features of a zone are 648 finite numbers", () => {
    const features = featuresOf(scene.shoot({ progress: 40, day: 1 }));
    expect(FEATURE_COUNT).toBe(648);
    expect(features).toHaveLength(648);
    expect(features.every(Number.isFinite)).toBe(true);
  });

  it("features of a zone do not depend on white balance and exposure", () => {
    const plain = featuresOf(scene.shoot({ progress: 40 }));
    const warm = featuresOf(scene.shoot({ progress: 40, gains: [1.15, 1, 0.8] }));
    const dim = featuresOf(scene.shoot({ progress: 40, gains: [0.7, 0.7, 0.7] }));
    const further = featuresOf(scene.shoot({ progress: 60 }));
    const built = distance(plain, further);
    expect(distance(plain, warm)).toBeLessThan(built / 4);
    expect(distance(plain, dim)).toBeLessThan(built / 4);
  });

  it("features of a zone are finite for a picture of one colour, a black one, and one pixel of difference", () => {
    for (const value of [0, 128, 255]) {
      const flat = { width: 64, height: 64, rgb: new Uint8Array(64 * 64 * 3).fill(value) };
      expect(featuresOf(flat, WHOLE_IMAGE).every(Number.isFinite)).toBe(true);
    }
  });

  it("features of a zone are 0 in cells that the outline does not reach", () => {
    const corner = [
      [0.1, 0.1],
      [0.9, 0.1],
      [0.1, 0.9],
    ] as const;
    const features = featuresOf(scene.shoot({ progress: 0 }), corner);
    // The last of 48 cells lies beyond the diagonal.
    expect([...features.subarray(47 * 11, 48 * 11)]).toEqual(new Array(11).fill(0));
  });
});

describe("the patch of a zone", () => {
  it("the patch of a zone follows the view's shift", () => {
    const still = warpZone(scene.shoot({ progress: 40 }), STILL, scene.outline);
    const shot = scene.shoot({ progress: 40, shiftX: 16 / 640, shiftY: -9 / 360 });
    const back = warpZone(
      shot,
      shiftedBy({ dx: (16 / 640) * 512, dy: (-9 / 360) * 256 }),
      scene.outline,
    );
    const mean =
      still.rgb.reduce((sum, value, i) => sum + Math.abs(value - (back.rgb[i] ?? 0)), 0) /
      still.rgb.length;
    expect(mean).toBeLessThan(3);
  });

  it("the patch of a zone gives the share that lies within the picture", () => {
    const outline = [
      [0.5, 0],
      [1, 0],
      [1, 1],
      [0.5, 1],
    ] as const;
    const shot = scene.shoot({ progress: 0 });
    expect(warpZone(shot, STILL, outline).observedFraction).toBe(1);
    const aside = warpZone(shot, shiftedBy({ dx: 0.1 * 512, dy: 0 }), outline);
    expect(aside.observedFraction).toBeCloseTo(0.8, 1);
  });
});

describe("uniform patterns", () => {
  it("uniform patterns count brighter neighbours that lie side by side", () => {
    const around = (bits: readonly number[]) => {
      // Right, lower right, below, lower left, left, upper left, above, upper right.
      const [r = 0, br = 0, b = 0, bl = 0, l = 0, tl = 0, t = 0, tr = 0] = bits;
      return uniformPatterns(Float32Array.of(tl, t, tr, l, 0.5, r, bl, b, br), 3, 3)[4];
    };
    expect(around([0, 0, 0, 0, 0, 0, 0, 0])).toBe(0);
    expect(around([1, 1, 1, 0, 0, 0, 0, 0])).toBe(3);
    expect(around([1, 0, 0, 0, 0, 0, 1, 1])).toBe(3);
    expect(around([1, 1, 1, 1, 1, 1, 1, 1])).toBe(8);
    expect(around([1, 0, 1, 0, 0, 0, 0, 0])).toBe(9);
  });
});

describe("the change index", () => {
  const index = (shot: SceneShot) =>
    changeIndex(
      frameLuminance(scene.shoot({ progress: 0 })),
      frameLuminance(scene.shoot(shot)),
      STILL,
      [scene.outline],
    );

  it("the change index is 0 for the same picture in any light, and grows as the zone is built", () => {
    expect(index({ progress: 0 })).toBeCloseTo(0, 6);
    expect(index({ progress: 0, gains: [0.7, 0.7, 0.7] })).toBeLessThan(0.02);
    const [some, more] = [index({ progress: 30 }), index({ progress: 90 })];
    expect(some).toBeGreaterThan(0.1);
    expect(more).toBeGreaterThan(some);
    expect(more).toBeLessThanOrEqual(1);
  });
});
