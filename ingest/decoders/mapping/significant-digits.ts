/** Powers of ten up to here are exact in a double. */
const EXACT_POWERS = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);
/** Decimal numbers of so many digits survive the conversion to a double and back. */
const DIGITS = 15;

/**
 * A number without the dust of a conversion: 525012345 x 1e-7 is 52.5012345, not 52.501234499999995. As
 * `Number(value.toPrecision(15))`, which takes ten times as long; numbers above 1e15 and below 1e-7 stay.
 */
export function withoutDust(value: number): number {
  const exponent = DIGITS - 1 - Math.floor(Math.log10(Math.abs(value)));
  const power = EXACT_POWERS[exponent];
  // Adding 0 makes 0 of -0, which JSON does not know.
  return (power === undefined ? value : Math.round(value * power) / power) + 0;
}
