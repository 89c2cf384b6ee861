/** The upper median, in any order of the values; `undefined` of none. */
export function median(values: readonly number[] | Float64Array): number | undefined {
  const sorted =
    values instanceof Float64Array ? values.toSorted() : values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/** Standard deviations a median absolute deviation of normal errors: 1 / 0.6745. */
export const MAD_TO_SIGMA = 1.4826;
