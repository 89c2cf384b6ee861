import { DESCRIPTOR_BYTES } from "../features/keypoints.ts";

/** Descriptors that are looked at: four for each of the 128 values that the moments are of. */
const SAMPLE = 500;
/** Rounds of the iteration after the first: 16 directions hold 90.4 % of the squares then; the best of all hold 91. */
const ROUNDS = 2;
/** Length below which nothing is left of a direction beside those before it. */
const NOTHING = 1e-6;

/**
 * Directions of length 1 at right angles to each other that hold most of the squares of descriptors: the first `count`
 * eigenvectors of their second moments, nearly, by orthogonal iteration (Golub & Van Loan, Matrix Computations,
 * 8.2.4). Where descriptors span fewer, the others are zeros.
 * @param descriptors of `DESCRIPTOR_BYTES` each, one after the other
 * @returns `count` rows of `DESCRIPTOR_BYTES` numbers
 */
export function principalDirections(descriptors: Uint8Array, count: number): Float64Array {
  const moments = secondMoments(descriptors);
  const all = new Float64Array(count * DESCRIPTOR_BYTES);
  const directions = Array.from({ length: count }, (_, k) =>
    all.subarray(k * DESCRIPTOR_BYTES, (k + 1) * DESCRIPTOR_BYTES),
  );
  // Any start will do that is not at right angles to what is sought: waves, each with another number of turns.
  for (const [k, direction] of directions.entries()) {
    for (let i = 0; i < DESCRIPTOR_BYTES; i += 1) {
      direction[i] = Math.cos(((i + 0.5) * k * Math.PI) / DESCRIPTOR_BYTES);
    }
  }
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const direction of directions) direction.set(times(moments, direction));
    makeOrthonormal(directions);
  }
  return all;
}

/** Sums of the products of any two values, row-major. */
function secondMoments(descriptors: Uint8Array): Float64Array {
  const count = descriptors.length / DESCRIPTOR_BYTES;
  const stride = Math.max(1, Math.floor(count / SAMPLE)) * DESCRIPTOR_BYTES;
  const moments = new Float64Array(DESCRIPTOR_BYTES ** 2);
  for (let at = 0; at < descriptors.length; at += stride) {
    for (let i = 0; i < DESCRIPTOR_BYTES; i += 1) {
      const value = descriptors[at + i] ?? 0;
      for (let j = 0; j < DESCRIPTOR_BYTES; j += 1) {
        const place = i * DESCRIPTOR_BYTES + j;
        moments[place] = (moments[place] ?? 0) + value * (descriptors[at + j] ?? 0);
      }
    }
  }
  return moments;
}

function times(matrix: Float64Array, vector: Float64Array): Float64Array {
  return vector.map((_, i) =>
    dot(matrix.subarray(i * vector.length, (i + 1) * vector.length), vector),
  );
}

/** Gram and Schmidt's way, twice, so that rounding leaves nothing. */
function makeOrthonormal(directions: readonly Float64Array[]): void {
  for (const [k, direction] of directions.entries()) {
    const length = Math.sqrt(dot(direction, direction));
    for (let pass = 0; pass < 2; pass += 1) {
      for (const before of directions.slice(0, k)) {
        const share = dot(before, direction);
        for (let i = 0; i < direction.length; i += 1) {
          direction[i] = (direction[i] ?? 0) - share * (before[i] ?? 0);
        }
      }
    }
    const left = Math.sqrt(dot(direction, direction));
    const scale = left > NOTHING * length ? 1 / left : 0;
    for (let i = 0; i < direction.length; i += 1) direction[i] = (direction[i] ?? 0) * scale;
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
