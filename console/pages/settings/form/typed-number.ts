/**
 * A number that somebody typed, with a point or a comma; `undefined`: nothing was typed. What is no number is NaN,
 * which JSON writes as null: the service refuses it at its field.
 */
export function typedNumber(text: string): number | undefined {
  const written = text.trim().replace(",", ".");
  if (written === "") return undefined;
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(written) ? Number(written) : Number.NaN;
}

/** A number that must be there: nothing is none, and not 0. */
export const neededNumber = (text: string): number => typedNumber(text) ?? Number.NaN;

/** A stored number as a field has it. */
export const numberText = (value: number | undefined): string =>
  value === undefined ? "" : String(value);
