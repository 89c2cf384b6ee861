/** Of 1, 2, 5 times a power of ten the smallest that divides `range` into at most `parts`. */
export function tickStep(range: number, parts: number): number {
  const least = range / parts;
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((f) => f * power >= least * (1 - 1e-9)) ?? 10;
  return Number((factor * power).toPrecision(1));
}

/** Multiples of `step` from `low` to `high`. */
export function ticksOf(low: number, high: number, step: number): number[] {
  const first = Math.ceil(low / step - 1e-6);
  const last = Math.floor(high / step + 1e-6);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

/** A tick with as many decimals as its step has: "0", "0.5", "1.0". */
export function tickText(tick: number, step: number): string {
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-6));
  return Math.abs(tick) < step / 2 ? "0" : tick.toFixed(digits);
}
