import { describe, expect, it } from "vitest";
import { createRandom } from "../../../simulators/randomness/random.ts";
import { createCaster } from "../../../simulators/survey/render/terrain-pass.ts";
import { createBlocks } from "../../../simulators/survey/scene/blocks.ts";
import { heightAtM } from "../../../simulators/survey/scene/height-field.ts";
import { createTexture } from "../../../simulators/survey/scene/texture.ts";

const frame = { extentM: 8, cellM: 0.25, size: 65 };

function sceneOf(heightM: (eastM: number, northM: number) => number) {
  const terrain = new Float32Array(frame.size * frame.size);
  for (let row = 0; row < frame.size; row += 1) {
    for (let column = 0; column < frame.size; column += 1) {
      const eastM = column * frame.cellM - frame.extentM;
      terrain[row * frame.size + column] = heightM(eastM, frame.extentM - row * frame.cellM);
    }
  }
  const blocks = createBlocks(frame, terrain);
  const texture = createTexture(frame.extentM, 0.25);
  return { frame, terrain, blocks, texture, tiltEast: 0, tiltNorth: 0 };
}

describe("createCaster", () => {
  it("createCaster meets the plane z = 0.1 x where algebra says: from (0, 0, 10) along (0.2, 0, -1) at 10 / 1.02", () => {
    const cast = createCaster(sceneOf((eastM) => 0.1 * eastM));
    expect(cast(0, 0, 10, 0.2, 0, -1)).toBeCloseTo(10 / 1.02, 4);
  });

  it("createCaster goes on over the plane beyond the grid", () => {
    const cast = createCaster(sceneOf(() => 0));
    expect(cast(0, 0, 10, 2, 0, -1)).toBeCloseTo(10, 9);
  });

  it("createCaster meets rough ground at the first crossing that marching in steps of 2 mm finds, within 3 mm", () => {
    const random = createRandom("rough");
    const scene = sceneOf(
      (e, n) => 1.2 * Math.sin(e) * Math.cos(0.8 * n) + 0.3 * Math.sin(3 * e + n),
    );
    const cast = createCaster(scene);
    let compared = 0;
    for (let k = 0; k < 60; k += 1) {
      const [de, dn] = [random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8)];
      const depthM = cast(0.3, -0.2, 5, de, dn, -1);
      let marched = 0;
      for (;;) {
        const groundM = heightAtM(frame, scene.terrain, 0.3 + de * marched, -0.2 + dn * marched);
        if (groundM === undefined || 5 - marched <= groundM) break;
        marched += 0.002;
      }
      compared += 1;
      expect(Math.abs(depthM - marched)).toBeLessThan(0.003);
    }
    expect(compared).toBe(60);
  });
});
