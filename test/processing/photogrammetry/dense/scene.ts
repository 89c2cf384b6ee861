import type { Intrinsics } from "../../../../processing/photogrammetry/camera/camera.ts";
import {
  buildPyramid,
  type ImagePyramid,
} from "../../../../processing/photogrammetry/dense/image-pyramid.ts";
import type { Reconstruction } from "../../../../processing/photogrammetry/reconstruction/reconstruction.ts";

/*
 * A small world and its pictures, made without a line of the pipeline's projection: rays from each
 * pixel are followed down to an analytic height field.
 */

/** Height of the ground in metres, at x east and y north. */
export type HeightField = (x: number, y: number) => number;

/** One pixel is 10 cm on the ground from 30 m. */
export const LENS: Intrinsics = {
  widthPx: 320,
  heightPx: 240,
  focalPx: 300,
  cxPx: 161.5,
  cyPx: 118.25,
  k1: -0.05,
  k2: 0.02,
  p1: 0.0005,
  p2: -0.0004,
};
const FLYING_HEIGHT_M = 30;

export interface SceneOptions {
  /** Standard deviation of the noise, grey levels. */
  readonly noise?: number;
  /** Contrast of the ground, 1 = as painted. */
  readonly contrast?: number;
  /** The ground is painted this far from the middle to all sides, metres; beyond it is grey. */
  readonly paintedM?: number;
  /** Camera positions, metres east and north. */
  readonly stations?: readonly (readonly [number, number])[];
}

/** Five cameras within 12 x 8 m: base to height ratios up to 0.48. */
const STATIONS = [
  [0.4, 0.2],
  [-6, -4],
  [6, -3.8],
  [-5.8, 4],
  [6.1, 4.2],
] as const;

/** Pictures of the field from above, and the reconstruction that a perfect adjustment gives. */
export function photograph(
  field: HeightField,
  options: SceneOptions = {},
): { reconstruction: Reconstruction; images: Uint8Array[] } {
  const { noise = 1.5, contrast = 1, paintedM = 7, stations = STATIONS } = options;
  const random = generator(1234);
  const cameras = stations.map(([x, y], image) => {
    // Tilted a little, each in another direction: rows of the rotation are right, down and forward.
    const tilt = 0.05 * Math.sin(image * 2.3);
    const turn = 0.4 * image;
    const forward = [Math.sin(tilt), 0, -Math.cos(tilt)] as const;
    const right = [
      Math.cos(turn) * Math.cos(tilt),
      Math.sin(turn),
      Math.cos(turn) * Math.sin(tilt),
    ] as const;
    const down = [
      forward[1] * right[2] - forward[2] * right[1],
      forward[2] * right[0] - forward[0] * right[2],
      forward[0] * right[1] - forward[1] * right[0],
    ] as const;
    return { image, x, y, right, down, forward };
  });
  const images = cameras.map((camera) => {
    const pixels = new Uint8Array(LENS.widthPx * LENS.heightPx);
    for (let v = 0; v < LENS.heightPx; v += 1) {
      for (let u = 0; u < LENS.widthPx; u += 1) {
        const [a, b] = straighten(u, v);
        const ray = [0, 1, 2].map(
          (k) => a * (camera.right[k] ?? 0) + b * (camera.down[k] ?? 0) + (camera.forward[k] ?? 0),
        );
        const far = FLYING_HEIGHT_M / -(ray[2] ?? -1);
        const reach = [camera.x + far * (ray[0] ?? 0), camera.y + far * (ray[1] ?? 0)];
        const isPainted = reach.every((metres) => Math.abs(metres) < paintedM);
        const shade = isPainted ? paint(...descend(field, camera.x, camera.y, ray)) : 0;
        const grey = 120 + contrast * shade + noise * normal(random);
        pixels[v * LENS.widthPx + u] = Math.min(255, Math.max(0, Math.round(grey)));
      }
    }
    return pixels;
  });
  return {
    images,
    reconstruction: {
      origin: { latDeg: 51, lonDeg: 0, heightM: 0 },
      lenses: [LENS],
      cameras: cameras.map(({ image, x, y, right, down, forward }) => ({
        image,
        lens: 0,
        pose: {
          rotation: Float64Array.of(...right, ...down, ...forward),
          centre: [x, y, FLYING_HEIGHT_M],
        },
        observations: 100,
        rmsPx: 0.3,
        gpsResidualM: undefined,
      })),
      points: tiePoints(field),
      observations: {
        point: new Int32Array(),
        camera: new Int32Array(),
        u: new Float32Array(),
        v: new Float32Array(),
      },
      summary: {
        rmsPx: 0.3,
        droppedTracks: 0,
        gpsResidualM: undefined,
        gpsBiasM: [0, 0, 0],
        scaleSigma: 0.01,
        scaleFrom: "gps",
        focal: [],
        control: undefined,
        placedBy: "positions",
        scaleByPositions: { misfit: 0, sigma: 0.01 },
        convergence: { isConverged: true, stepSigmas: 0.001 },
        nadirShare: 1,
        expectedNadirShare: 0.8,
        heights: undefined,
        tiltSigmaRad: 0.01,
        groundTiltRad: 0.02,
      },
    },
  };
}

