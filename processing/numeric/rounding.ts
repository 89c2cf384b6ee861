/** A share of 0 to 1 as percent with one decimal, for people. */
export function asPercent(share: number): number {
  return Math.round(share * 1_000) / 10;
}

/** A figure for people: `digits` decimals, as its decimal text is rounded. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** The nearest multiple of 1 / `parts`; halves go up. */
export function roundTo(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}

/** One decimal: of a coordinate of a drawing more would only be longer, of a percent of a report more than is known. */
export function toTenth(value: number): number {
  return roundTo(value, 10);
}
