import type { Draw } from "./draw.ts";
import { axesOf, type PhotoLens, type PhotoShot } from "./photo-camera.ts";
import type { PhotoSite } from "./photo-site.ts";
import { type PhotoTexture, sampleTexture } from "./photo-texture.ts";

/** How the site looks. */
export interface PhotoLook {
  readonly ground: PhotoTexture;
  readonly pile: PhotoTexture;
  /** Edge of a pixel of the textures on the ground, metres. */
  readonly texelM: number;
  /** Share of the textures' contrast that is left, 0 to 1. */
  readonly contrast: number;
}

/** Light of the sky as a share of all, and what the sun adds where it falls straight. */
const SKY = 0.45;
const SUN = 0.65;
/** Steeper faces than this would let a ray step through them. */
const STEEPEST = 1.8;
/** A ray has arrived this near to the surface, metres. */
const ARRIVED_M = 0.001;
const MOST_STEPS = 80;

/** The picture of a shot, red, green and blue by pixel: lens, light, vignette, and noise of shot and reading. */
export function renderPhoto(
  site: PhotoSite,
  look: PhotoLook,
  lens: PhotoLens,
  shot: PhotoShot,
  draw: Draw,
): Uint8Array {
  const { right, down, forward } = axesOf(shot);
  const pixels = new Uint8Array(3 * lens.widthPx * lens.heightPx);
  const exposure = draw.between(0.92, 1.08);
  const [ground, pile] = [new Float64Array(3), new Float64Array(3)];
  for (let row = 0; row < lens.heightPx; row += 1) {
    for (let column = 0; column < lens.widthPx; column += 1) {
      const [xd, yd] = [
        (column - lens.centreXPx) / lens.focalPx,
        (row - lens.centreYPx) / lens.focalPx,
      ];
      const r2 = xd * xd + yd * yd;
      const [x, y] = [xd / (1 + lens.lambda * r2), yd / (1 + lens.lambda * r2)];
      const e = forward[0] + x * right[0] + y * down[0];
      const n = forward[1] + x * right[1] + y * down[1];
      const u = forward[2] + x * right[2] + y * down[2];
      const depth = depthOf(site, shot, e, n, u);
      const [eastM, northM] = [shot.eastM + depth * e, shot.northM + depth * n];
      const spreadPx = depth / lens.focalPx / look.texelM;
      const [tx, ty] = [eastM / look.texelM, northM / look.texelM];
      const share = gridAt(site, site.material, eastM, northM);
      if (share < 1) sampleTexture(look.ground, [tx + 4_000, ty + 2_250, spreadPx], ground);
      if (share > 0) sampleTexture(look.pile, [tx + 2_000, ty + 1_100, spreadPx], pile);
      const light = (SKY + SUN * gridAt(site, site.sunlight, eastM, northM)) * exposure;
      const vignette = 1 - 0.14 * r2;
      for (let colour = 0; colour < 3; colour += 1) {
        const plain =
          (1 - share) * toned(look.ground, look, ground, colour) +
          share * toned(look.pile, look, pile, colour);
        const value = plain * light * vignette;
        const noise = Math.sqrt(2 + 0.03 * value) * gaussian(draw);
        pixels[3 * (row * lens.widthPx + column) + colour] = Math.min(
          255,
          Math.max(0, value + noise),
        );
      }
    }
  }
  return pixels;
}

const toned = (
  texture: PhotoTexture,
  { contrast }: PhotoLook,
  colours: Float64Array,
  colour: number,
) => {
  const mean = texture.mean[colour] ?? 0;
  return mean + contrast * ((colours[colour] ?? 0) - mean);
};

/** Four uniform numbers: normal enough for a sensor, and a third of the cost. */
const gaussian = (draw: Draw) =>
  (draw.next() + draw.next() + draw.next() + draw.next() - 2) * 1.732;

/**
 * How far along (e, n, u) the ray from a shot meets the surface. Steps are as long as no face of
 * {@link STEEPEST} could come in between (J. Hart, "Sphere tracing", 1996, for a height field).
 */
function depthOf(site: PhotoSite, shot: PhotoShot, e: number, n: number, u: number): number {
  if (u >= 0) return 1e4;
  let depth = Math.max(0, (site.topM - shot.upM) / u);
  const closing = -u + STEEPEST * Math.hypot(e, n);
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const clearM =
      shot.upM +
      depth * u -
      gridAt(site, site.heights, shot.eastM + depth * e, shot.northM + depth * n);
    if (clearM < ARRIVED_M) break;
    depth += clearM / closing;
  }
  return depth;
}

/** A value between the middles of four cells; beyond the edge that of the edge. */
function gridAt(
  { cells, cellM, halfM }: PhotoSite,
  grid: Float32Array,
  eastM: number,
  northM: number,
): number {
  const x = Math.min(cells - 1.001, Math.max(0, (eastM + halfM) / cellM - 0.5));
  const y = Math.min(cells - 1.001, Math.max(0, (northM + halfM) / cellM - 0.5));
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const [p, q] = [x - column, y - row];
  const at = row * cells + column;
  const south = (grid[at] ?? 0) * (1 - p) + (grid[at + 1] ?? 0) * p;
  const north = (grid[at + cells] ?? 0) * (1 - p) + (grid[at + cells + 1] ?? 0) * p;
  return south * (1 - q) + north * q;
}
