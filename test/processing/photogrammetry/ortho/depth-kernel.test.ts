import { describe, expect, it } from "vitest";
import { heightRangeUnder } from "../../../../processing/grid/elevation-at.ts";
import type { HeightField } from "../../../../processing/grid/elevation-grid.ts";
import type { Intrinsics, Pose } from "../../../../processing/photogrammetry/camera/camera.ts";
import { drawDepthBuffer } from "../../../../processing/photogrammetry/ortho/depth-buffer.ts";
import { lensReach2 } from "../../../../processing/photogrammetry/ortho/lens-reach.ts";
import { generator } from "../dense/scene.ts";
import { boxPoses } from "./box-scene.ts";

type Corner = readonly [x: number, y: number, inverse: number];

/** The depth buffer in plain loops over all cells of the surface: what the kernel is to give, bit for bit. */
function plainDepths(surface: HeightField, lens: Intrinsics, pose: Pose, stepPx: number) {
  const [width, height] = [lens.widthPx, lens.heightPx].map((px) => Math.ceil(px / stepPx)) as [
    number,
    number,
  ];
  const drawn = new Float32Array(width * height);
  const corners = Array.from(surface.elevationM, (_, cell) => cornerOf(surface, lens, pose, cell));
  for (let row = 1; row < surface.height; row += 1) {
    for (let col = 1; col < surface.width; col += 1) {
      const at = row * surface.width + col;
      const nw = corners[at - surface.width - 1];
      const ne = corners[at - surface.width];
      const [sw, se] = [corners[at - 1], corners[at]];
      if (nw && se) {
        if (ne) drawTriangle(nw, ne, se);
        if (sw) drawTriangle(nw, se, sw);
      } else if (ne && sw) {
        if (nw) drawTriangle(nw, ne, sw);
        else if (se) drawTriangle(ne, se, sw);
      }
    }
  }
  return grown();

  function cornerOf(field: HeightField, of: Intrinsics, from: Pose, cell: number) {
    const { focalPx, cxPx, cyPx, k1, k2, p1, p2 } = of;
    const [r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, r5 = 0, r6 = 0, r7 = 0, r8 = 0] = from.rotation;
    const column = cell % field.width;
    const row = Math.floor(cell / field.width);
    const dx = field.westM + (column + 0.5) * field.cellM - from.centre[0];
    const dy = field.northM - (row + 0.5) * field.cellM - from.centre[1];
    const dz = (field.elevationM[cell] ?? 0) - from.centre[2];
    const depth = r6 * dx + r7 * dy + r8 * dz;
    const inverse = 1 / depth;
    const x = (r0 * dx + r1 * dy + r2 * dz) * inverse;
    const y = (r3 * dx + r4 * dy + r5 * dz) * inverse;
    const q = x * x + y * y;
    if (!(depth > 0.01 && q < lensReach2(of))) return undefined;
    const radial = 1 + q * (k1 + k2 * q);
    const u = focalPx * (x * radial + 2 * p1 * x * y + p2 * (q + 2 * x * x)) + cxPx;
    const v = focalPx * (y * radial + p1 * (q + 2 * y * y) + 2 * p2 * x * y) + cyPx;
    const places = [(u + 0.5) / stepPx - 0.5, (v + 0.5) / stepPx - 0.5, inverse].map(Math.fround);
    return places as unknown as Corner;
  }

  function drawTriangle([ax, ay, za]: Corner, [bx, by, zb]: Corner, [cx, cy, zc]: Corner): void {
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (area === 0) return;
    const scale = 1 / area;
    const [bAlong, bDown] = [(cy - ay) * scale, (ax - cx) * scale];
    const [cAlong, cDown] = [(ay - by) * scale, (bx - ax) * scale];
    const left = Math.max(0, Math.ceil(Math.min(ax, bx, cx)));
    const right = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx)));
    const bottom = Math.min(height - 1, Math.floor(Math.max(ay, by, cy)));
    for (let y = Math.max(0, Math.ceil(Math.min(ay, by, cy))); y <= bottom; y += 1) {
      let wb = (left - ax) * bAlong + (y - ay) * bDown;
      let wc = (left - ax) * cAlong + (y - ay) * cDown;
      for (let x = left; x <= right; x += 1, wb += bAlong, wc += cAlong) {
        if (!(wb >= 0 && wc >= 0 && wb + wc <= 1)) continue;
        const inverse = za + wb * (zb - za) + wc * (zc - za);
        const at = y * width + x;
        if (inverse > (drawn[at] ?? 0)) drawn[at] = inverse;
      }
    }
  }

  function grown(): Float32Array {
    const keep = 1 - (3 * stepPx) / lens.focalPx;
    return drawn.map((own, at) => {
      let nearest = 0;
      for (const [dx, dy] of NEIGHBOURS) {
        const [x, y] = [(at % width) + dx, Math.floor(at / width) + dy];
        if (x < 0 || y < 0 || x >= width || y >= height) continue;
        nearest = Math.max(nearest, drawn[y * width + x] ?? 0);
      }
      return own < nearest * keep ? nearest : own;
    });
  }
}

