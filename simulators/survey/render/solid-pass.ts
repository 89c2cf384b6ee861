import { imagePoint } from "../flight/camera.ts";
import type { Light, ShadowCaster } from "../scene/light.ts";
import { type Solid, solidReachM } from "../site/solid.ts";
import type { FrameBuffer } from "./frame-buffer.ts";
import { createHit, createRay, meet, type Ray } from "./solid-hit.ts";
import { shadeSolid } from "./solid-shade.ts";
import { centreAtRow, type View } from "./view.ts";

export interface SolidScene {
  readonly solids: readonly Solid[];
  readonly light: Light;
  readonly caster: ShadowCaster;
}

/** Rays along one edge of a pixel: edges of solids are averaged over 2 x 2. */
const EDGE_RAYS = 2;
const RAYS = EDGE_RAYS * EDGE_RAYS;

/** Colour and depth of the rays of those pixels that a solid touches. */
interface TouchedPixels {
  /** By pixel of the picture: its place in the arrays, or -1. */
  readonly slots: Int32Array;
  count: number;
  colour: Float32Array;
  depthM: Float32Array;
}

/** Renders the solids over the ground that is in the picture already. */
export function renderSolids(scene: SolidScene, view: View, out: FrameBuffer): void {
  const { widthPx, heightPx, focalPx } = view.lens;
  const touched: TouchedPixels = {
    slots: new Int32Array(widthPx * heightPx).fill(-1),
    count: 0,
    colour: new Float32Array(3 * RAYS * 4_096),
    depthM: new Float32Array(RAYS * 4_096),
  };
  const ray = createRay();
  const hit = createHit();
  for (const solid of scene.solids) {
    const box = boundsInImage(solid, view);
    if (box === undefined) continue;
    for (let row = box.top; row <= box.bottom; row += 1) {
      [ray.fe, ray.fn, ray.fu] = centreAtRow(view, row);
      for (let column = box.left; column <= box.right; column += 1) {
        const pixel = row * widthPx + column;
        // Within a pixel a face has one colour; only its outline is finer.
        let shadedFace = -1;
        let shadedAt = 0;
        for (let k = 0; k < RAYS; k += 1) {
          aim(view, pixel, k, ray);
          if (!meet(solid, ray, hit)) continue;
          const slot = touch(touched, pixel, out) * RAYS + k;
          if (hit.depthM >= (touched.depthM[slot] ?? 0)) continue;
          touched.depthM[slot] = hit.depthM;
          const { colour } = touched;
          if (hit.face === shadedFace) colour.copyWithin(3 * slot, shadedAt, shadedAt + 3);
          else shadeSolid(solid, ray, hit, scene.light, scene.caster, focalPx, colour, 3 * slot);
          shadedFace = hit.face;
          shadedAt = 3 * slot;
        }
      }
    }
  }
  resolve(touched, out);
}

/** Points a ray through one of a pixel's places; within a pixel the lens is a pinhole. */
function aim({ lens, rays, axes }: View, pixel: number, k: number, ray: Ray): void {
  const x =
    (rays[2 * pixel] ?? 0) + ((k % EDGE_RAYS) + 0.5 - EDGE_RAYS / 2) / EDGE_RAYS / lens.focalPx;
  const y =
    (rays[2 * pixel + 1] ?? 0) +
    (Math.floor(k / EDGE_RAYS) + 0.5 - EDGE_RAYS / 2) / EDGE_RAYS / lens.focalPx;
  const { right, down, forward } = axes;
  ray.te = right[0] * x + down[0] * y + forward[0];
  ray.tn = right[1] * x + down[1] * y + forward[1];
  ray.tu = right[2] * x + down[2] * y + forward[2];
}

/** The place of a pixel's rays; at the first touch they show the ground. */
function touch(touched: TouchedPixels, pixel: number, out: FrameBuffer): number {
  const known = touched.slots[pixel] ?? -1;
  if (known >= 0) return known;
  const slot = touched.count;
  touched.count += 1;
  touched.slots[pixel] = slot;
  if ((slot + 1) * RAYS > touched.depthM.length) {
    touched.depthM = doubled(touched.depthM);
    touched.colour = doubled(touched.colour);
  }
  for (let k = slot * RAYS; k < (slot + 1) * RAYS; k += 1) {
    touched.depthM[k] = out.depthM[pixel] ?? 0;
    for (let c = 0; c < 3; c += 1) touched.colour[3 * k + c] = out.colour[3 * pixel + c] ?? 0;
  }
  return slot;
}

function doubled(numbers: Float32Array): Float32Array {
  const larger = new Float32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}

/** Averages the rays of touched pixels into the picture. */
function resolve({ slots, colour, depthM }: TouchedPixels, out: FrameBuffer): void {
  for (let pixel = 0; pixel < slots.length; pixel += 1) {
    const slot = slots[pixel] ?? -1;
    if (slot < 0) continue;
    let depth = 0;
    let red = 0;
    let green = 0;
    let blue = 0;
    for (let k = slot * RAYS; k < (slot + 1) * RAYS; k += 1) {
      depth += depthM[k] ?? 0;
      red += colour[3 * k] ?? 0;
      green += colour[3 * k + 1] ?? 0;
      blue += colour[3 * k + 2] ?? 0;
    }
    out.depthM[pixel] = depth / RAYS;
    out.colour[3 * pixel] = red / RAYS;
    out.colour[3 * pixel + 1] = green / RAYS;
    out.colour[3 * pixel + 2] = blue / RAYS;
  }
}

/** Room about a solid's projected corners for the bend of its edges by the lens and the shutter, px. */
const MARGIN_PX = 6;

/** The rectangle of pixels that can show a solid; `undefined`: it is out of sight. */
function boundsInImage(solid: Solid, view: View) {
  const { widthPx, heightPx } = view.lens;
  const reachM = solidReachM(solid);
  const [low, high] =
    solid.kind === "crown"
      ? [solid.upM - solid.halfHeightM, solid.upM + solid.halfHeightM]
      : [solid.bottomM, solid.topM];
  let [left, right, top, bottom] = [widthPx, -1, heightPx, -1];
  for (let corner = 0; corner < 8; corner += 1) {
    const seen = imagePoint(view.lens, view.axes, view.centre, {
      eastM: solid.centre.eastM + (corner & 1 ? reachM : -reachM),
      northM: solid.centre.northM + (corner & 2 ? reachM : -reachM),
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
