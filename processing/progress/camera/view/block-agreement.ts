import type { Shift } from "./phase-correlation.ts";
import { FRAME } from "./view-frame.ts";

const { width: W, height: H } = FRAME;

/**
 * Side of a block, pixels, and every which pixel of it is compared. Larger blocks are surer and fewer, and
 * tolerate less turn; a smaller step costs its square in time.
 */
const SIDE = 32;
const STEP = 2;
/**
 * A block counts when it has so much of the frame's mean edge variance: sky has no place. Higher leaves too few
 * blocks on plain walls, lower counts blocks that match anywhere.
 */
const LEAST_TEXTURE = 0.25;
/**
 * Blocks of which more than this share lies in zones that change are not compared. Higher leaves fewer blocks,
 * lower has the work itself count as the place.
 */
const LEAST_WEIGHT = 0.5;
/**
 * From this correlation on a block agrees. Measured on simulated sites (simulators/camera-site), the best of
 * 25 places: unrelated blocks have 0.18 in the middle and 0.55 in one of ten cases, the right ones 0.66.
 */
const AGREES = 0.5;

/** A block of the reference with what of it is compared. */
interface Block {
  readonly left: number;
  readonly top: number;
  readonly values: Float32Array;
  /** Root of the sum of squares of `values`, which have no mean. */
  readonly norm: number;
}

/** A block that was found again: its middle in the reference, and how far from there it is now, pixels. */
export interface FoundBlock extends Shift {
  readonly x: number;
  readonly y: number;
}

/** The blocks of a reference's edge map that can be found again; `weights` 0 to 1 as where the reference counts. */
export function texturedBlocks(reference: Float32Array, weights: Float32Array): readonly Block[] {
  const blocks: Block[] = [];
  for (let top = 0; top < H; top += SIDE) {
    for (let left = 0; left < W; left += SIDE) {
      let weight = 0;
      for (let y = top; y < top + SIDE; y += STEP) {
        for (let x = left; x < left + SIDE; x += STEP) weight += weights[y * W + x] ?? 0;
      }
      if (weight * STEP ** 2 < LEAST_WEIGHT * SIDE ** 2) continue;
      const values = valuesAt(reference, left, top);
      blocks.push({ left, top, values, norm: centre(values) });
    }
  }
  const mean = blocks.reduce((sum, { norm }) => sum + norm ** 2, 0) / Math.max(1, blocks.length);
  return blocks.filter(({ norm }) => norm > 0 && norm ** 2 >= LEAST_TEXTURE * mean);
}

/** How much of a reference is found in a view that is shifted against it. */
export interface Agreement {
  /** Share of the blocks that lie within the view whose edges are where the shift says, 0 to 1. */
  readonly share: number;
  /** Blocks that lie within the view. */
  readonly compared: number;
  readonly found: readonly FoundBlock[];
}

/** Searches for every block around where `shift` puts it, up to `reach` pixels to each side. */
export function agreementAt(
  blocks: readonly Block[],
  view: Float32Array,
  shift: Shift,
  reach: number,
): Agreement {
  const dx = Math.round(shift.dx);
  const dy = Math.round(shift.dy);
  const found: FoundBlock[] = [];
  let compared = 0;
  for (const block of blocks) {
    const { left, top } = block;
    const isInside =
      left + dx - reach >= 0 &&
      top + dy - reach >= 0 &&
      left + dx + SIDE + reach <= W &&
      top + dy + SIDE + reach <= H;
    if (!isInside) continue;
    compared += 1;
    let best = { correlation: -1, ox: 0, oy: 0 };
    for (let oy = -reach; oy <= reach; oy++) {
      for (let ox = -reach; ox <= reach; ox++) {
        const correlation = correlate(block, view, left + dx + ox, top + dy + oy);
        if (correlation > best.correlation) best = { correlation, ox, oy };
      }
    }
    if (best.correlation < AGREES) continue;
    const [x, y] = [left + SIDE / 2, top + SIDE / 2];
    found.push({ x, y, dx: dx + best.ox, dy: dy + best.oy });
  }
  return { share: compared === 0 ? 0 : found.length / compared, compared, found };
}

function correlate(block: Block, view: Float32Array, left: number, top: number): number {
  const { values, norm } = block;
  let sum = 0;
  let squares = 0;
  let product = 0;
  let n = 0;
  for (let y = top; y < top + SIDE; y += STEP) {
    for (let x = left; x < left + SIDE; x += STEP) {
      const value = view[y * W + x] ?? 0;
      sum += value;
      squares += value * value;
      product += value * (values[n] ?? 0);
      n += 1;
    }
  }
  const variance = squares - (sum * sum) / n;
  return variance <= 0 ? 0 : product / (norm * Math.sqrt(variance));
}

function valuesAt(picture: Float32Array, left: number, top: number): Float32Array {
  const values = new Float32Array((SIDE / STEP) ** 2);
  let n = 0;
  for (let y = top; y < top + SIDE; y += STEP) {
    for (let x = left; x < left + SIDE; x += STEP) {
      values[n] = picture[y * W + x] ?? 0;
      n += 1;
    }
  }
  return values;
}

/** Takes the mean away, and yields the root of the sum of squares of what is left. */
function centre(values: Float32Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    const value = (values[i] ?? 0) - mean;
    values[i] = value;
    squares += value * value;
  }
  return Math.sqrt(squares);
}
