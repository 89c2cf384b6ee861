import { transformPicture } from "./fourier.ts";
import { FRAME } from "./view-frame.ts";

const { width: W, height: H } = FRAME;

/** How far a picture's content lies from where another has it, pixels of the frame; right and down. */
export interface Shift {
  readonly dx: number;
  readonly dy: number;
}

export interface CorrelationPeak extends Shift {
  /** Height above the mean of the correlation in its standard deviations. */
  readonly sigmas: number;
}

/**
 * Standard deviation of the blur of the correlation, pixels: a camera that turned by 0.4 degrees moves the edges
 * of its picture by 1.8. Less splits the peak of a turned view, more lets neighbouring wrong peaks grow.
 */
const BLUR_PX = 1.2;
/**
 * Peaks closer than so are one, pixels: candidates are searched around. Smaller spends candidates on one place,
 * larger hides a right peak beside a wrong one.
 */
const APART_PX = 8;

/**
 * The shifts at which `view` matches `reference` best, by phase correlation (Kuglin and Hines 1975), the
 * highest peak first. Both are edge maps; `weights` (0 to 1) says where the reference counts. It is not laid
 * over the view: what both lack at the same place would match at no shift.
 */
export function correlationPeaks(
  reference: Float32Array,
  weights: Float32Array,
  view: Float32Array,
  count: number,
): readonly CorrelationPeak[] {
  const data = new Float64Array(2 * W * H);
  lay(data, 0, view, undefined);
  lay(data, 1, reference, weights);
  transformPicture(data, W, H, "forward");
  crossPhases(data);
  transformPicture(data, W, H, "inverse");
  const correlation = new Float32Array(W * H);
  for (let i = 0; i < correlation.length; i++) correlation[i] = data[2 * i] ?? 0;
  return highest(correlation, count);
}

/** Writes a windowed picture without its mean into the real (0) or imaginary (1) parts. */
function lay(
  data: Float64Array,
  part: 0 | 1,
  picture: Float32Array,
  weights: Float32Array | undefined,
): void {
  let sum = 0;
  let total = 0;
  for (let i = 0; i < picture.length; i++) {
    const weight = weights === undefined ? 1 : (weights[i] ?? 0);
    sum += weight * (picture[i] ?? 0);
    total += weight;
  }
  const mean = total === 0 ? 0 : sum / total;
  for (let y = 0; y < H; y++) {
    const window = hann(y, H);
    for (let x = 0; x < W; x++) {
      const i = y * W + x;
      const weight = window * hann(x, W) * (weights === undefined ? 1 : (weights[i] ?? 0));
      data[2 * i + part] = weight * ((picture[i] ?? 0) - mean);
    }
  }
}

const hann = (i: number, length: number): number =>
  0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / length);

/**
 * Of the transform of view + i reference, the phases of view times the conjugate of reference, under a
 * Gaussian: the spectra of two real pictures come apart by their symmetry.
 */
function crossPhases(data: Float64Array): void {
  const source = data.slice();
  const gaussX = gaussian(W);
  const gaussY = gaussian(H);
  for (let y = 0; y < H; y++) {
    for (let x = 0; x < W; x++) {
      const k = 2 * (y * W + x);
      const m = 2 * (((H - y) % H) * W + ((W - x) % W));
      const [kr, ki] = [source[k] ?? 0, source[k + 1] ?? 0];
      const [mr, mi] = [source[m] ?? 0, source[m + 1] ?? 0];
      const viewRe = (kr + mr) / 2;
      const viewIm = (ki - mi) / 2;
      const refRe = (ki + mi) / 2;
      const refIm = (mr - kr) / 2;
      const re = viewRe * refRe + viewIm * refIm;
      const im = viewIm * refRe - viewRe * refIm;
      const size = Math.hypot(re, im);
      const gain = size === 0 ? 0 : ((gaussX[x] ?? 0) * (gaussY[y] ?? 0)) / size;
      data[k] = re * gain;
      data[k + 1] = im * gain;
    }
  }
  // The mean says nothing.
  data[0] = 0;
  data[1] = 0;
}

function gaussian(length: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => {
    const cycles = Math.min(i, length - i) / length;
    return Math.exp(-2 * (Math.PI * BLUR_PX * cycles) ** 2);
  });
}

function highest(correlation: Float32Array, count: number): readonly CorrelationPeak[] {
  let sum = 0;
  let squares = 0;
  for (const value of correlation) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / correlation.length;
  const deviation = Math.sqrt(Math.max(0, squares / correlation.length - mean * mean));
  if (deviation === 0) return [];
  const peaks: CorrelationPeak[] = [];
  const taken: number[] = [];
  for (let n = 0; n < count; n++) {
    let best = -1;
    let height = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < correlation.length; i++) {
      const value = correlation[i] ?? 0;
      if (value > height && !taken.some((peak) => isNear(peak, i))) {
        height = value;
        best = i;
      }
    }
    taken.push(best);
    peaks.push({ ...placeOf(correlation, best), sigmas: (height - mean) / deviation });
  }
  return peaks;
}

function isNear(a: number, b: number): boolean {
  return (
    Math.abs(signed((a % W) - (b % W), W)) < APART_PX &&
    Math.abs(signed(Math.floor(a / W) - Math.floor(b / W), H)) < APART_PX
  );
}

/** A place on a circle as a number from -length/2 on. */
const signed = (value: number, length: number): number =>
  ((((value + length / 2) % length) + length) % length) - length / 2;

function placeOf(correlation: Float32Array, at: number): Shift {
  const x = at % W;
  const y = Math.floor(at / W);
  const value = (dx: number, dy: number): number =>
    correlation[((y + dy + H) % H) * W + ((x + dx + W) % W)] ?? 0;
  return {
    dx: signed(x, W) + vertex(value(-1, 0), value(0, 0), value(1, 0)),
    dy: signed(y, H) + vertex(value(0, -1), value(0, 0), value(0, 1)),
  };
}

/** Where the top of a bell lies whose values one pixel before, at, and after a maximum are these. */
function vertex(before: number, at: number, after: number): number {
  const isBell = before > 0 && after > 0;
  const [a, b, c] = isBell
    ? [Math.log(before), Math.log(at), Math.log(after)]
    : [before, at, after];
  const curvature = a - 2 * b + c;
  return curvature >= 0 ? 0 : Math.max(-0.5, Math.min(0.5, (0.5 * (a - c)) / curvature));
}
