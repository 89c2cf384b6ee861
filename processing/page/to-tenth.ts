/** A coordinate of a drawing, to a tenth of its unit: more would only be longer. */
export function toTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
