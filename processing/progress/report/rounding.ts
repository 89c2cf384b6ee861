export type Interval = readonly [low: number, high: number];

/** Within 0 to 100, rounded outward to one decimal: an interval never gets narrower by rounding. */
export function percentInterval([low, high]: Interval): Interval {
  // 1e-9: what is a tenth but for the last bit is that tenth.
  const floor = Math.floor(low * 10 + 1e-9) / 10;
  const ceil = Math.ceil(high * 10 - 1e-9) / 10;
  return [Math.min(100, Math.max(0, floor)), Math.min(100, Math.max(0, ceil))];
}
