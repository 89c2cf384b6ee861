import { BLOCK_CELLS, type HeightBlocks } from "../scene/blocks.ts";
import type { NodeFrame } from "../scene/height-field.ts";
import type { Texture } from "../scene/texture.ts";
import type { FrameBuffer } from "./frame-buffer.ts";
import { createSampler } from "./texture-sampler.ts";
import { centreAtRow, type View } from "./view.ts";

/** Ground that rays fall on. */
export interface TerrainScene {
  readonly frame: NodeFrame;
  readonly terrain: Float32Array;
  readonly blocks: HeightBlocks;
  readonly texture: Texture;
  /** Rise per metre east and north of the plane that goes on beyond the nodes. */
  readonly tiltEast: number;
  readonly tiltNorth: number;
}

/** A ray has met the ground when it is this near above it, metres; then one step of the slope is left. */
const NEAR_M = 0.004;
/** Steps down to the ground of one ray at most; typical are 5 to 12. */
const STEP_LIMIT = 600;
/**
 * How sharp the lens and sensor are: texels averaged over this share of a pixel's width. Less shows aliasing,
 * more is a blur that no survey camera has.
 */
const SHARPNESS = 0.9;

/**
 * Renders the ground into a picture: a ray a pixel, marched through the height field. Steps are bounded
 * by the block's steepest slope, so no ray passes through ground; what is returned is within 0.1 mm of
 * the bilinear surface (tested).
 */
export function renderTerrain(scene: TerrainScene, view: View, out: FrameBuffer): void {
  const { right, down, forward } = view.axes;
  const { widthPx, heightPx, rays } = { ...view.lens, rays: view.rays };
  const sample = createSampler(scene.texture);
  const cast = createCaster(scene);
  for (let row = 0; row < heightPx; row += 1) {
    const [ce, cn, cu] = centreAtRow(view, row);
    for (let column = 0; column < widthPx; column += 1) {
      const pixel = row * widthPx + column;
      const x = rays[2 * pixel] ?? 0;
      const y = rays[2 * pixel + 1] ?? 0;
      const de = right[0] * x + down[0] * y + forward[0];
      const dn = right[1] * x + down[1] * y + forward[1];
      const du = right[2] * x + down[2] * y + forward[2];
      const depthM = cast(ce, cn, cu, de, dn, du);
      out.depthM[pixel] = depthM;
      // A pixel's footprint is stretched along the view where it meets the ground at a slant.
      const slant = Math.sqrt(Math.sqrt(de * de + dn * dn + du * du) / Math.max(1e-3, -du));
      const footprintM = (SHARPNESS * slant * depthM) / view.lens.focalPx;
      sample(ce + depthM * de, cn + depthM * dn, footprintM, out.colour, 3 * pixel);
    }
  }
}

/** How far a ray goes before it meets the ground; the direction is not normalised. */
export type Caster = (
  ce: number,
  cn: number,
  cu: number,
  de: number,
  dn: number,
  du: number,
) => number;

/** Rays at or above the horizon end here, metres along the view. */
const FAR_M = 5_000;

/** Prepares the casting of rays against a scene. */
export function createCaster(scene: TerrainScene): Caster {
  const { frame, terrain, blocks, tiltEast, tiltNorth } = scene;
  const { size, cellM, extentM } = frame;
  const cells = size - 1;
  let highest = Number.NEGATIVE_INFINITY;
  for (const top of blocks.topM) highest = Math.max(highest, top);

  /** Where the ray meets the tilted plane that the ground goes on as. */
  function onPlane(ce: number, cn: number, cu: number, de: number, dn: number, du: number): number {
    const sinking = tiltEast * de + tiltNorth * dn - du;
    return sinking <= 1e-4
      ? FAR_M
      : Math.min(FAR_M, (cu - tiltEast * ce - tiltNorth * cn) / sinking);
  }

  return (ce, cn, cu, de, dn, du) => {
    if (du >= -1e-4) return onPlane(ce, cn, cu, de, dn, du);
    const level = Math.sqrt(de * de + dn * dn);
    // In cells: x east, y south.
    const x0 = (ce + extentM) / cellM;
    const y0 = (extentM - cn) / cellM;
    const dx = de / cellM;
    const dy = -dn / cellM;
    let t = Math.max(0, (highest - cu) / du);
    for (let step = 0; step < STEP_LIMIT; step += 1) {
      const x = x0 + dx * t;
      const y = y0 + dy * t;
      if (!(x >= 0 && y >= 0 && x < cells && y < cells)) return onPlane(ce, cn, cu, de, dn, du);
      const bx = Math.floor(x / BLOCK_CELLS);
      const by = Math.floor(y / BLOCK_CELLS);
      const block = by * blocks.size + bx;
      const z = cu + du * t;
      const blockTop = blocks.topM[block] ?? 0;
      // Where the ray leaves the block, a hair beyond the border.
      const edgeX = dx > 0 ? (bx + 1) * BLOCK_CELLS : bx * BLOCK_CELLS;
      const edgeY = dy > 0 ? (by + 1) * BLOCK_CELLS : by * BLOCK_CELLS;
      const leaveX = dx === 0 ? Number.POSITIVE_INFINITY : (edgeX - x0) / dx;
      const leaveY = dy === 0 ? Number.POSITIVE_INFINITY : (edgeY - y0) / dy;
      const leave = (leaveX < leaveY ? leaveX : leaveY) + 1e-5;
      if (z > blockTop) {
        const enters = (blockTop - cu) / du;
        t = enters < leave ? enters + 1e-7 : leave;
        continue;
      }
      const column = Math.floor(x);
      const line = Math.floor(y);
      const i = line * size + column;
      const a = x - column;
      const b = y - line;
      const nw = terrain[i] ?? 0;
      const ne = terrain[i + 1] ?? 0;
      const sw = terrain[i + size] ?? 0;
      const se = terrain[i + size + 1] ?? 0;
      const upper = nw + a * (ne - nw);
      const lower = sw + a * (se - sw);
      const gap = z - (upper + b * (lower - upper));
      if (gap < NEAR_M) {
        // The last bit by the patch's own slope along the ray.
        const rise = ((ne - nw) * (1 - b) + (se - sw) * b) * dx + (lower - upper) * dy;
        return t + gap / (rise - du);
      }
      const closing = (blocks.slope[block] ?? 0) * level - du;
      const next = t + gap / closing;
      t = next < leave ? next : leave;
    }
    return t;
  };
}
