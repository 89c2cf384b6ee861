import { imagePoint } from "../camera.ts";
import { valueNoise } from "../noise.ts";
import { isShaded, type Light, type ShadowCaster } from "../scene/light.ts";
import type { Block, Crown, Solid } from "../site/solid.ts";
import type { FrameBuffer } from "./frame-buffer.ts";
import { centreAtRow, type View } from "./view.ts";

export interface SolidScene {
  readonly solids: readonly Solid[];
  readonly light: Light;
  readonly caster: ShadowCaster;
}

/** Where a ray meets a solid: distance along the view, outward normal, and a place on the face. */
interface Hit {
  depthM: number;
  normal: [number, number, number];
  /** Coordinates on the face, metres; on sides across and up. */
  across: number;
  up: number;
  isSide: boolean;
}

/** Rays along one edge of a pixel: edges of solids are averaged over 2 x 2. */
const SUBPIXELS = 2;
/** Share of the sky that solids see; they stand free. */
const OPEN_SKY = 0.9;

/** Renders the solids over the ground that is in the picture already. */
export function renderSolids(scene: SolidScene, view: View, out: FrameBuffer): void {
  const near = scene.solids
    .map((solid) => ({ solid, box: boundsInImage(solid, view) }))
    .filter(({ box }) => box !== undefined);
  if (near.length === 0) return;
  // Each pixel's list of solids would cost more than going over each solid's rectangle; where they
  // overlap, sub-pixels remember how near the nearest is.
  const { widthPx, heightPx } = view.lens;
  const slots = SUBPIXELS * SUBPIXELS;
  const nearest = new Float32Array(widthPx * heightPx * slots);
  for (let i = 0; i < nearest.length; i += 1) nearest[i] = out.depthM[Math.floor(i / slots)] ?? 0;
  const shades = new Float32Array(3 * slots * widthPx * heightPx);
  const touched = new Uint8Array(widthPx * heightPx);
  const hit: Hit = { depthM: 0, normal: [0, 0, 0], across: 0, up: 0, isSide: false };
  for (const { solid, box } of near) {
    if (box === undefined) continue;
    for (let row = box.top; row <= box.bottom; row += 1) {
      for (let column = box.left; column <= box.right; column += 1) {
        for (let k = 0; k < slots; k += 1) {
          const ray = subpixelRay(view, row, column, k);
          if (!meet(solid, ray, hit)) continue;
          const pixel = row * widthPx + column;
          const slot = pixel * slots + k;
          if (hit.depthM >= (nearest[slot] ?? 0)) continue;
          if (touched[pixel] === 0) {
            touched[pixel] = 1;
            for (let s = 0; s < slots; s += 1) {
              for (let c = 0; c < 3; c += 1) {
                shades[3 * (pixel * slots + s) + c] = out.colour[3 * pixel + c] ?? 0;
              }
            }
          }
          nearest[slot] = hit.depthM;
          shade(scene, solid, ray, hit, view.lens.focalPx, shades, 3 * slot);
        }
      }
    }
  }
  for (let pixel = 0; pixel < touched.length; pixel += 1) {
    if (touched[pixel] === 0) continue;
    let depthM = 0;
    const sum = [0, 0, 0];
    for (let k = 0; k < slots; k += 1) {
      depthM += nearest[pixel * slots + k] ?? 0;
      for (let c = 0; c < 3; c += 1)
        sum[c] = (sum[c] ?? 0) + (shades[3 * (pixel * slots + k) + c] ?? 0);
    }
    out.depthM[pixel] = depthM / slots;
    for (let c = 0; c < 3; c += 1) out.colour[3 * pixel + c] = (sum[c] ?? 0) / slots;
  }
}

interface Ray {
  readonly from: readonly [number, number, number];
  readonly to: readonly [number, number, number];
}

