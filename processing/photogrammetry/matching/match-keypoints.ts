import { openKernel } from "../../wasm/kernel.ts";
import { MATCH_WASM } from "../../wasm/match.wasm.ts";
import { DESCRIPTOR_BYTES, type Keypoints } from "../features/keypoints.ts";
import { principalDirections } from "./principal-directions.ts";

/** Ratio of distances to the nearest and the second nearest; lower keeps fewer, surer. Lowe 2004 section 7.1. */
const MAX_RATIO = 0.8;
/** Squared length of a RootSIFT descriptor of bytes, but for rounding (below 0.5 %). */
const SQUARED_LENGTH = 512 ** 2;
/**
 * Directions that a descriptor is sketched along. With 24 a fifth as many products would be worked out (six simulated
 * images), but bounds would take half as long again.
 */
const DIRECTIONS = 16;
/** Whole parts of one that the kernel takes them in. */
const PARTS = 2 ** 15;

const kernel = openKernel(MATCH_WASM, ["sketch", "nearest", "keepMutual"]);
/** Those of the first image that this thread matches. Others would find the same matches in another time. */
let directions: Float64Array | undefined;

/**
 * Pairs of keypoints that are each other's nearest by descriptor and clearly nearer than the second
 * nearest: keypoint of `a`, keypoint of `b`, in turn, by rising keypoint of `a`. As if all were compared with all:
 * 9 ms for 2000 and 2000, where 15 went into all products.
 */
export function matchKeypoints(a: Keypoints, b: Keypoints): Uint32Array {
  if (a.count === 0 || b.count === 0) return new Uint32Array(0);
  const [rowsA, rowsB] = [paddedRows(a), paddedRows(b)];
  const at = kernel.layout({
    directions: DIRECTIONS * DESCRIPTOR_BYTES * 2,
    a: rowsA * ROW_BYTES,
    b: rowsB * ROW_BYTES,
    most: 4 * 4 * Math.max(rowsA, rowsB),
    found: 3 * 4 * rowsA,
  });
  directions ??= principalDirections(a.descriptors, DIRECTIONS).map((value) =>
    Math.min(PARTS - 1, Math.round(PARTS * value)),
  );
  kernel.i16(at.directions, directions.length).set(directions);
  const ofA = sketchImage(a, at.a, at.directions);
  const ofB = sketchImage(b, at.b, at.directions);
  kernel.functions.nearest(
    ...[ofA.rows, ofA.sketches, ofA.rests, rowsA, ofB.rows, ofB.fours, ofB.rests, rowsB],
    ...[SQUARED_LENGTH, MAX_RATIO ** 2, at.most, at.found],
  );
  const found = kernel.i32(at.found, 3 * rowsA);
  const clear = keepClear(found, a.count, b.count);
  kernel.functions.keepMutual(
    ...[ofA.rows, ofA.fours, ofA.rests, rowsA, ofB.rows, ofB.sketches, ofB.rests],
    ...[at.found, clear, at.most],
  );
  const matches: number[] = [];
  for (let n = 0; n < 3 * clear; n += 3) {
    if ((found[n + 2] ?? 0) >= 0) matches.push(found[n] ?? 0, found[n + 1] ?? 0);
  }
  return Uint32Array.from(matches);
}

/** Bytes of a keypoint in the kernel's memory: its descriptor in 8 and in 16 bits, its sketch twice, its rest. */
const SKETCH_BYTES = DIRECTIONS * 2;
const ROW_BYTES = 3 * DESCRIPTOR_BYTES + 2 * SKETCH_BYTES + 4;

/** The kernel takes rows by sixteen; rows of zeros match nothing better than a real row does. */
function paddedRows({ count }: Keypoints): number {
  return (count + 15) & ~15;
}

/** Sketches the descriptors of an image in the kernel's memory; gives the addresses of what it made. */
function sketchImage(keypoints: Keypoints, descriptors: number, alongDirections: number) {
  const { count } = keypoints;
  const padded = paddedRows(keypoints);
  const rows = descriptors + padded * DESCRIPTOR_BYTES;
  const sketches = rows + padded * DESCRIPTOR_BYTES * 2;
  const fours = sketches + padded * SKETCH_BYTES;
  const rests = fours + padded * SKETCH_BYTES;
  const bytes = count * DESCRIPTOR_BYTES;
  kernel.u8(descriptors, bytes).set(keypoints.descriptors.subarray(0, bytes));
  kernel.functions.sketch(...[descriptors, count, alongDirections, rows, sketches, fours, rests]);
  return { rows, sketches, fours, rests };
}

/**
 * Puts the rows that pass the ratio test to the front of `found`: row, column and product instead of column and two
 * products. Gives their number.
 */
function keepClear(found: Int32Array, countA: number, countB: number): number {
  let kept = 0;
  for (let i = 0; i < countA; i += 1) {
    const [column = 0, first = 0, second = 0] = found.subarray(3 * i, 3 * i + 3);
    if (column >= countB || distance2(first) >= MAX_RATIO ** 2 * distance2(second)) continue;
    found.set([i, column, first], 3 * kept);
    kept += 1;
  }
  return kept;
}

/** Squared distance of two descriptors by their product; never negative through rounding. */
function distance2(product: number): number {
  return Math.max(0, 2 * (SQUARED_LENGTH - product));
}
