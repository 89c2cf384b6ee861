/** A decimal number as devices write it, without blanks, hexadecimal or words. */
const DECIMAL = /^[+-]?(?:\d{1,17}(?:\.\d{0,17})?|\.\d{1,17})(?:[eE][+-]?\d{1,3})?$/;

/**
 * A number that some devices send as text, such as `"46.5"`; `undefined` for everything else, also for
 * what is not finite.
 */
export function looseNumber(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || !DECIMAL.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
