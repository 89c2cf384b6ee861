import { describe, expect, it } from "vitest";
import { heightRangeUnder } from "../../../../processing/grid/elevation-at.ts";
import type { GridFrame } from "../../../../processing/grid/elevation-grid.ts";
import { drawDepthBuffer } from "../../../../processing/photogrammetry/ortho/depth-buffer.ts";
import {
  blockFrame,
  blocksOf,
  createOrthoPainter,
  orthoBlocks,
  orthoFrame,
} from "../../../../processing/photogrammetry/ortho/ortho-block.ts";
import type { OrthoView } from "../../../../processing/photogrammetry/ortho/ortho-view.ts";
import { viewWindow } from "../../../../processing/photogrammetry/ortho/view-window.ts";
import { BOX, boxPoses, boxSurface, groundColour, isRoof, ROOF, renderBox } from "./box-scene.ts";

const NEUTRAL = { gain: [1, 1, 1], falloff: [0, 0, 0] } as const;
const surface = boxSurface();
const views = boxPoses().map((pose): OrthoView => {
  const image = renderBox(pose);
  const depth = drawDepthBuffer(surface, heightRangeUnder(surface, surface), image.lens, pose);
  const { lens, rgb } = image;
  const window = { left: 0, top: 0, width: lens.widthPx, height: lens.heightPx };
  return { lens, pose, gain: NEUTRAL, part: () => ({ window, rgb, depth }) };
});

function paint(over: typeof surface, by: readonly OrthoView[], cellM: number) {
  const frame = orthoFrame(over, cellM);
  const rgba = new Uint8Array(frame.width * frame.height * 4).fill(7);
  const painter = createOrthoPainter(over, by, frame);
  for (const block of orthoBlocks(frame)) painter.paint(block, rgba);
  return { frame, rgba };
}

function* cellsOf(frame: GridFrame): Generator<{ x: number; y: number; at: number }> {
  for (let i = 0; i < frame.width * frame.height; i += 1) {
    const x = frame.westM + ((i % frame.width) + 0.5) * frame.cellM;
    const y = frame.northM - (Math.floor(i / frame.width) + 0.5) * frame.cellM;
    yield { x, y, at: i * 4 };
  }
}

/** Metres from the walls' foot, either side. */
function fromWall(x: number, y: number): number {
  return Math.abs(Math.max(Math.abs(x), Math.abs(y)) - BOX.halfM);
}

