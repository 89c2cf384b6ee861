import { choleskySolve } from "../../numeric/cholesky-solve.ts";
import { MAD_TO_SIGMA, meanMedian, upperMedian } from "../../numeric/median.ts";
import type { PhotometricGain } from "./ortho-view.ts";
import type { PhotometricSamples } from "./photometric-samples.ts";

/** Beyond this many standard deviations a sample counts less (Huber 1964, 95 % efficiency at normal errors). */
const HUBER = 1.345;
/** Rounds of reweighting; the gains move by less than 1e-4 after five on the sets at hand. */
const ROUNDS = 6;
/**
 * Standard deviations of what is known beforehand: log gain of an image, log falloff of a lens. Weak on purpose:
 * stronger leaves seams between images that differ, none lets the sum drift away.
 */
const GAIN_SIGMA = 0.3;
const FALLOFF_SIGMA = 0.3;
/** Least standard deviation of a log colour: two grey levels of 100. Keeps exact data from dividing by zero. */
const MIN_SIGMA = 0.02;

/**
 * Gain of every image and light falloff of every lens, by channel, such that images agree on ground
 * that they share: log I(k, p) + a(k) + f(lens) r2(k, p) = R(p), least squares with Huber weights; the
 * unknown colours R(p) are eliminated point by point. Weak priors keep the common level where it is
 * and an image without overlap at 1. Work grows with points times views squared, plus images cubed.
 */
export function solveGains(
  samples: readonly PhotometricSamples[],
  lensOfImage: readonly number[],
): PhotometricGain[] {
  const channels = [0, 1, 2].map((channel) => solveChannel(samples, lensOfImage, channel));
  return samples.map((_, image) => {
    const of = (pick: (channel: ChannelGains) => number | undefined) => {
      const [r = 0, g = 0, b = 0] = channels.map((channel) => pick(channel) ?? 0);
      return [r, g, b] as const;
    };
    const [r, g, b] = of((channel) => channel.logGain[image]);
    return {
      gain: [Math.exp(r), Math.exp(g), Math.exp(b)],
      falloff: of((channel) => channel.falloff[lensOfImage[image] ?? 0]),
    };
  });
}

interface ChannelGains {
  readonly logGain: Float64Array;
  readonly falloff: Float64Array;
}

function solveChannel(
  samples: readonly PhotometricSamples[],
  lensOfImage: readonly number[],
  channel: number,
): ChannelGains {
  const images = samples.length;
  const size = images + Math.max(0, ...lensOfImage) + 1;
  const lensColumns = Int32Array.from(lensOfImage, (lens) => images + lens);
  const overlaps = gatherOverlaps(samples, channel);
  let solution: Float64Array = new Float64Array(size);
  for (let round = 0; round < ROUNDS; round += 1) {
    const residuals = residualsOf(overlaps, solution, lensColumns);
    const sigma = Math.max(MIN_SIGMA, MAD_TO_SIGMA * (upperMedian(residuals.map(Math.abs)) ?? 0));
    // In the first round residuals are the gains themselves: all samples count alike.
    const limit = round === 0 ? Number.POSITIVE_INFINITY : HUBER * sigma;
    const { normal, right } = normalEquations(overlaps, residuals, limit, lensColumns, size);
    // In units of the noise, as the samples are: a prior must weigh the same whatever their count.
    const noise2 = sigma ** 2;
    for (let k = 0; k < size; k += 1) {
      const prior = k < images ? GAIN_SIGMA : FALLOFF_SIGMA;
      normal[k * size + k] = (normal[k * size + k] ?? 0) + noise2 / prior ** 2;
    }
    solution = choleskySolve(normal, right);
  }
  return { logGain: solution.slice(0, images), falloff: solution.slice(images) };
}

/** Samples of the points that two images or more show, point by point. */
interface Overlaps {
  /** Where the samples of point p begin; one more entry than points. */
  readonly start: Int32Array;
  readonly image: Int32Array;
  readonly logColour: Float64Array;
  readonly radius2: Float64Array;
}

