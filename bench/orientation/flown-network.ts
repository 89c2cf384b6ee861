import type {
  CameraPrior,
  LensPrior,
} from "../../processing/photogrammetry/camera/camera-prior.ts";
import type { SurveyImage } from "../../processing/photogrammetry/camera/survey-image.ts";
import { selectPairs } from "../../processing/photogrammetry/matching/select-pairs.ts";
import type { VerifiedPair } from "../../processing/photogrammetry/matching/verified-pair.ts";
import type { OrientInput } from "../../processing/photogrammetry/orient/block/orientation.ts";
import { createRandom } from "../../simulators/randomness/random.ts";

const WIDTH_PX = 1200;
const HEIGHT_PX = 900;
const FOCAL_PX = 870;
const [K1, K2] = [-0.045, 0.018];
const HEIGHT_M = 40;
/** 75 % overlap along the strips, 65 % across. */
const ALONG_M = (HEIGHT_PX / FOCAL_PX) * HEIGHT_M * 0.25;
const ACROSS_M = (WIDTH_PX / FOCAL_PX) * HEIGHT_M * 0.35;
/** Share of the images that see a point that have a keypoint on it; with it tracks are 4 images long. */
const REPEATABILITY = 0.35;
/** Points of a square metre; with it 2,000 keypoints an image, as the profile `quick` has. */
const DENSITY = 2.5;
const NOISE_PX = 0.3;
const GPS_SIGMA_M = [1, 1, 1.5] as const;
const ATTITUDE_SIGMA_RAD = 0.03;
/** One of so many images points 35 degrees off the vertical. */
const OBLIQUE_EVERY = 10;

type Vector = readonly [number, number, number];

/** A flight in strips over hills, as its adjustment gets it, without a picture. */
export interface FlownNetwork {
  readonly images: readonly SurveyImage[];
  readonly input: OrientInput;
  readonly centres: readonly Vector[];
}

/** Tie points of a block of `count` images, about square, by the pairs that are selected for real flights. */
export function flownNetwork(seed: number, count: number): FlownNetwork {
  const random = createRandom(`network ${seed}`);
  const noise = (sigma: number) => sigma * random.gaussian();
  const strips = Math.max(1, Math.round(Math.sqrt((count * ALONG_M) / ACROSS_M)));
  const perStrip = Math.ceil(count / strips);
  const cameras = Array.from({ length: count }, (_, i) => {
    const strip = Math.floor(i / perStrip);
    const isBack = strip % 2 === 1;
    const shot = isBack ? perStrip - 1 - (i % perStrip) : i % perStrip;
    const centre: Vector = [
      strip * ACROSS_M + noise(0.5),
      shot * ALONG_M + noise(0.5),
      HEIGHT_M + noise(0.4),
    ];
    const yaw = (isBack ? Math.PI : 0) + noise(0.02);
    const tilt = (i % OBLIQUE_EVERY === OBLIQUE_EVERY - 1 ? 0.6 : 0) + noise(0.02);
    return { centre, rotation: attitude(yaw, tilt) };
  });
  const lens: LensPrior = {
    intrinsics: {
      ...{ widthPx: WIDTH_PX, heightPx: HEIGHT_PX, focalPx: FOCAL_PX * 0.99 },
      ...{ cxPx: WIDTH_PX / 2, cyPx: HEIGHT_PX / 2, k1: 0, k2: 0, p1: 0, p2: 0 },
    },
    sigma: { focalPx: FOCAL_PX * 0.02, centrePx: 12, k1: 0.1, k2: 0.1, tangential: 0.003 },
    source: "focal_35mm",
  };
  const priors = cameras.map(({ centre, rotation }, i): CameraPrior => {
    const [e, n, u] = GPS_SIGMA_M.map((sigma) => noise(sigma));
    return {
      lens: 0,
      centre: [centre[0] + (e ?? 0), centre[1] + (n ?? 0), centre[2] + (u ?? 0)],
      centreSigmaM: GPS_SIGMA_M,
      isRtk: false,
      takenAtMs: i * 2_000,
      rotation: turned(
        rotation,
        [0, 1, 2].map(() => noise(ATTITUDE_SIGMA_RAD)),
      ),
      rotationSigmaRad: 2 * ATTITUDE_SIGMA_RAD,
    };
  });

  // Points in squares of 10 m, so that an image tests only those near it.
  const cellM = 10;
  const [westM, southM] = [-40, -60];
  const columns = Math.ceil((strips * ACROSS_M + 80) / cellM);
  const rows = Math.ceil((perStrip * ALONG_M + 120) / cellM);
  const perCell = Math.round(DENSITY * cellM * cellM);
  const points = new Float64Array(columns * rows * perCell * 3);
  for (let p = 0; p < points.length / 3; p += 1) {
    const cell = Math.floor(p / perCell);
    const x = westM + ((cell % columns) + random.uniform(0, 1)) * cellM;
    const y = southM + (Math.floor(cell / columns) + random.uniform(0, 1)) * cellM;
    points.set([x, y, 3 * Math.sin(x / 17) * Math.cos(y / 23) + random.uniform(0, 1)], p * 3);
  }

  const keypointOf = cameras.map(() => new Map<number, number>());
  const keypoints = cameras.map(({ centre, rotation: r }, c) => {
    const xs: number[] = [];
    const ys: number[] = [];
    const reach = 70;
    const from = [0, 1].map((k) =>
      Math.floor(((centre[k] ?? 0) - reach - (k ? southM : westM)) / cellM),
    );
    const to = from.map((first) => first + Math.ceil((2 * reach) / cellM));
    for (let row = Math.max(0, from[1] ?? 0); row <= Math.min(rows - 1, to[1] ?? 0); row += 1) {
      for (
        let col = Math.max(0, from[0] ?? 0);
        col <= Math.min(columns - 1, to[0] ?? 0);
        col += 1
      ) {
        const first = (row * columns + col) * perCell;
        for (let p = first; p < first + perCell; p += 1) {
          if (random.uniform(0, 1) >= REPEATABILITY) continue;
          const d = [0, 1, 2].map((k) => (points[p * 3 + k] ?? 0) - (centre[k] ?? 0));
          const [x = 0, y = 0, z = 0] = [0, 1, 2].map((k) =>
            [0, 1, 2].reduce((sum, m) => sum + (r[k * 3 + m] ?? 0) * (d[m] ?? 0), 0),
          );
          if (z < 1) continue;
          const r2 = (x * x + y * y) / (z * z);
          if (r2 > 1.5) continue;
          const radial = FOCAL_PX * (1 + K1 * r2 + K2 * r2 * r2);
          const px = WIDTH_PX / 2 + 4 + (radial * x) / z + noise(NOISE_PX);
          const py = HEIGHT_PX / 2 - 4 + (radial * y) / z + noise(NOISE_PX);
          if (px < 0 || py < 0 || px > WIDTH_PX - 1 || py > HEIGHT_PX - 1) continue;
          keypointOf[c]?.set(p, xs.length);
          xs.push(px);
          ys.push(py);
        }
      }
    }
    return { count: xs.length, x: Float32Array.from(xs), y: Float32Array.from(ys) };
  });

  const images = cameras.map((_, i) => surveyImage(i));
  const pairs = selectPairs(images, priors, [lens]).flatMap(([first, second]): VerifiedPair[] => {
    const matches: number[] = [];
    for (const [p, k] of keypointOf[first] ?? []) {
      const other = keypointOf[second]?.get(p);
      if (other !== undefined) matches.push(k, other);
    }
    const [a, b] = [cameras[first], cameras[second]];
    if (matches.length < 60 || a === undefined || b === undefined) return [];
    const base = [0, 1, 2].map((k) => (b.centre[k] ?? 0) - (a.centre[k] ?? 0));
    const length = Math.hypot(...base);
    const [dx = 0, dy = 0, dz = 0] = [0, 1, 2].map((k) =>
      base.reduce((sum, d, m) => sum + (a.rotation[k * 3 + m] ?? 0) * d, 0),
    );
    return [
      {
        ...{ first, second, candidates: matches.length / 2, matches: Uint32Array.from(matches) },
        rotation: product(b.rotation, transposed(a.rotation)),
        direction: [dx / length, dy / length, dz / length],
      },
    ];
  });
  return {
    images,
    centres: cameras.map(({ centre }) => centre),
    input: {
      origin: { latDeg: 51.5, lonDeg: -0.12, heightM: 30 },
      ...{ priors, lenses: [lens], keypoints, pairs, control: [], scaleBars: [] },
    },
  };
}

