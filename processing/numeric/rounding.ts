/** A share of 0 to 1 as percent with one decimal, for people. */
export function asPercent(share: number): number {
  return Math.round(share * 1_000) / 10;
}

/** A figure for people: `digits` decimals. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
