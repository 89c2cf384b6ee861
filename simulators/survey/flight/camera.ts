import type { SitePoint } from "../coordinates/place.ts";

/**
 * The simulated lens. An image point is where the sensor has it, in pixels, (0, 0) the middle of the
 * upper left one, u to the right, v down. For a ray (x, y, 1) in the camera (x right, y down):
 * u = cx + f (x (1 + k1 r2 + k2 r4) + 2 p1 x y + p2 (r2 + 2 x2)),
 * v = cy + f (y (1 + k1 r2 + k2 r4) + p1 (r2 + 2 y2) + 2 p2 x y), r2 = x2 + y2
 * (Brown 1971, "Close-range camera calibration"; order and signs as OpenCV names them).
 */
export interface TrueLens {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly focalPx: number;
  readonly cxPx: number;
  readonly cyPx: number;
  readonly k1: number;
  readonly k2: number;
  readonly p1: number;
  readonly p2: number;
}

/** Directions of the world (ENU) that the camera's axes have; unit length, at right angles. */
export interface CameraAxes {
  readonly right: readonly [number, number, number];
  readonly down: readonly [number, number, number];
  readonly forward: readonly [number, number, number];
}

/** Attitude as DJI's XMP states it, degrees. */
export interface Attitude {
  /** Clockwise from true north, seen from above. */
  readonly yawDeg: number;
  /** Above the horizon: -90 looks straight down. */
  readonly pitchDeg: number;
  /** Clockwise seen along the view: the right edge of the frame goes down. */
  readonly rollDeg: number;
}

const RAD_PER_DEG = Math.PI / 180;

/**
 * Axes of a camera by yaw, pitch and roll, built by turning a level camera that looks north step by
 * step. First about the vertical, then about its right edge, then about the view. At pitch -90 the
 * upper edge of the picture is towards the yaw.
 */
export function cameraAxes({ yawDeg, pitchDeg, rollDeg }: Attitude): CameraAxes {
  const yaw = yawDeg * RAD_PER_DEG;
  const pitch = pitchDeg * RAD_PER_DEG;
  const roll = rollDeg * RAD_PER_DEG;
  // Clockwise from north: north (0, 1, 0) goes to east (1, 0, 0) at 90 degrees.
  const ahead = [Math.sin(yaw), Math.cos(yaw), 0] as const;
  const side = [Math.cos(yaw), -Math.sin(yaw), 0] as const;
  const forward = [
    ahead[0] * Math.cos(pitch),
    ahead[1] * Math.cos(pitch),
    Math.sin(pitch),
  ] as const;
  const top = [-ahead[0] * Math.sin(pitch), -ahead[1] * Math.sin(pitch), Math.cos(pitch)] as const;
  const c = Math.cos(roll);
  const s = Math.sin(roll);
  return {
    right: [side[0] * c - top[0] * s, side[1] * c - top[1] * s, -top[2] * s],
    down: [-top[0] * c - side[0] * s, -top[1] * c - side[1] * s, -top[2] * c],
    forward,
  };
}

/** Where a point is seen, and how far along the view (metres). */
export interface ImagePoint {
  readonly u: number;
  readonly v: number;
  readonly depthM: number;
}

/** The image of a point; `undefined` when it is not in front of the camera. It may lie off the frame. */
export function imagePoint(
  lens: TrueLens,
  axes: CameraAxes,
  centre: SitePoint,
  point: SitePoint,
): ImagePoint | undefined {
  const e = point.eastM - centre.eastM;
  const n = point.northM - centre.northM;
  const z = point.upM - centre.upM;
  const along = (axis: readonly [number, number, number]) =>
    axis[0] * e + axis[1] * n + axis[2] * z;
  const depthM = along(axes.forward);
  if (depthM <= 0) return undefined;
  const [u, v] = distort(lens, along(axes.right) / depthM, along(axes.down) / depthM);
  return { u, v, depthM };
}