function subpixelRay(view: View, row: number, column: number, k: number): Ray {
  const { lens, rays, axes } = view;
  const pixel = row * lens.widthPx + column;
  // Within a pixel the lens is a pinhole: its rays are 1/f apart.
  const x = (rays[2 * pixel] ?? 0) + (((k % SUBPIXELS) + 0.5) / SUBPIXELS - 0.5) / lens.focalPx;
  const y =
    (rays[2 * pixel + 1] ?? 0) +
    ((Math.floor(k / SUBPIXELS) + 0.5) / SUBPIXELS - 0.5) / lens.focalPx;
  const { right, down, forward } = axes;
  return {
    from: centreAtRow(view, row),
    to: [
      right[0] * x + down[0] * y + forward[0],
      right[1] * x + down[1] * y + forward[1],
      right[2] * x + down[2] * y + forward[2],
    ],
  };
}

/** Room about a solid's projected corners for the bend of its edges by the lens and the shutter, px. */
const MARGIN_PX = 6;

/** The rectangle of pixels that can show a solid; `undefined`: it is out of sight. */
function boundsInImage(solid: Solid, view: View) {
  const { widthPx, heightPx } = view.lens;
  const halfE =
    solid.kind === "crown" ? solid.radiusM : Math.hypot(solid.halfLengthM, solid.halfWidthM);
  const [low, high] =
    solid.kind === "crown"
      ? [solid.upM - solid.halfHeightM, solid.upM + solid.halfHeightM]
      : [solid.bottomM, solid.topM];
  let [left, right, top, bottom] = [widthPx, -1, heightPx, -1];
  for (let corner = 0; corner < 8; corner += 1) {
    const seen = imagePoint(view.lens, view.axes, view.centre, {
      eastM: solid.centre.eastM + (corner & 1 ? halfE : -halfE),
      northM: solid.centre.northM + (corner & 2 ? halfE : -halfE),
      upM: corner & 4 ? high : low,
    });
    if (seen === undefined) return undefined;
    left = Math.min(left, seen.u);
    right = Math.max(right, seen.u);
    top = Math.min(top, seen.v);
    bottom = Math.max(bottom, seen.v);
  }
  const box = {
    left: Math.max(0, Math.floor(left) - MARGIN_PX),
    right: Math.min(widthPx - 1, Math.ceil(right) + MARGIN_PX),
    top: Math.max(0, Math.floor(top) - MARGIN_PX),
    bottom: Math.min(heightPx - 1, Math.ceil(bottom) + MARGIN_PX),
  };
  return box.left <= box.right && box.top <= box.bottom ? box : undefined;
}

function meet(solid: Solid, ray: Ray, hit: Hit): boolean {
  return solid.kind === "block" ? meetBlock(solid, ray, hit) : meetCrown(solid, ray, hit);
}

/** Slabs of a cuboid (Kay and Kajiya 1986), in its own axes: along, across, up. */
function meetBlock(block: Block, { from, to }: Ray, hit: Hit): boolean {
  const s = Math.sin(block.azimuthRad);
  const c = Math.cos(block.azimuthRad);
  const e = from[0] - block.centre.eastM;
  const n = from[1] - block.centre.northM;
  const start = [e * s + n * c, e * c - n * s, from[2]] as const;
  const toward = [to[0] * s + to[1] * c, to[0] * c - to[1] * s, to[2]] as const;
  const low = [-block.halfLengthM, -block.halfWidthM, block.bottomM] as const;
  const high = [block.halfLengthM, block.halfWidthM, block.topM] as const;
  let enter = 0;
  let leave = Number.POSITIVE_INFINITY;
  let axis = 2;
  for (let k = 0; k < 3; k += 1) {
    const d = toward[k] ?? 0;
    const a = ((low[k] ?? 0) - (start[k] ?? 0)) / d;
    const b = ((high[k] ?? 0) - (start[k] ?? 0)) / d;
    const first = Math.min(a, b);
    if (first > enter) {
      enter = first;
      axis = k;
    }
    leave = Math.min(leave, Math.max(a, b));
  }
  if (!(enter < leave) || enter === 0) return false;
  hit.depthM = enter;
  hit.isSide = axis !== 2;
  const at = (k: number) => (start[k] ?? 0) + enter * (toward[k] ?? 0);
  const sign = (toward[axis] ?? 0) > 0 ? -1 : 1;
  if (axis === 0) hit.normal = [sign * s, sign * c, 0];
  else if (axis === 1) hit.normal = [sign * c, -sign * s, 0];
  else hit.normal = [0, 0, sign];
  hit.across = axis === 0 ? at(1) : at(0);
  hit.up = axis === 2 ? at(1) : at(2) - block.bottomM;
  return true;
}

