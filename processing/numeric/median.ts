/** In any order; NaN only in typed arrays, whose order puts it last. */
type Values = readonly number[] | Float64Array | Float32Array;

const rising = (values: Values): ArrayLike<number> =>
  values instanceof Float64Array || values instanceof Float32Array
    ? values.toSorted()
    : values.toSorted((a, b) => a - b);

/** The upper of two in the middle: always one of the values; `undefined` of none. */
export function upperMedian(values: Values): number | undefined {
  return rising(values)[values.length >> 1];
}

/** The mean of two in the middle: without the bias of the upper one where values are few; `undefined` of none. */
export function meanMedian(values: Values): number | undefined {
  const sorted = rising(values);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined || sorted.length % 2 === 1) return upper;
  return ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Standard deviations a median absolute deviation of normal errors: 1 / 0.6745. */
export const MAD_TO_SIGMA = 1.4826;