export function pyramidsOf(images: readonly Uint8Array[]): readonly ImagePyramid[] {
  return images.map((pixels) =>
    buildPyramid({ width: LENS.widthPx, height: LENS.heightPx, pixels }),
  );
}

/** 150 points with 3 cm of noise, every fifteenth of them 4 m wrong. */
function tiePoints(field: HeightField): Float64Array {
  const random = generator(77);
  const points = Array.from({ length: 150 }, (_, i) => {
    const [x, y] = [16 * random() - 8, 16 * random() - 8];
    return [x, y, field(x, y) + 0.03 * normal(random) + (i % 15 === 0 ? 4 : 0)];
  });
  return Float64Array.from(points.flat());
}

/** The direction of a pixel at distance 1: the lens' equations, inverted by repetition. */
function straighten(u: number, v: number): readonly [number, number] {
  const [u1, v1] = [(u - LENS.cxPx) / LENS.focalPx, (v - LENS.cyPx) / LENS.focalPx];
  let [x, y] = [u1, v1];
  for (let n = 0; n < 8; n += 1) {
    const r2 = x ** 2 + y ** 2;
    const d = 1 + LENS.k1 * r2 + LENS.k2 * r2 ** 2;
    const dx = 2 * LENS.p1 * x * y + LENS.p2 * (r2 + 2 * x ** 2);
    const dy = LENS.p1 * (r2 + 2 * y ** 2) + 2 * LENS.p2 * x * y;
    [x, y] = [(u1 - dx) / d, (v1 - dy) / d];
  }
  return [x, y];
}

/** Where a ray meets the ground: down to 3 m in one step, then by 10 cm, then halving. */
function descend(
  field: HeightField,
  x0: number,
  y0: number,
  ray: readonly number[],
): readonly [number, number] {
  const [rx, ry, rz] = [ray[0] ?? 0, ray[1] ?? 0, ray[2] ?? -1];
  const below = (t: number) => FLYING_HEIGHT_M + rz * t < field(x0 + rx * t, y0 + ry * t);
  let far = (FLYING_HEIGHT_M - 3) / -rz;
  let near = far;
  while (!below(far)) {
    near = far;
    far += 0.1;
  }
  for (let n = 0; n < 10; n += 1) {
    const middle = (near + far) / 2;
    if (below(middle)) far = middle;
    else near = middle;
  }
  return [x0 + rx * far, y0 + ry * far];
}

/** Grey levels around 0, smooth over 0.4 m and 1.1 m. */
function paint(x: number, y: number): number {
  return 45 * lattice(x / 0.4, y / 0.4, 1) + 35 * lattice(x / 1.1, y / 1.1, 2);
}

/** Values at whole numbers, hashed, and smooth between them; -1 to 1. */
function lattice(x: number, y: number, seed: number): number {
  const [i, j] = [Math.floor(x), Math.floor(y)];
  const smooth = (t: number) => t * t * (3 - 2 * t);
  const [a, b] = [smooth(x - i), smooth(y - j)];
  const at = (p: number, q: number) => {
    let h = Math.imul(p, 374761393) + Math.imul(q, 668265263) + Math.imul(seed, 974711);
    h = Math.imul(h ^ (h >>> 13), 1274126177);
    return ((h ^ (h >>> 16)) >>> 0) / 2 ** 31 - 1;
  };
  const north = at(i, j + 1) * (1 - a) + at(i + 1, j + 1) * a;
  const south = at(i, j) * (1 - a) + at(i + 1, j) * a;
  return south * (1 - b) + north * b;
}

export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
