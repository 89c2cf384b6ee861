import type { Extremum } from "./extrema.ts";
import { DESCRIPTOR_BYTES } from "./keypoints.ts";
import {
  type DescribingBlocks,
  kernel,
  levelSigmaPx,
  type Octave,
  SCALES_PER_OCTAVE,
} from "./scale-space.ts";

const BINS = 36;
/** Standard deviation of the window in which the direction is sought, in sigmas; Lowe 2004 section 5. */
const DIRECTION_WINDOW = 1.5;
/** Distance of the gradients there, in sigmas: 20 of them reach 3 standard deviations of the window. */
const DIRECTION_STEP = 0.45;
/** A second direction counts from this share of the strongest on; Lowe 2004 section 5 has 0.8. */
const SECOND_DIRECTION = 0.85;
/** Directions of one keypoint at most; prototype. */
const MAX_DIRECTIONS = 2;
/** Rounds of smoothing the histogram by (1, 2, 1) / 4; prototype. */
const SMOOTHING_ROUNDS = 3;
/** Edge of a descriptor's cell in sigmas; Lowe's own program and VLFeat have 3. */
const CELL = 3;
const GRADIENTS = 20;
const CELLS = 4;

/** Fills in the constant tables; once per image, because the memory is laid out anew for each. */
export function prepareDescribing({ window, shares }: DescribingBlocks): void {
  const places = Array.from({ length: GRADIENTS }, (_, i) => i - (GRADIENTS - 1) / 2);
  kernel
    .f32(window, GRADIENTS)
    .set(
      places.map((place) => Math.exp(-0.5 * ((place * DIRECTION_STEP) / DIRECTION_WINDOW) ** 2)),
    );
  const table = kernel.f32(shares, GRADIENTS * CELLS);
  places.forEach((place, i) => {
    // In cells from the middle of the keypoint; the window is half as wide as the descriptor.
    const offset = place / CELLS;
    const weight = Math.exp(-0.5 * (offset / (CELLS / 2)) ** 2);
    for (let cell = 0; cell < CELLS; cell += 1) {
      const apart = Math.abs(offset - (cell - (CELLS - 1) / 2));
      table[i * CELLS + cell] = weight * Math.max(0, 1 - apart);
    }
  });
}

/** Directions of the gradient around an extremum, rad, from x towards y: one, or two of like strength. */
export function dominantDirections(
  octave: Octave,
  extremum: Extremum,
  blocks: DescribingBlocks,
): readonly number[] {
  kernel.functions.orientations(
    nearestLevel(octave, extremum),
    octave.width,
    octave.height,
    octave.stride,
    extremum.x,
    extremum.y,
    DIRECTION_STEP * levelSigmaPx(extremum.level),
    blocks.window,
    blocks.scratch,
    blocks.histogram,
  );
  return peaks(kernel.f32(blocks.histogram, BINS));
}

/** Writes the RootSIFT descriptor of an extremum that points along `angle` to `out` at `offset`. */
export function describeKeypoint(
  octave: Octave,
  extremum: Extremum,
  angle: number,
  blocks: DescribingBlocks,
  out: Uint8Array,
  offset: number,
): void {
  kernel.functions.describe(
    nearestLevel(octave, extremum),
    octave.width,
    octave.height,
    octave.stride,
    extremum.x,
    extremum.y,
    Math.cos(angle),
    Math.sin(angle),
    (CELL / CELLS) * levelSigmaPx(extremum.level),
    blocks.shares,
    blocks.scratch,
    blocks.descriptor,
  );
  out.set(kernel.u8(blocks.descriptor, DESCRIPTOR_BYTES), offset);
}

/** The blurred level that an extremum is described on. */
function nearestLevel(octave: Octave, { level }: Extremum): number {
  const nearest = Math.min(SCALES_PER_OCTAVE, Math.max(1, Math.round(level)));
  return octave.levels[nearest - 1] ?? 0;
}

/** Peaks of a circular histogram, smoothed, each placed by a parabola; strongest first. */
function peaks(histogram: Float32Array): readonly number[] {
  const bins = smoothed(histogram);
  let highest = 0;
  for (let i = 1; i <= BINS; i += 1) highest = Math.max(highest, bins[i] ?? 0);
  const found: { readonly angle: number; readonly height: number }[] = [];
  for (let i = 1; i <= BINS; i += 1) {
    const height = bins[i] ?? 0;
    const before = bins[i - 1] ?? 0;
    const after = bins[i + 1] ?? 0;
    if (height < SECOND_DIRECTION * highest || height <= before || height < after) continue;
    const bin = i - 1 + (0.5 * (before - after)) / (before - 2 * height + after);
    found.push({ angle: (bin / BINS) * 2 * Math.PI, height });
  }
  return found
    .sort((a, b) => b.height - a.height || a.angle - b.angle)
    .slice(0, MAX_DIRECTIONS)
    .map(({ angle }) => angle);
}

/** The histogram smoothed, between a copy of its last bin and one of its first. */
function smoothed(histogram: Float32Array): Float64Array {
  let bins = new Float64Array(BINS + 2);
  let next = new Float64Array(BINS + 2);
  bins.set(histogram, 1);
  for (let round = 0; round < SMOOTHING_ROUNDS; round += 1) {
    closeCircle(bins);
    for (let i = 1; i <= BINS; i += 1) {
      next[i] = ((bins[i - 1] ?? 0) + 2 * (bins[i] ?? 0) + (bins[i + 1] ?? 0)) / 4;
    }
    [bins, next] = [next, bins];
  }
  return closeCircle(bins);
}

function closeCircle(bins: Float64Array): Float64Array {
  bins[0] = bins[BINS] ?? 0;
  bins[BINS + 1] = bins[1] ?? 0;
  return bins;
}
