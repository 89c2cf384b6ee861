import type {
  CameraPrior,
  LensPrior,
} from "../../processing/photogrammetry/camera/camera-prior.ts";
import type { VerifiedPair } from "../../processing/photogrammetry/matching/verified-pair.ts";
import type { OrientInput } from "../../processing/photogrammetry/orient/block/orientation.ts";
import { seededRandom } from "./seeded-random.ts";

// Projection, frames and noise are written anew here, on axes of the camera and not on rotation
// matrices, so that an error of sign in the code under test has no twin.

export type Triple = readonly [number, number, number];

/** A camera by its axes in ENU: right and down in the picture, forward along the view. */
export interface TrueCamera {
  readonly centre: Triple;
  readonly right: Triple;
  readonly down: Triple;
  readonly forward: Triple;
  readonly lens: number;
}

export interface TrueLens {
  readonly f: number;
  readonly cx: number;
  readonly cy: number;
  readonly k1: number;
  readonly k2: number;
  readonly p1: number;
  readonly p2: number;
}

export interface NetworkOptions {
  readonly seed: number;
  readonly strips?: number;
  readonly perStrip?: number;
  readonly obliques?: number;
  readonly points?: number;
  readonly noisePx?: number;
  /** Share of keypoints that lie anywhere within 60 px of where they should. */
  readonly outlierShare?: number;
  readonly gpsSigmaM?: Triple;
  readonly gpsBiasM?: Triple;
  /** Share of a position's error that the next image's has too, 0 to 1: AR(1), as receivers drift. */
  readonly gpsMemory?: number;
  readonly isRtk?: boolean;
  /** Probability that an image that shows a point has a keypoint on it, 0 to 1; real detectors repeat few. */
  readonly repeatability?: number;
  readonly lenses?: readonly TrueLens[];
  /** East of this ground there are no points, and no pairs across it: two blocks. */
  readonly gapAtM?: number;
}

export interface Network {
  readonly input: OrientInput;
  readonly cameras: readonly TrueCamera[];
  readonly lenses: readonly TrueLens[];
  readonly points: readonly Triple[];
  /** Exact pixel of a point, or `undefined` where the image does not show it. */
  readonly see: (camera: number, point: Triple) => readonly [number, number] | undefined;
}

const WIDTH_PX = 1200;
const HEIGHT_PX = 900;
const FLIGHT_HEIGHT_M = 40;
export const TRUE_LENS: TrueLens = {
  f: 870,
  cx: 604,
  cy: 446,
  k1: -0.045,
  k2: 0.018,
  p1: 0.0006,
  p2: -0.0004,
};
const ATTITUDE_NOISE_RAD = 0.03;

const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const minus = (a: Triple, b: Triple): Triple => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const plus = (a: Triple, b: Triple, k = 1): Triple => [
  a[0] + k * b[0],
  a[1] + k * b[1],
  a[2] + k * b[2],
];
const unit = (a: Triple): Triple => plus([0, 0, 0], a, 1 / Math.sqrt(dot(a, a)));
const cross = (a: Triple, b: Triple): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Brown's formula with the distances written out. */
export function picture(lens: TrueLens, camera: TrueCamera, point: Triple) {
  const ray = minus(point, camera.centre);
  const depth = dot(ray, camera.forward);
  const a = dot(ray, camera.right) / depth;
  const b = dot(ray, camera.down) / depth;
  const d2 = a ** 2 + b ** 2;
  const stretch = 1 + lens.k1 * d2 + lens.k2 * d2 ** 2;
  return {
    depth,
    u: lens.cx + lens.f * (a * stretch + 2 * lens.p1 * a * b + lens.p2 * (d2 + 2 * a ** 2)),
    v: lens.cy + lens.f * (b * stretch + lens.p1 * (d2 + 2 * b ** 2) + 2 * lens.p2 * a * b),
  };
}

