/** Place of the first element at or after a time, in what is ascending; the length where there is none. */
export function firstAtOrAfter(list: readonly { readonly ms: number }[], ms: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle]?.ms ?? Number.POSITIVE_INFINITY) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
