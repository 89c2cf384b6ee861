import { describe, expect, it } from "vitest";
import { heightRangeUnder, resampleElevation } from "../../../../processing/grid/elevation-at.ts";
import type { GridFrame, HeightField } from "../../../../processing/grid/elevation-grid.ts";
import { drawDepthBuffer } from "../../../../processing/photogrammetry/ortho/depth-buffer.ts";
import { lensReach2 } from "../../../../processing/photogrammetry/ortho/lens-reach.ts";
import {
  blockFrame,
  createOrthoPainter,
  orthoBlocks,
  orthoFrame,
} from "../../../../processing/photogrammetry/ortho/ortho-block.ts";
import type { OrthoView } from "../../../../processing/photogrammetry/ortho/ortho-view.ts";
import { generator } from "../dense/scene.ts";
import { boxPoses } from "./box-scene.ts";

/** What a view adds to a cell: red, green, blue and weight. Plain arithmetic: what the kernel is to give, bit for bit. */
function addedBy(view: OrthoView, x: number, y: number, z: number): readonly number[] | undefined {
  const { lens, pose, gain } = view;
  const { focalPx, cxPx, cyPx, k1, k2, p1, p2, widthPx, heightPx } = lens;
  const [r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, r5 = 0, r6 = 0, r7 = 0, r8 = 0] = pose.rotation;
  const [dx, dy, dz] = [x - pose.centre[0], y - pose.centre[1], z - pose.centre[2]];
  const along = r6 * dx + r7 * dy + r8 * dz;
  const inverse = 1 / along;
  const px = (r0 * dx + r1 * dy + r2 * dz) * inverse;
  const py = (r3 * dx + r4 * dy + r5 * dz) * inverse;
  const q = px * px + py * py;
  if (!(along > 0.01 && q < lensReach2(lens))) return undefined;
  const radial = 1 + q * (k1 + k2 * q);
  const u = focalPx * (px * radial + 2 * p1 * px * py + p2 * (q + 2 * px * px)) + cxPx;
  const v = focalPx * (py * radial + p1 * (q + 2 * py * py) + 2 * p2 * px * py) + cyPx;
  if (!(u > 0 && v > 0 && u < widthPx - 1 && v < heightPx - 1)) return undefined;
  const { rgb, depth } = view.part();
  const cell =
    Math.floor((v + 0.5) / depth.stepPx) * depth.width + Math.floor((u + 0.5) / depth.stepPx);
  if (inverse < (depth.inverseDepth[cell] ?? 0) * depth.keep) return undefined;
  const feather = 1 / (0.1 * Math.min(widthPx, heightPx));
  const border = Math.min(u, v, widthPx - 1 - u, heightPx - 1 - v) * feather;
  const lean = 1 / (1 + (dx * dx + dy * dy) / (dz * dz * 0.3 ** 2));
  const lean4 = lean * lean * (lean * lean);
  const weight = lean4 * lean4 * Math.min(border, 1);
  const [u0, v0] = [Math.floor(u), Math.floor(v)];
  const [fu, fv] = [u - u0, v - v0];
  const w11 = fu * fv;
  const [w10, w01] = [fu - w11, fv - w11];
  const w00 = 1 - fu - w01;
  const half2 = 4 / (widthPx ** 2 + heightPx ** 2);
  const radius2 = ((u - cxPx) * (u - cxPx) + (v - cyPx) * (v - cyPx)) * half2;
  const colours = [0, 1, 2].map((c) => {
    const at = (row: number, column: number) =>
      rgb[((v0 + row) * widthPx + u0 + column) * 3 + c] ?? 0;
    const grey = at(0, 0) * w00 + at(0, 1) * w10 + at(1, 0) * w01 + at(1, 1) * w11;
    const a = (gain.falloff[c] ?? 0) * radius2;
    return weight * grey * (gain.gain[c] ?? 0) * (1 + a * (1 + a * (0.5 + a * (1 / 6))));
  });
  return [...colours, weight];
}

/** How steeply a view looks down on the middle of a block; 0 where neither that nor a corner is in the image. */
function steepness({ lens, pose }: OrthoView, frame: GridFrame, z: number): number {
  const [halfX, halfY] = [(frame.width * frame.cellM) / 2, (frame.height * frame.cellM) / 2];
  const [x, y] = [frame.westM + halfX, frame.northM - halfY];
  const isImaged = CORNERS.some(([i, j]) => {
    const d = [x + i * halfX, y + j * halfY, z].map((e, k) => e - (pose.centre[k] ?? 0));
    const [across = 0, down = 0, along = 0] = [0, 3, 6].map((row) =>
      d.reduce((sum, e, k) => sum + e * (pose.rotation[row + k] ?? 0), 0),
    );
    const [px, py] = [across / along, down / along];
    const q = px * px + py * py;
    if (!(along > 0.01 && q < lensReach2(lens))) return false;
    const radial = 1 + q * (lens.k1 + lens.k2 * q);
    const [u, v] = [lens.focalPx * px * radial + lens.cxPx, lens.focalPx * py * radial + lens.cyPx];
    return u > 0 && v > 0 && u < lens.widthPx - 1 && v < lens.heightPx - 1;
  });
  const above = pose.centre[2] - z;
  return isImaged && above > 0
    ? above / Math.hypot(x - pose.centre[0], y - pose.centre[1], above)
    : 0;
}

