import { describe, expect, it } from "vitest";
import { edgeMap } from "../../../../processing/progress/camera/view/edge-map.ts";
import { mapPoint } from "../../../../processing/progress/camera/view/frame-map.ts";
import {
  insideOutline,
  lastingWeights,
} from "../../../../processing/progress/camera/view/outline.ts";
import { correlationPeaks } from "../../../../processing/progress/camera/view/phase-correlation.ts";
import {
  prepareReference,
  registerView,
} from "../../../../processing/progress/camera/view/register-view.ts";
import { FRAME, frameLuminance } from "../../../../processing/progress/camera/view/view-frame.ts";
import { cameraScene, type SceneShot } from "../../../support/camera-scene.ts";
import { someOf } from "../../../support/some-of.ts";

const ASPECT = 360 / 640;
const SEEDS = someOf([1, 2]);
const scenes = SEEDS.map((seed) => {
  const scene = cameraScene(seed);
  const plain = frameLuminance(scene.shoot({ progress: 0 }));
  return {
    seed,
    scene,
    plain,
    reference: prepareReference(plain, lastingWeights([scene.outline])),
  };
});

const registerShot = (one: (typeof scenes)[number], shot: SceneShot) =>
  registerView(one.reference, frameLuminance(one.scene.shoot(shot)), ASPECT);

/** Moves a picture of the frame by whole pixels; what comes in is the edge. */
function moved(picture: Float32Array, dx: number, dy: number): Float32Array {
  const { width: w, height: h } = FRAME;
  return Float32Array.from(picture, (_, i) => {
    const x = Math.max(0, Math.min(w - 1, (i % w) - dx));
    const y = Math.max(0, Math.min(h - 1, Math.floor(i / w) - dy));
    return picture[y * w + x] ?? 0;
  });
}

describe("phase correlation", () => {
  const [one] = scenes;
  const everywhere = new Float32Array(FRAME.width * FRAME.height).fill(1);

  it.each([
    [0, 0],
    [7, -3],
    [-40, 12],
    [90, 30],
  ])("phase correlation finds a shift of %i, %i pixels to half a pixel", (dx, dy) => {
    const plain = one?.plain ?? everywhere;
    const [peak] = correlationPeaks(edgeMap(plain), everywhere, edgeMap(moved(plain, dx, dy)), 1);
    expect(Math.abs((peak?.dx ?? 99) - dx)).toBeLessThan(0.5);
    expect(Math.abs((peak?.dy ?? 99) - dy)).toBeLessThan(0.5);
    expect(peak?.sigmas).toBeGreaterThan(20);
  });

  it("phase correlation finds nothing in a picture of one colour", () => {
    expect(correlationPeaks(everywhere, everywhere, everywhere, 3)).toEqual([]);
  });
});