/** Camera from ENU: right, down, forward as rows; yaw clockwise from north, tilt off the vertical. */
function attitude(yaw: number, tilt: number): Float64Array {
  const [s, c] = [Math.sin(yaw), Math.cos(yaw)];
  const [st, ct] = [Math.sin(tilt), Math.cos(tilt)];
  return Float64Array.of(c, -s, 0, -s * ct, -c * ct, -st, s * st, c * st, -ct);
}

function turned(rotation: Float64Array, by: readonly number[]): Float64Array {
  const [x = 0, y = 0, z = 0] = by;
  const angle = Math.hypot(x, y, z) || 1;
  const [a, b, c] = [x / angle, y / angle, z / angle];
  const [s, k] = [Math.sin(angle), 1 - Math.cos(angle)];
  const turn = Float64Array.of(
    ...[1 - k * (b * b + c * c), k * a * b - s * c, k * a * c + s * b],
    ...[k * a * b + s * c, 1 - k * (a * a + c * c), k * b * c - s * a],
    ...[k * a * c - s * b, k * b * c + s * a, 1 - k * (a * a + b * b)],
  );
  return product(turn, rotation);
}

function product(a: Float64Array, b: Float64Array): Float64Array {
  return Float64Array.from({ length: 9 }, (_, i) =>
    [0, 1, 2].reduce(
      (sum, k) => sum + (a[Math.floor(i / 3) * 3 + k] ?? 0) * (b[k * 3 + (i % 3)] ?? 0),
      0,
    ),
  );
}

function transposed(a: Float64Array): Float64Array {
  return Float64Array.from({ length: 9 }, (_, i) => a[(i % 3) * 3 + Math.floor(i / 3)] ?? 0);
}

function surveyImage(i: number): SurveyImage {
  return {
    ...{ sha256: i.toString(16).padStart(64, "0"), name: `${i}.jpg`, orientation: 1 },
    ...{ widthPx: WIDTH_PX, heightPx: HEIGHT_PX, capturedAtMs: i * 2_000 },
    ...{ make: undefined, model: undefined, serial: undefined, software: undefined },
    focal: {
      ...{ focalLengthMm: undefined, focal35Mm: undefined, focalPlanePxPerMm: undefined },
      ...{ dewarp: undefined, isUndistorted: false },
    },
    position: undefined,
    gimbal: undefined,
    relativeAltitudeM: HEIGHT_M,
    quality: {
      ...{ sharpness: 400, fineness: 0.8, brightness: 120, contrast: 25 },
      ...{ overexposed: 0, underexposed: 0 },
      differenceHash: "0123456789abcdef",
    },
  };
}
