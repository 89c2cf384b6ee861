/** The upper median, in any order of the values; `undefined` of none. */
export function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