const NEIGHBOURS = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [dx, dy] as const));

function lensOf(widthPx: number, heightPx: number): Intrinsics {
  const middle = { cxPx: widthPx / 2 + 1, cyPx: heightPx / 2 - 1 };
  const bend = { k1: -0.05, k2: 0.01, p1: 0.0004, p2: -0.0003 };
  return { widthPx, heightPx, focalPx: 0.8 * widthPx, ...middle, ...bend };
}

/** Waves with spikes and holes around the middle of the scene. */
function roughSurface(width: number, height: number, cellM: number): HeightField {
  const random = generator(7);
  const elevationM = Float32Array.from({ length: width * height }, (_, i) =>
    random() < 0.03 ? Number.NaN : Math.sin(i / 50) + 3 * random() ** 8,
  );
  return {
    westM: (-width * cellM) / 2,
    northM: (height * cellM) / 2,
    cellM,
    width,
    height,
    elevationM,
  };
}

describe("drawDepthBuffer", () => {
  it.each([
    ["as many cells as pixels", roughSurface(96, 96, 0.25), lensOf(240, 180), 2],
    ["odd numbers of cells and pixels", roughSurface(97, 33, 0.25), lensOf(241, 179), 2],
    ["a step that does not divide the image", roughSurface(40, 51, 0.4), lensOf(243, 181), 3],
    ["cells of many pixels", roughSurface(9, 9, 3), lensOf(130, 97), 1],
    ["a tiny image", roughSurface(30, 30, 0.5), lensOf(5, 4), 2],
    ["a surface of one cell", roughSurface(1, 1, 1), lensOf(60, 40), 2],
  ] as const)("drawDepthBuffer gives the bits of plain loops for %s", (_, surface, lens, stepPx) => {
    const heights = heightRangeUnder(surface, surface);
    for (const pose of boxPoses()) {
      const { inverseDepth } = drawDepthBuffer(surface, heights, lens, pose, stepPx);
      expect(inverseDepth).toEqual(plainDepths(surface, lens, pose, stepPx));
    }
  });

  it("drawDepthBuffer gives the same bits after a larger image", () => {
    const surface = roughSurface(50, 50, 0.3);
    const heights = heightRangeUnder(surface, surface);
    const [pose] = boxPoses();
    if (pose === undefined) throw new Error("no pose");
    const draw = (lens: Intrinsics) => drawDepthBuffer(surface, heights, lens, pose).inverseDepth;
    const first = draw(lensOf(81, 61));
    draw(lensOf(403, 301));
    expect(draw(lensOf(81, 61))).toEqual(first);
    expect(first.some((inverse) => inverse > 0)).toBe(true);
  });
});
