import {
  compose,
  inverse,
  rotate,
  rotationFromVector,
  type Vector3,
} from "../../../../processing/geometry/rotation.ts";
import type { HeightField } from "../../../../processing/grid/elevation-grid.ts";
import type { Intrinsics, Pose } from "../../../../processing/photogrammetry/camera/camera.ts";
import { undistort } from "../../../../processing/photogrammetry/camera/camera.ts";
import type { ColourImage } from "../../../../processing/photogrammetry/ortho/ortho-view.ts";

/** Flat ground with soft grey waves, and a tall block: red on top, blue on its walls. */
export const BOX = { halfM: 2, heightM: 6 };
export const ROOF = [200, 30, 30] as const;
const WALL = [20, 20, 230] as const;

/** Red and green of the ground follow its waves; its blue is even, so that a wall shows at once. */
export function groundColour(x: number, y: number): readonly [number, number, number] {
  const wave = 120 + 30 * Math.sin(x / 1.3) + 25 * Math.cos(y / 1.7 + x / 3);
  return [wave, wave * 0.9, 90];
}

export function isRoof(x: number, y: number): boolean {
  return Math.abs(x) <= BOX.halfM && Math.abs(y) <= BOX.halfM;
}

/** The scene's true surface: 24 x 24 m, cells of 0.25 m. */
export function boxSurface(): HeightField {
  const width = 96;
  const elevationM = new Float32Array(width * width);
  for (let i = 0; i < elevationM.length; i += 1) {
    const x = -12 + ((i % width) + 0.5) * 0.25;
    const y = 12 - (Math.floor(i / width) + 0.5) * 0.25;
    elevationM[i] = isRoof(x, y) ? BOX.heightM : 0;
  }
  return { westM: -12, northM: 12, cellM: 0.25, width, height: width, elevationM };
}

const LENS: Intrinsics = {
  widthPx: 240,
  heightPx: 180,
  focalPx: 190,
  cxPx: 121,
  cyPx: 88,
  k1: -0.05,
  k2: 0.01,
  p1: 0.0004,
  p2: -0.0003,
};

/** Points straight down with the image's top to the north, but for a turn in its own frame. */
function downwards(turn: Vector3): Pose["rotation"] {
  return compose(rotationFromVector(turn), Float64Array.of(1, 0, 0, 0, -1, 0, 0, 0, -1));
}

/** Nine views 30 m up on a raster of 8 m and two that lean by 35 degrees. */
export function boxPoses(): Pose[] {
  const poses: Pose[] = [];
  for (const y of [-8, 0, 8]) {
    for (const x of [-8, 0, 8]) {
      poses.push({ rotation: downwards([0.02, -0.01, 0.03 * x]), centre: [x, y, 30] });
    }
  }
  poses.push({ rotation: downwards([-0.6, 0, 0]), centre: [0, -18, 26] });
  poses.push({ rotation: downwards([0, 0.6, 0]), centre: [18, 0, 26] });
  return poses;
}

/** The picture of the scene: one ray a pixel, no noise; `level` scales it, `falloff` darkens its corners. */
export function renderBox(pose: Pose, level = 1, falloff = 0): ColourImage {
  const rgb = new Uint8Array(LENS.widthPx * LENS.heightPx * 3);
  const toWorld = inverse(pose.rotation);
  const half2 = (LENS.widthPx ** 2 + LENS.heightPx ** 2) / 4;
  for (let v = 0; v < LENS.heightPx; v += 1) {
    for (let u = 0; u < LENS.widthPx; u += 1) {
      const [x, y] = undistort(LENS, u, v);
      const colour = trace(pose.centre, rotate(toWorld, [x, y, 1]));
      const radius2 = ((u - LENS.cxPx) ** 2 + (v - LENS.cyPx) ** 2) / half2;
      const light = level * Math.exp(-falloff * radius2);
      for (let c = 0; c < 3; c += 1) {
        rgb[(v * LENS.widthPx + u) * 3 + c] = Math.min(255, Math.round((colour[c] ?? 0) * light));
      }
    }
  }
  return { lens: LENS, pose, rgb };
}

function trace([ox, oy, oz]: Vector3, [dx, dy, dz]: Vector3): readonly number[] {
  // Slabs of the block (Kay & Kajiya 1986): where the ray is within all three pairs of planes.
  let enter = Number.NEGATIVE_INFINITY;
  let leave = Number.POSITIVE_INFINITY;
  let isTop = false;
  for (const [o, d, low, high] of [
    [ox, dx, -BOX.halfM, BOX.halfM],
    [oy, dy, -BOX.halfM, BOX.halfM],
    [oz, dz, 0, BOX.heightM],
  ] as const) {
    const near = Math.min((low - o) / d, (high - o) / d);
    if (near > enter) {
      enter = near;
      isTop = o === oz && d === dz;
    }
    leave = Math.min(leave, Math.max((low - o) / d, (high - o) / d));
  }
  if (enter < leave) return isTop ? ROOF : WALL;
  const t = -oz / dz;
  return groundColour(ox + dx * t, oy + dy * t);
}