/** The pixel of the ray (x, y, 1). */
export function distort(lens: TrueLens, x: number, y: number): readonly [u: number, v: number] {
  const r2 = x * x + y * y;
  const stretch = 1 + lens.k1 * r2 + lens.k2 * r2 * r2;
  const dx = 2 * lens.p1 * x * y + lens.p2 * (r2 + 2 * x * x);
  const dy = lens.p1 * (r2 + 2 * y * y) + 2 * lens.p2 * x * y;
  return [
    lens.cxPx + lens.focalPx * (x * stretch + dx),
    lens.cyPx + lens.focalPx * (y * stretch + dy),
  ];
}

/** Newton's steps for one ray; two reach 1e-9 px from a neighbour's solution, four from the pinhole's. */
const NEWTON_STEPS = 4;
/** Half a step of the numeric derivative, in units of x and y; 1e-9 of rounding is left. */
const STEP = 1e-6;

/**
 * The ray (x, y, 1) that a pixel sees, by Newton's method on {@link distort} with numeric derivatives,
 * so that there is one formula of the lens in the simulator.
 */
export function viewRay(lens: TrueLens, u: number, v: number): readonly [x: number, y: number] {
  let x = (u - lens.cxPx) / lens.focalPx;
  let y = (v - lens.cyPx) / lens.focalPx;
  for (let i = 0; i < NEWTON_STEPS; i += 1) {
    const [u0, v0] = distort(lens, x, y);
    const [ux, vx] = distort(lens, x + STEP, y);
    const [uy, vy] = distort(lens, x, y + STEP);
    const a = (ux - u0) / STEP;
    const b = (uy - u0) / STEP;
    const c = (vx - v0) / STEP;
    const d = (vy - v0) / STEP;
    const determinant = a * d - b * c;
    x += (d * (u - u0) - b * (v - v0)) / determinant;
    y += (a * (v - v0) - c * (u - u0)) / determinant;
  }
  return [x, y];
}

/** Pixels between the nodes of the table that {@link viewRays} interpolates. */
const RAY_NODE_PX = 4;

/**
 * Rays of all pixels: x and y in turn, row-major, length `2 * widthPx * heightPx`. Solved at every
 * fourth pixel and interpolated between (error below 1e-3 px for |k1| <= 0.1, tested).
 */
export function viewRays(lens: TrueLens): Float32Array {
  const { widthPx, heightPx } = lens;
  const columns = Math.ceil(widthPx / RAY_NODE_PX) + 1;
  const upper = new Float64Array(columns * 2);
  const lower = new Float64Array(columns * 2);
  const load = (line: Float64Array, v: number) => {
    for (let k = 0; k < columns; k += 1) {
      const [x, y] = viewRay(lens, k * RAY_NODE_PX, v);
      line[2 * k] = x;
      line[2 * k + 1] = y;
    }
  };
  const rays = new Float32Array(new SharedArrayBuffer(8 * widthPx * heightPx));
  load(lower, 0);
  for (let row = 0; row < heightPx; row += 1) {
    const b = (row % RAY_NODE_PX) / RAY_NODE_PX;
    if (b === 0) {
      upper.set(lower);
      load(lower, row + RAY_NODE_PX);
    }
    for (let column = 0; column < widthPx; column += 1) {
      const node = 2 * Math.floor(column / RAY_NODE_PX);
      const a = (column % RAY_NODE_PX) / RAY_NODE_PX;
      const out = 2 * (row * widthPx + column);
      for (let c = 0; c < 2; c += 1) {
        const i = node + c;
        const above = (upper[i] ?? 0) * (1 - a) + (upper[i + 2] ?? 0) * a;
        const below = (lower[i] ?? 0) * (1 - a) + (lower[i + 2] ?? 0) * a;
        rays[out + c] = above * (1 - b) + below * b;
      }
    }
  }
  return rays;
}