const CORNERS = [
  [0, 0],
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
] as const;

/** The orthophoto cell by cell: the four steepest views of the block, then others where none of them sees a cell. */
function plainOrtho(surface: HeightField, views: readonly OrthoView[], frame: GridFrame) {
  const rgba = new Uint8Array(frame.width * frame.height * 4);
  for (const block of orthoBlocks(frame)) {
    const place = blockFrame(frame, block);
    const heights = resampleElevation(surface, place);
    const known = heights.filter((z) => !Number.isNaN(z));
    const mean = known.reduce((sum, z) => sum + z, 0) / known.length;
    const ranked = views
      .map((view) => ({ view, steep: known.length > 0 ? steepness(view, place, mean) : 0 }))
      .filter(({ steep }) => steep > 0)
      .sort((a, b) => b.steep - a.steep);
    heights.forEach((z, cell) => {
      const [col, row] = [cell % block.width, Math.floor(cell / block.width)];
      const x = place.westM + (col + 0.5) * place.cellM;
      const y = place.northM - (row + 0.5) * place.cellM;
      const sums = new Float32Array(4);
      for (const [rank, { view }] of ranked.entries()) {
        if (rank >= 4 && sums[3] !== 0) break;
        addedBy(view, x, y, z)?.forEach((value, c) => {
          sums[c] = (sums[c] ?? 0) + value;
        });
      }
      const weight = sums[3] ?? 0;
      if (weight === 0) return;
      const scale = 1 / weight;
      const to = ((block.row + row) * frame.width + block.col + col) * 4;
      rgba.set(
        [...sums.subarray(0, 3)].map((sum) => Math.min(255, sum * scale + 0.5)),
        to,
      );
      rgba[to + 3] = 255;
    });
  }
  return rgba;
}

function sceneOf(
  cells: readonly [number, number],
  cellM: number,
  image: readonly [number, number],
) {
  const random = generator(11);
  const [width, height] = cells;
  const elevationM = Float32Array.from({ length: width * height }, (_, i) =>
    random() < 0.03 ? Number.NaN : Math.sin(i / 50) + 3 * random() ** 8,
  );
  const size = { westM: (-width * cellM) / 2, northM: (height * cellM) / 2, cellM, width, height };
  const surface = { ...size, elevationM };
  const [widthPx, heightPx] = image;
  const middle = { cxPx: widthPx / 2 + 1, cyPx: heightPx / 2 - 1 };
  const bend = { k1: -0.05, k2: 0.01, p1: 0.0004, p2: -0.0003 };
  const lens = { widthPx, heightPx, focalPx: 0.8 * widthPx, ...middle, ...bend };
  const heights = heightRangeUnder(surface, surface);
  const views = boxPoses().map((pose): OrthoView => {
    const rgb = Uint8Array.from({ length: widthPx * heightPx * 3 }, () => 256 * random());
    const depth = drawDepthBuffer(surface, heights, lens, pose);
    const window = { left: 0, top: 0, width: widthPx, height: heightPx };
    const gain = {
      gain: [1 + 0.1 * random(), 0.9, 1.1],
      falloff: [0.2 * random(), 0.1, 0.05],
    } as const;
    return { lens, pose, gain, part: () => ({ window, rgb, depth }) };
  });
  return { surface, views };
}

describe("createOrthoPainter", () => {
  it.each([
    ["even sizes", [96, 96], 0.25, [240, 180], 0.2],
    ["odd sizes", [97, 33], 0.25, [241, 179], 0.13],
    ["images of a few pixels", [30, 30], 0.5, [7, 5], 0.4],
    ["a surface of six cells", [3, 2], 1, [61, 40], 0.1],
  ] as const)("createOrthoPainter paints the bytes of plain loops for %s", (...scene) => {
    const [, cells, cellM, image, orthoM] = scene;
    const { surface, views } = sceneOf(cells, cellM, image);
    const frame = orthoFrame(surface, orthoM);
    const painter = createOrthoPainter(surface, views, frame);
    const rgba = new Uint8Array(frame.width * frame.height * 4).fill(7);
    for (const block of orthoBlocks(frame)) painter.paint(block, rgba);
    expect(rgba.some((value) => value > 0)).toBe(true);
    expect(Buffer.compare(rgba, plainOrtho(surface, views, frame))).toBe(0);
  });

  it("createOrthoPainter refuses a block that its memory does not hold", () => {
    const { surface, views } = sceneOf([96, 96], 0.25, [24, 18]);
    const frame = orthoFrame(surface, 0.25);
    const painter = createOrthoPainter(surface, views, frame);
    const rgba = new Uint8Array(frame.width * frame.height * 4);
    expect(() => painter.paint({ col: 0, row: 0, width: 96, height: 96 }, rgba)).toThrow(
      RangeError,
    );
  });
});
