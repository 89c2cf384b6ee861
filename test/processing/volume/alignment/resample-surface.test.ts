import { describe, expect, it } from "vitest";
import { rotationFromVector } from "../../../../processing/geometry/rotation.ts";
import { applySimilarity, type Similarity } from "../../../../processing/geometry/similarity.ts";
import type { ElevationGrid, GridFrame } from "../../../../processing/grid/elevation-grid.ts";
import { resampleSurface } from "../../../../processing/volume/alignment/resample-surface.ts";
import { levelBase } from "../../../../processing/volume/base/base-surface.ts";
import { volumeAbove } from "../../../../processing/volume/volume-above.ts";
import { surfaceOf } from "../solids.ts";

const TILTED: Similarity = {
  scale: 1.02,
  rotation: rotationFromVector([0.02, -0.015, 0.4]),
  translation: [6, -3, 120],
};
const SAME: Similarity = {
  scale: 1,
  rotation: rotationFromVector([0, 0, 0]),
  translation: [0, 0, 0],
};

function gridOf(cellM: number, height: (x: number, y: number) => number): ElevationGrid {
  const field = surfaceOf(cellM, height);
  const cells = field.elevationM.length;
  const views = Uint8Array.from({ length: cells }, (_, i) => i % 7);
  return { ...field, score: new Float32Array(cells).fill(0.8), views };
}

/** 20 x 20 m about a place, with cells of 0.13 m. */
function frameAbout([x, y]: readonly [number, number, number]): GridFrame {
  return { westM: x - 10, northM: y + 10, cellM: 0.13, width: 154, height: 154 };
}

describe("a surface in another frame", () => {
  it("a surface in another frame keeps a plane a plane through scale, turn and tilt, up to the rim of a hole", () => {
    const plane = (x: number, y: number) => 3 + 0.2 * x - 0.35 * y;
    const isHole = (x: number, y: number) => Math.hypot(x - 2, y + 1) < 1;
    const surface = gridOf(0.1, (x, y) => (isHole(x, y) ? Number.NaN : plane(x, y)));
    // Three points of the plane, moved, give the expected plane.
    const [p, q, r] = [
      [0, 0],
      [10, 0],
      [0, 10],
    ].map(([x = 0, y = 0]) => applySimilarity(TILTED, [x, y, plane(x, y)]));
    if (!p || !q || !r) throw new Error("three points");
    const out = resampleSurface(surface, frameAbout(p), TILTED);
    const u = q.map((value, i) => value - (p[i] ?? 0));
    const v = r.map((value, i) => value - (p[i] ?? 0));
    const normal = [1, 2, 3].map(
      (_, i) =>
        (u[(i + 1) % 3] ?? 0) * (v[(i + 2) % 3] ?? 0) -
        (u[(i + 2) % 3] ?? 0) * (v[(i + 1) % 3] ?? 0),
    );
    let worst = 0;
    let holes = 0;
    out.elevationM.forEach((z, cell) => {
      if (Number.isNaN(z)) {
        holes += 1;
        return;
      }
      const x = out.westM + ((cell % out.width) + 0.5) * out.cellM - p[0];
      const y = out.northM - (Math.floor(cell / out.width) + 0.5) * out.cellM - p[1];
      const expected = p[2] - ((normal[0] ?? 0) * x + (normal[1] ?? 0) * y) / (normal[2] ?? 1);
      worst = Math.max(worst, Math.abs(z - expected));
    });
    // Heights of 120 m as 32-bit floats are exact to 8 um, those of the source before to 1 um.
    expect(worst).toBeLessThan(3e-5);
    // pi m2 through a scale of 1.02 in cells of 0.0169 m2 are 193, and half a cell of 0.1 m around them.
    expect(holes).toBeGreaterThan(193);
    expect(holes).toBeLessThan(240);
  });

  it("a surface in another frame keeps the volume of a smooth mound within 0.1 % through a turn and a shift", () => {
    // V = 2 pi h s2 (1 - exp(-R2 / 2 s2)) within R of a Gaussian.
    const surface = gridOf(0.2, (x, y) => 4 * Math.exp(-(x * x + y * y) / 18));
    const truth = 2 * Math.PI * 4 * 9 * (1 - Math.exp(-81 / 18));
    const turned = { ...TILTED, scale: 1, rotation: rotationFromVector([0, 0, 0.4]) };
    const out = resampleSurface(surface, frameAbout([6, -3, 0]), turned);
    const circle = Array.from({ length: 360 }, (_, i) => {
      const angle = (i * Math.PI) / 180;
      return [6 + 9 * Math.cos(angle), -3 + 9 * Math.sin(angle)] as const;
    });
    const { netM3, coverage } = volumeAbove(out, circle, levelBase(120));
    expect(coverage).toBe(1);
    expect(Math.abs(netM3 / truth - 1)).toBeLessThan(1e-3);
  });

  it("a surface in another frame gives back every cell with its score and views on its own grid", () => {
    const surface = gridOf(0.5, (x, y) => 10 + Math.sin(x) * Math.cos(y));
    const out = resampleSurface(surface, surface, SAME);
    const inner = Array.from(out.elevationM, (z, i) => (Number.isNaN(z) ? -1 : i)).filter(
      (i) => i >= 0,
    );
    // The last row and column have no neighbour to interpolate with, and need none.
    expect(inner.length).toBeGreaterThan((surface.width - 2) ** 2);
    expect(inner.map((i) => out.elevationM[i])).toEqual(inner.map((i) => surface.elevationM[i]));
    expect(inner.map((i) => out.views[i])).toEqual(inner.map((i) => surface.views[i]));
    expect(new Set(inner.map((i) => out.score[i]))).toEqual(new Set([Math.fround(0.8)]));
  });
});
