/** A percent that somebody typed, with a point or a comma; `undefined`: it is not a number from 0 to 100. */
export function readPercent(text: string): number | undefined {
  const written = text.trim().replace(/\s*%$/, "").replace(",", ".");
  const value = /^\d+(\.\d+)?$/.test(written) ? Number(written) : Number.NaN;
  return value <= 100 ? value : undefined;
}
