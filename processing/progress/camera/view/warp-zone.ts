import type { ImagePoint } from "../../../../domain/sites/site-camera.ts";
import { type FrameMap, mapPoint } from "./frame-map.ts";
import { insideOutline } from "./outline.ts";
import { FRAME, type ViewPixels } from "./view-frame.ts";

/** Size at which a zone is analysed, pixels: the box around its outline (docs/progress-method.md#fixed-cameras). */
export const PATCH = { width: 128, height: 96 } as const;

/** A zone as a view shows it, brought onto the reference view. */
export interface ZonePatch {
  /** Red, green, blue of the patch, 0 to 255, row-major. */
  readonly rgb: Float32Array;
  /** 1 inside of the outline, else 0. */
  readonly mask: Uint8Array;
  /** Share of the outline that lies within the picture, 0 to 1. */
  readonly observedFraction: number;
}

/**
 * Cuts a zone out of a view. `map` says where points of the reference view, in which the outline is drawn,
 * lie in this one. What lies outside of the picture repeats its edge.
 */
export function warpZone(
  pixels: ViewPixels,
  map: FrameMap,
  outline: readonly ImagePoint[],
): ZonePatch {
  const box = boxOf(outline);
  const rgb = new Float32Array(PATCH.width * PATCH.height * 3);
  const mask = new Uint8Array(PATCH.width * PATCH.height);
  let inside = 0;
  let seen = 0;
  for (let row = 0; row < PATCH.height; row++) {
    const y = box.top + ((row + 0.5) / PATCH.height) * box.height;
    for (let col = 0; col < PATCH.width; col++) {
      const x = box.left + ((col + 0.5) / PATCH.width) * box.width;
      const at = row * PATCH.width + col;
      const [u, v] = mapPoint(map, x * FRAME.width, y * FRAME.height);
      const [across, down] = [u / FRAME.width, v / FRAME.height];
      sample(pixels, across * pixels.width - 0.5, down * pixels.height - 0.5, rgb, at * 3);
      if (!insideOutline(outline, x, y)) continue;
      mask[at] = 1;
      inside += 1;
      if (across >= 0 && across <= 1 && down >= 0 && down <= 1) seen += 1;
    }
  }
  return { rgb, mask, observedFraction: inside === 0 ? 0 : seen / inside };
}

function boxOf(outline: readonly ImagePoint[]) {
  const xs = outline.map(([x]) => x);
  const ys = outline.map(([, y]) => y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

/** Bilinear; `x` and `y` in pixels from the middle of the first one. */
function sample(
  { width, height, rgb }: ViewPixels,
  x: number,
  y: number,
  into: Float32Array,
  at: number,
): void {
  const [u, v] = [Math.max(0, Math.min(width - 1, x)), Math.max(0, Math.min(height - 1, y))];
  const [left, top] = [Math.floor(u), Math.floor(v)];
  const [fx, fy] = [u - left, v - top];
  const right = Math.min(width - 1, left + 1);
  const below = Math.min(height - 1, top + 1);
  for (let c = 0; c < 3; c++) {
    const value = (col: number, row: number): number => rgb[(row * width + col) * 3 + c] ?? 0;
    const upper = value(left, top) * (1 - fx) + value(right, top) * fx;
    const lower = value(left, below) * (1 - fx) + value(right, below) * fx;
    into[at + c] = upper * (1 - fy) + lower * fy;
  }
}
