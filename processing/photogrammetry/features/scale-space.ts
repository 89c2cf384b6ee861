import { openKernel } from "../../wasm/kernel.ts";
import { SIFT_WASM } from "../../wasm/sift.wasm.ts";

/** Scales per octave; Lowe 2004 section 3.2. */
export const SCALES_PER_OCTAVE = 3;
/** Blur of the first level of an octave, pixels; Lowe 2004 section 3.3. */
const BASE_SIGMA_PX = 1.6;
/** Blur that the image itself is taken to have, pixels; Lowe 2004 section 3.3. */
const IMAGE_SIGMA_PX = 0.5;
/** Octaves at most: features of 13 px and more blur are too few to be worth a fifth; prototype. */
const MAX_OCTAVES = 4;
/** Shorter edge of the coarsest octave, pixels, at least; prototype. */
const MIN_EDGE_PX = 64;
/** Weights beyond this many standard deviations are left out; prototype. */
const BLUR_REACH = 3;
/** Weights of the widest blur on each side: that from the fourth to the fifth level has 10. */
const MAX_RADIUS = 15;
/** Candidates of one scale at most: above 10 % of the pixels nothing but noise is an extremum. */
const CANDIDATE_SHARE = 0.1;

/** The functions of `assembly/sift.ts`, with one memory for the planes of one image at a time. */
export const kernel = openKernel(SIFT_WASM, [
  "planeFromBytes",
  "blur",
  "subtract",
  "halve",
  "extrema",
  "orientations",
  "describe",
]);

/** A plane in the kernel's memory, of one octave's size. */
export interface Octave {
  /** Pixels of the image per pixel of this octave: 1, 2, 4, 8. */
  readonly scale: number;
  readonly width: number;
  readonly height: number;
  /** Values from one row to the next. */
  readonly stride: number;
  /** Addresses of the blurred levels 1 to {@link SCALES_PER_OCTAVE}: index 0 is level 1. */
  readonly levels: readonly number[];
}

/** Differences of neighbouring levels of the octave at hand: index s is level s + 1 less level s. */
export interface Differences {
  readonly octave: Octave;
  readonly planes: readonly number[];
  /** Where candidates may be written, and how many of 8 bytes. */
  readonly candidates: number;
  readonly capacity: number;
}

/** Addresses of what describing keypoints needs beside the planes. */
export interface DescribingBlocks {
  readonly window: number;
  readonly shares: number;
  readonly scratch: number;
  readonly histogram: number;
  readonly descriptor: number;
}

/**
 * Builds the Gaussian scale space of a grey image, octave by octave, in the kernel's memory: levels stay
 * until the next image, differences until the next octave. About 43 bytes of memory per pixel.
 */
export function buildScaleSpace(
  gray: Uint8Array,
  width: number,
  height: number,
  visit: (differences: Differences) => void,
): { readonly octaves: readonly Octave[]; readonly blocks: DescribingBlocks } {
  const sizes = octaveSizes(width, height);
  const stride = strideOf(width);
  // The last step of a row pass may read 16 bytes beyond the last row.
  const plane = stride * height * 4 + 64;
  const capacity = Math.ceil(width * height * CANDIDATE_SHARE);
  const at = kernel.layout({
    bytes: width * height,
    kept: sizes.reduce((sum, size) => sum + SCALES_PER_OCTAVE * planeBytes(size), 0),
    base: plane,
    fine: plane,
    finer: plane,
    coarse: plane,
    coarser: plane,
    temporary: plane + 2 * MAX_RADIUS * stride * 4,
    line: (stride + 64) * 4,
    weights: (MAX_RADIUS + 1) * 4,
    candidates: capacity * 8,
    window: 20 * 4,
    shares: 80 * 4,
    scratch: 1456 * 4,
    histogram: 36 * 4,
    descriptor: 128,
  });
  kernel.u8(at.bytes, width * height).set(gray.subarray(0, width * height));
  kernel.functions.planeFromBytes(at.bytes, width, height, at.base, stride);

  const blur = (size: Size, sigma: number, from: number, to: number) => {
    const weights = gaussianWeights(sigma);
    kernel.f32(at.weights, weights.length).set(weights);
    const { width: w, height: h } = size;
    const radius = weights.length - 1;
    const { line, temporary } = at;
    kernel.functions.blur(from, w, h, strideOf(w), at.weights, radius, line, temporary, to);
  };
  const first = sizes[0] ?? { width, height };
  blur(first, Math.sqrt(BASE_SIGMA_PX ** 2 - IMAGE_SIGMA_PX ** 2), at.base, at.base);

  const octaves: Octave[] = [];
  let kept = at.kept;
  sizes.forEach((size, index) => {
    const levels = Array.from({ length: SCALES_PER_OCTAVE }, () => {
      const address = kept;
      kept += planeBytes(size);
      return address;
    });
    const octave = { ...size, scale: 2 ** index, stride: strideOf(size.width), levels };
    octaves.push(octave);
    // Levels 0, 4 and 5 are overwritten by the differences that need them last.
    const chain = [at.base, ...levels, at.coarse, at.coarser];
    for (let s = 1; s < chain.length; s += 1) {
      blur(size, blurBetween(s - 1, s), chain[s - 1] ?? 0, chain[s] ?? 0);
    }
    const planes = [at.base, at.fine, at.finer, at.coarse, at.coarser];
    const count = octave.stride * size.height;
    // From the coarse end for the two that lie on their own coarser level, then the fine end.
    for (const s of [4, 3, 0, 1, 2]) {
      kernel.functions.subtract(chain[s + 1] ?? 0, chain[s] ?? 0, count, planes[s] ?? 0);
    }
    visit({ octave, planes, candidates: at.candidates, capacity });
    const next = sizes[index + 1];
    if (next === undefined) return;
    const seed = levels[SCALES_PER_OCTAVE - 1] ?? 0;
    kernel.functions.halve(
      seed,
      octave.stride,
      at.base,
      next.width,
      next.height,
      strideOf(next.width),
    );
  });
  return { octaves, blocks: at };
}

/** Blur of a level of an octave, pixels of the octave; levels between are meant. */
export function levelSigmaPx(level: number): number {
  return BASE_SIGMA_PX * 2 ** (level / SCALES_PER_OCTAVE);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function octaveSizes(width: number, height: number): readonly Size[] {
  const sizes: Size[] = [{ width, height }];
  let [w, h] = [width >> 1, height >> 1];
  while (sizes.length < MAX_OCTAVES && Math.min(w, h) >= MIN_EDGE_PX) {
    sizes.push({ width: w, height: h });
    [w, h] = [w >> 1, h >> 1];
  }
  return sizes;
}

function strideOf(width: number): number {
  return (width + 3) & ~3;
}

function planeBytes({ width, height }: Size): number {
  return strideOf(width) * height * 4 + 64;
}

function blurBetween(from: number, to: number): number {
  return Math.sqrt(levelSigmaPx(to) ** 2 - levelSigmaPx(from) ** 2);
}

/** Gaussian weights from the middle outwards; both sides together sum to 1. */
function gaussianWeights(sigma: number): Float32Array {
  const radius = Math.max(1, Math.ceil(sigma * BLUR_REACH));
  const raw = Float64Array.from({ length: radius + 1 }, (_, i) =>
    Math.exp((-i * i) / (2 * sigma * sigma)),
  );
  const sum = raw.reduce((total, weight, i) => total + (i === 0 ? weight : 2 * weight), 0);
  return Float32Array.from(raw, (weight) => weight / sum);
}