/** A flight over hilly ground: strips to and fro, obliques around, everything seeded. */
export function surveyNetwork(options: NetworkOptions): Network {
  const { seed, strips = 4, perStrip = 5, obliques = 4, points: pointCount = 500 } = options;
  const {
    noisePx = 0.3,
    outlierShare = 0,
    gpsSigmaM = [1, 1, 1.5],
    gpsBiasM = [0, 0, 0],
  } = options;
  const { isRtk = false, lenses = [TRUE_LENS], gapAtM, gpsMemory = 0, repeatability = 1 } = options;
  const random = seededRandom(seed);
  const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const jitter = (sigma: Triple): Triple => [
    gauss() * sigma[0],
    gauss() * sigma[1],
    gauss() * sigma[2],
  ];
  const pose = (forward: Triple, up: Triple, noise: number) => {
    const view = unit(plus(forward, jitter([noise, noise, noise])));
    const right = unit(cross(view, plus(up, jitter([noise, noise, noise]))));
    return { right, down: cross(view, right), forward: view };
  };
  const halfX = ((strips - 1) / 2) * 14;
  const halfY = ((perStrip - 1) / 2) * 9;
  const cameras: TrueCamera[] = [];
  for (let strip = 0; strip < strips; strip += 1) {
    const heading: Triple = strip % 2 === 0 ? [0, 1, 0] : [0, -1, 0];
    for (let shot = 0; shot < perStrip; shot += 1) {
      const y = (strip % 2 === 0 ? 1 : -1) * (shot * 9 - halfY);
      const centre = plus([strip * 14 - halfX, y, FLIGHT_HEIGHT_M], jitter([0.5, 0.5, 0.4]));
      const axes = pose([0, 0, -1], heading, 0.015);
      cameras.push({ centre, ...axes, lens: cameras.length % lenses.length });
    }
  }
  for (let k = 0; k < obliques; k += 1) {
    const a = (2 * Math.PI * k) / obliques;
    const centre = plus([-30 * Math.sin(a), -30 * Math.cos(a), 34], jitter([0.5, 0.5, 0.4]));
    const inward: Triple = [0.57 * Math.sin(a), 0.57 * Math.cos(a), -0.82];
    cameras.push({
      centre,
      ...pose(inward, [0, 0, 1], 0.015),
      lens: cameras.length % lenses.length,
    });
  }
  const points = Array.from({ length: pointCount }, (): Triple => {
    const x = (random() * 2 - 1) * (halfX + 16);
    const y = (random() * 2 - 1) * (halfY + 12);
    return [x, y, 3 * Math.sin(x / 7) * Math.cos(y / 9) + random()];
  });
  const lensOf = (c: number) => lenses[cameras[c]?.lens ?? 0] ?? TRUE_LENS;
  const see = (c: number, point: Triple) => {
    const camera = cameras[c];
    if (!camera) return undefined;
    const { u, v, depth } = picture(lensOf(c), camera, point);
    const isInside = depth > 1 && u > 0 && v > 0 && u < WIDTH_PX - 1 && v < HEIGHT_PX - 1;
    return isInside ? ([u, v] as const) : undefined;
  };
  const isEast = (x: number) => gapAtM !== undefined && x > gapAtM;
  const seen = cameras.map(({ centre }, c) => {
    const keypointOf = new Map<number, number>();
    const x: number[] = [];
    const y: number[] = [];
    points.forEach((point, p) => {
      const pixel = see(c, point);
      if (!pixel || isEast(point[0]) !== isEast(centre[0])) return;
      if (repeatability < 1 && random() >= repeatability) return;
      const off = () => (random() * 2 - 1) * 60;
      const wrong = random() < outlierShare ? [off(), off()] : [0, 0];
      keypointOf.set(p, x.length);
      x.push(pixel[0] + gauss() * noisePx + (wrong[0] ?? 0));
      y.push(pixel[1] + gauss() * noisePx + (wrong[1] ?? 0));
    });
    return { keypointOf, x: Float32Array.from(x), y: Float32Array.from(y), count: x.length };
  });
  let gpsError: Triple = jitter(gpsSigmaM);
  const priors = cameras.map((camera): CameraPrior => {
    const { forward, right, down } = pose(
      camera.forward,
      plus([0, 0, 0], camera.down, -1),
      ATTITUDE_NOISE_RAD,
    );
    const fresh = plus([0, 0, 0], jitter(gpsSigmaM), Math.sqrt(1 - gpsMemory ** 2));
    gpsError = plus(fresh, gpsError, gpsMemory);
    const tagged = plus(plus(camera.centre, gpsBiasM), gpsError);
    return {
      lens: camera.lens,
      centre: tagged,
      centreSigmaM: gpsSigmaM,
      isRtk,
      rotation: Float64Array.of(...right, ...down, ...forward),
      rotationSigmaRad: 2 * ATTITUDE_NOISE_RAD,
    };
  });
  return {
    cameras,
    lenses,
    points,
    see,
    input: {
      origin: { latDeg: 51.5, lonDeg: -0.12, heightM: 30 },
      priors,
      lenses: lenses.map((lens) => lensPrior(lens)),
      keypoints: seen,
      pairs: pairsOf(cameras, seen),
      control: [],
      scaleBars: [],
    },
  };
}

/** What a data sheet says: f off by 1 %, the centre in the middle, no distortion. */
function lensPrior({ f }: TrueLens): LensPrior {
  return {
    intrinsics: {
      widthPx: WIDTH_PX,
      heightPx: HEIGHT_PX,
      focalPx: f * 0.99,
      cxPx: WIDTH_PX / 2 - 0.5,
      cyPx: HEIGHT_PX / 2 - 0.5,
      k1: 0,
      k2: 0,
      p1: 0,
      p2: 0,
    },
    sigma: { focalPx: f * 0.02, centrePx: WIDTH_PX * 0.01, k1: 0.1, k2: 0.1, tangential: 0.003 },
    source: "focal_35mm",
  };
}

/** Pairs with 20 points or more in common, and their true geometry. */
function pairsOf(
  cameras: readonly TrueCamera[],
  seen: readonly { readonly keypointOf: ReadonlyMap<number, number> }[],
): VerifiedPair[] {
  const pairs: VerifiedPair[] = [];
  cameras.forEach((a, first) => {
    cameras.forEach((b, second) => {
      if (second <= first) return;
      const matches: number[] = [];
      for (const [p, k] of seen[first]?.keypointOf ?? []) {
        const other = seen[second]?.keypointOf.get(p);
        if (other !== undefined) matches.push(k, other);
      }
      if (matches.length < 40) return;
      const axesA = [a.right, a.down, a.forward] as const;
      const axesB = [b.right, b.down, b.forward];
      const base = unit(minus(b.centre, a.centre));
      pairs.push({
        first,
        second,
        candidates: matches.length / 2,
        matches: Uint32Array.from(matches),
        rotation: Float64Array.from(
          axesB.flatMap((row) => axesA.map((column) => dot(row, column))),
        ),
        direction: [dot(axesA[0], base), dot(axesA[1], base), dot(axesA[2], base)],
      });
    });
  });
  return pairs;
}

/** Scale of `model` against `truth`: ratio of their spreads about their means, less one. */
export function scaleError(model: readonly Triple[], truth: readonly Triple[]): number {
  return spread(model) / spread(truth) - 1;
}

function spread(points: readonly Triple[]): number {
  const mean = points.reduce((sum, p) => plus(sum, p, 1 / points.length), [0, 0, 0] as Triple);
  return Math.sqrt(points.reduce((sum, p) => sum + dot(minus(p, mean), minus(p, mean)), 0));
}