describe("registration", () => {
  it("registration finds shifts of parts of pixels under other light, noise and haze", () => {
    for (const one of scenes) {
      const [shiftX, shiftY] = [6.3 / 640, -4.6 / 360];
      const found = registerShot(one, { progress: 60, shiftX, shiftY, day: one.seed, haze: 0.3 });
      if (found.kind !== "registered") throw new Error(`scene ${one.seed}: ${found.kind}`);
      expect(Math.abs(found.map.dx - shiftX * FRAME.width)).toBeLessThan(0.5);
      expect(Math.abs(found.map.dy - shiftY * FRAME.height)).toBeLessThan(0.5);
    }
  });

  it("registration follows a turn of 0.4 degrees to the picture's edges", () => {
    for (const one of scenes) {
      const found = registerShot(one, { progress: 30, turnDeg: 0.4, day: 50 + one.seed });
      if (found.kind !== "registered") throw new Error(`scene ${one.seed}: ${found.kind}`);
      // The right edge goes down by half the width times the angle: 320 px of 640 x 360.
      const down = ((320 * Math.sin((0.4 * Math.PI) / 180)) / 360) * FRAME.height;
      const [x, y] = mapPoint(found.map, FRAME.width, FRAME.height / 2);
      expect(Math.abs(x - FRAME.width)).toBeLessThan(0.7);
      expect(Math.abs(y - FRAME.height / 2 - down)).toBeLessThan(0.7);
    }
  });

  it("registration calls every camera moved whose scene lies 15 % aside, and none at 8 %", () => {
    for (const one of scenes) {
      for (const [i, shiftX] of [0.15, -0.15, 0.12].entries()) {
        const found = registerShot(one, { progress: 25 * i, shiftX, day: 10 * one.seed + i });
        expect(found.kind).toBe("moved");
        if (found.kind === "moved") expect(found.shiftShare).toBeCloseTo(Math.abs(shiftX), 2);
      }
      expect(registerShot(one, { progress: 90, shiftX: -0.08, day: 7 }).kind).toBe("registered");
    }
  });

  it("registration detects a camera that was turned by three degrees", () => {
    for (const one of scenes) {
      expect(registerShot(one, { progress: 50, turnDeg: 3, day: 20 + one.seed }).kind).toBe(
        "unclear",
      );
    }
  });

  it("registration is not held back by what is written at one place into every picture", () => {
    for (const one of scenes) {
      const stamped = (shot: SceneShot) => {
        const pixels = one.scene.shoot(shot);
        for (let y = 10; y < 40; y++) {
          for (let x = 10; x < 200; x++) {
            const isInk = (Math.floor(x / 4) * 7 + Math.floor(y / 5) * 3) % 4 < 2;
            pixels.rgb.fill(isInk ? 255 : 0, (y * 640 + x) * 3, (y * 640 + x) * 3 + 3);
          }
        }
        return frameLuminance(pixels);
      };
      const reference = prepareReference(
        stamped({ progress: 0 }),
        lastingWeights([one.scene.outline]),
      );
      const view = stamped({ progress: 40, shiftX: 0.15, day: 3 });
      expect(registerView(reference, view, ASPECT).kind).toBe("moved");
    }
  });

  it("registration does not take a lorry, another place or nothing for a move", () => {
    for (const one of scenes) {
      expect(registerShot(one, { progress: 50, hidden: 0.85, day: 4 }).kind).toBe("unclear");
      const other = frameLuminance(cameraScene(one.seed + 400).shoot({ progress: 50, day: 2 }));
      expect(registerView(one.reference, other, ASPECT).kind).toBe("unclear");
    }
    const [one] = scenes;
    const black = new Float32Array(FRAME.width * FRAME.height);
    expect(one && registerView(one.reference, black, ASPECT).kind).toBe("unclear");
  });

  it("registration leaves the zones out, as the even-odd rule has them", () => {
    const star: readonly (readonly [number, number])[] = [
      [0.5, 0.1],
      [0.7, 0.9],
      [0.1, 0.4],
      [0.9, 0.4],
      [0.3, 0.9],
    ];
    const weights = lastingWeights([star]);
    const wrong = weights.findIndex((weight, i) => {
      const [x, y] = [(i % FRAME.width) + 0.5, Math.floor(i / FRAME.width) + 0.5];
      return insideOutline(star, x / FRAME.width, y / FRAME.height) !== weight < 0.5;
    });
    expect(wrong).toBe(-1);
    expect(weights.some((weight) => weight < 0.5)).toBe(true);
  });

  it("registration uses the zones too where they leave too little beside them", () => {
    const most = lastingWeights([
      [
        [0, 0],
        [1, 0],
        [1, 0.8],
        [0, 0.8],
      ],
    ]);
    expect(most.every((weight) => weight === 1)).toBe(true);
    const half = lastingWeights([
      [
        [0, 0],
        [0.5, 0],
        [0.5, 1],
        [0, 1],
      ],
    ]);
    expect(half[0]).toBeCloseTo(0.01);
    expect(half[FRAME.width - 1]).toBe(1);
  });
});