function meetCrown(crown: Crown, { from, to }: Ray, hit: Hit): boolean {
  const r = crown.radiusM;
  const h = crown.halfHeightM;
  const [px, py, pz] = [
    (from[0] - crown.centre.eastM) / r,
    (from[1] - crown.centre.northM) / r,
    (from[2] - crown.upM) / h,
  ];
  const [dx, dy, dz] = [to[0] / r, to[1] / r, to[2] / h];
  const a = dx * dx + dy * dy + dz * dz;
  const b = px * dx + py * dy + pz * dz;
  const c = px * px + py * py + pz * pz - 1;
  const discriminant = b * b - a * c;
  if (discriminant <= 0) return false;
  const depthM = (-b - Math.sqrt(discriminant)) / a;
  if (depthM <= 0) return false;
  const [x, y, z] = [px + depthM * dx, py + depthM * dy, pz + depthM * dz];
  const length = Math.hypot(x / r, y / r, z / h);
  hit.depthM = depthM;
  hit.normal = [x / r / length, y / r / length, z / h / length];
  hit.isSide = false;
  hit.across = x * r + 0.7 * z * h;
  hit.up = y * r + 0.4 * z * h;
  return true;
}

/** Writes the colour of a hit, 255 times the square root of light. */
function shade(
  { light, caster }: SolidScene,
  solid: Solid,
  { from, to }: Ray,
  { depthM, normal, across, up, isSide }: Hit,
  focalPx: number,
  out: Float32Array,
  at: number,
): void {
  const [e, n, u] = [from[0] + depthM * to[0], from[1] + depthM * to[1], from[2] + depthM * to[2]];
  const facing = normal[0] * light.sun[0] + normal[1] * light.sun[1] + normal[2] * light.sun[2];
  const isLeaf = solid.kind === "crown";
  // Leaves let light through, and shade each other at random rather than with an edge.
  const isSunny =
    facing > 0 && !isShaded(caster, light.sun, e + 0.3 * normal[0], n + 0.3 * normal[1], u + 0.05);
  const sunShare = isLeaf
    ? (isSunny ? 1 : 0.25) * Math.max(0, 0.25 + 0.75 * facing)
    : isSunny
      ? facing
      : 0;
  const open = OPEN_SKY * (0.5 + 0.5 * normal[2]) + 0.1;
  const k = pattern(solid, across, up, isSide, depthM / focalPx);
  for (let c = 0; c < 3; c += 1) {
    const lit = (light.sunColour[c] ?? 0) * sunShare + (light.skyColour[c] ?? 0) * open;
    out[at + c] = 255 * Math.sqrt(Math.max(0, (solid.colour[c] ?? 0) * lit)) * k;
  }
}

/** Relative brightness of a place on a face; details smaller than two pixels are left out. */
function pattern(
  solid: Solid,
  across: number,
  up: number,
  isSide: boolean,
  pixelM: number,
): number {
  const isLeaf = solid.kind === "crown";
  let k = 1;
  for (const wavelength of [1.6, 0.8, 0.4, 0.2, 0.1]) {
    if (wavelength < 2 * pixelM) break;
    const amplitude = isLeaf ? 0.17 : 0.05;
    k += amplitude * valueNoise(across / wavelength, up / wavelength, solid.seed);
  }
  if (isLeaf || !isSide) return Math.max(0.3, k);
  if (solid.sides === "ribs") return k * (Math.floor(across / 0.14) % 2 === 0 ? 1 : 0.9);
  if (solid.sides !== "windows") return k;
  const bay = across / 2.4 - Math.floor(across / 2.4);
  const storey = up / 3 - Math.floor(up / 3);
  return bay > 0.28 && bay < 0.72 && storey > 0.3 && storey < 0.78 ? 0.3 : k;
}