function gatherOverlaps(samples: readonly PhotometricSamples[], channel: number): Overlaps {
  const count = samples[0]?.radius2.length ?? 0;
  const start = [0];
  const image: number[] = [];
  const logColour: number[] = [];
  const radius2: number[] = [];
  for (let point = 0; point < count; point += 1) {
    const from = image.length;
    for (let k = 0; k < samples.length; k += 1) {
      const value = samples[k]?.logColour[point * 3 + channel] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      image.push(k);
      logColour.push(value);
      radius2.push(samples[k]?.radius2[point] ?? 0);
    }
    if (image.length - from < 2) {
      for (const column of [image, logColour, radius2]) column.length = from;
    } else {
      start.push(image.length);
    }
  }
  return {
    start: Int32Array.from(start),
    image: Int32Array.from(image),
    logColour: Float64Array.from(logColour),
    radius2: Float64Array.from(radius2),
  };
}

/** Corrected log colour less the median of its point: what most images say, whatever a shadow says. */
function residualsOf(
  { start, image, logColour, radius2 }: Overlaps,
  solution: Float64Array,
  lensColumns: Int32Array,
): Float64Array {
  const corrected = logColour.map((value, i) => {
    const k = image[i] ?? 0;
    const falloff = solution[lensColumns[k] ?? 0] ?? 0;
    return value + (solution[k] ?? 0) + falloff * (radius2[i] ?? 0);
  });
  for (let point = 0; point + 1 < start.length; point += 1) {
    const from = start[point] ?? 0;
    const to = start[point + 1] ?? 0;
    const median = meanMedian(corrected.subarray(from, to)) ?? 0;
    for (let i = from; i < to; i += 1) corrected[i] = (corrected[i] ?? 0) - median;
  }
  return corrected;
}

function normalEquations(
  { start, image, logColour, radius2 }: Overlaps,
  residuals: Float64Array,
  limit: number,
  lensColumns: Int32Array,
  size: number,
): { normal: Float64Array; right: Float64Array } {
  const normal = new Float64Array(size * size);
  const right = new Float64Array(size);
  const row = new Float64Array(size);
  const touched = new Int32Array(size);
  for (let point = 0; point + 1 < start.length; point += 1) {
    const to = start[point + 1] ?? 0;
    let weights = 0;
    let weighted = 0;
    let columns = 0;
    for (let i = start[point] ?? 0; i < to; i += 1) {
      const k = image[i] ?? 0;
      const lens = lensColumns[k] ?? 0;
      const value = logColour[i] ?? 0;
      const r = radius2[i] ?? 0;
      const deviation = Math.abs(residuals[i] ?? 0);
      const weight = deviation <= limit ? 1 : limit / deviation;
      weights += weight;
      weighted += weight * value;
      touched[columns] = k;
      columns += 1;
      if (row[lens] === 0) {
        touched[columns] = lens;
        columns += 1;
      }
      row[k] = weight;
      // A sample on the axis still marks its lens as touched.
      row[lens] = (row[lens] ?? 0) + weight * r + Number.MIN_VALUE;
      addTo(normal, k * size + k, weight);
      addTo(normal, k * size + lens, weight * r);
      addTo(normal, lens * size + k, weight * r);
      addTo(normal, lens * size + lens, weight * r * r);
      addTo(right, k, -weight * value);
      addTo(right, lens, -weight * r * value);
    }
    for (let a = 0; a < columns; a += 1) {
      const i = touched[a] ?? 0;
      const share = (row[i] ?? 0) / weights;
      addTo(right, i, share * weighted);
      for (let b = 0; b < columns; b += 1) {
        const j = touched[b] ?? 0;
        addTo(normal, i * size + j, -share * (row[j] ?? 0));
      }
    }
    for (let a = 0; a < columns; a += 1) row[touched[a] ?? 0] = 0;
  }
  return { normal, right };
}

function addTo(array: Float64Array, at: number, value: number): void {
  array[at] = (array[at] ?? 0) + value;
}