describe("true orthophoto of a block 6 m high", () => {
  const { frame, rgba } = paint(surface, views, 0.125);

  it("a true orthophoto of a block 6 m high shows neither the walls nor a second roof beside the block", () => {
    let ghosts = 0;
    let looked = 0;
    // The surface's wall is a slope one cell (0.25 m) wide and a pixel of the depth buffer is 0.3 m:
    // within three cells of the wall a picture may be mixed.
    for (const { x, y, at } of cellsOf(frame)) {
      if (fromWall(x, y) < 0.75 || rgba[at + 3] === 0) continue;
      looked += 1;
      const truth = isRoof(x, y) ? ROOF : groundColour(x, y);
      const error = Math.max(...truth.map((c, k) => Math.abs(c - (rgba[at + k] ?? 0))));
      if (error > 12) ghosts += 1;
    }
    expect(looked).toBeGreaterThan(30_000);
    expect(ghosts).toBe(0);
  });

  it("a true orthophoto of a block 6 m high leaves ghosts when the depth buffers are switched off: the check above can fail", () => {
    const blind = views.map((view) => {
      const { depth, ...part } = view.part();
      return { ...view, part: () => ({ ...part, depth: { ...depth, keep: 0 } }) };
    });
    const seeing = paint(surface, blind.slice(0, 1), 0.125);
    const isBlue = (at: number) => (seeing.rgba[at + 2] ?? 0) > 150;
    const walls = [...cellsOf(seeing.frame)].filter(({ at }) => isBlue(at)).length;
    const honest = paint(surface, views.slice(0, 1), 0.125);
    const left = [...cellsOf(honest.frame)].filter(
      ({ x, y, at }) => fromWall(x, y) > 0.5 && (honest.rgba[at + 2] ?? 0) > 150,
    ).length;
    expect(walls).toBeGreaterThan(200);
    expect(left).toBe(0);
  });

  it("a true orthophoto of a block 6 m high gives alpha 0 to what its only view cannot see, and sees the rest", () => {
    // From (-8, -8, 30) the shadow of a roof 6 m high reaches 6 / 24 of the distance further: the far
    // edge at 10 m from the view's foot is laid out to 12.5 m, that is 2.5 m beyond the block.
    const one = paint(surface, views.slice(0, 1), 0.125);
    const alphaAt = (x: number, y: number) => {
      const col = Math.floor((x - one.frame.westM) / one.frame.cellM);
      const row = Math.floor((one.frame.northM - y) / one.frame.cellM);
      return one.rgba[(row * one.frame.width + col) * 4 + 3];
    };
    expect([alphaAt(3.6, 3.6), alphaAt(4, 3)]).toEqual([0, 0]);
    expect([alphaAt(5.4, 0), alphaAt(-3, -3), alphaAt(0, 0)]).toEqual([255, 255, 255]);
  });

  it("a true orthophoto of a block 6 m high leaves cells without a height out", () => {
    const holed = { ...surface, elevationM: Float32Array.from(surface.elevationM) };
    holed.elevationM[10 * surface.width + 20] = Number.NaN;
    const cells = paint(holed, views, 0.25);
    const alphas = [19, 20, 21].map((col) => cells.rgba[(10 * cells.frame.width + col) * 4 + 3]);
    expect(alphas).toEqual([255, 0, 255]);
  });

  it("a true orthophoto of a block 6 m high paints the same from parts of the images that only just show the ground", () => {
    const painted = new Uint8Array(rgba.length);
    const fromWhole = new Uint8Array(rgba.length);
    const whole = createOrthoPainter(surface, views, frame);
    let pixels = 0;
    for (const region of orthoBlocks(frame, 48)) {
      const place = blockFrame(frame, region);
      const range = heightRangeUnder(surface, place);
      const parts = views.map((view): OrthoView => {
        const { window: image, rgb, depth: all } = view.part();
        const window = viewWindow(view.lens, view.pose, place, range);
        const [left, top] = [window.left / all.stepPx, window.top / all.stepPx];
        const width = Math.ceil(window.width / all.stepPx);
        const height = Math.ceil(window.height / all.stepPx);
        const inverseDepth = Float32Array.from(
          { length: width * height },
          (_, i) =>
            all.inverseDepth[(top + Math.floor(i / width)) * all.width + left + (i % width)] ?? 0,
        );
        const depth = { ...all, width, height, inverseDepth };
        pixels += window.width * window.height;
        const cut = Uint8Array.from({ length: window.width * window.height * 3 }, (_, i) => {
          const pixel = Math.floor(i / 3);
          const x = window.left + (pixel % window.width);
          const y = window.top + Math.floor(pixel / window.width);
          return rgb[(y * image.width + x) * 3 + (i % 3)] ?? 0;
        });
        return { ...view, part: () => ({ window, rgb: cut, depth }) };
      });
      const painter = createOrthoPainter(surface, parts, frame);
      for (const block of blocksOf(region)) {
        painter.paint(block, painted);
        whole.paint(block, fromWhole);
      }
    }
    // Much less is read than the images have, 16 regions over.
    expect(pixels).toBeLessThan(0.4 * 16 * views.length * 240 * 180);
    expect(Buffer.compare(Buffer.from(painted), Buffer.from(fromWhole))).toBe(0);
  });

  it("a true orthophoto of a block 6 m high paints the same bytes whatever the blocks and their order", () => {
    const other = new Uint8Array(rgba.length);
    const painter = createOrthoPainter(surface, views, frame);
    for (const block of orthoBlocks(frame).reverse()) painter.paint(block, other);
    expect(Buffer.compare(Buffer.from(other), Buffer.from(rgba))).toBe(0);
  });
});
