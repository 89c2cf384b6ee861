/**
 * What went into a stage as text, for its key. Numbers are written with all their digits, so that equal
 * text means equal input; typed arrays as their numbers.
 */
export function keyText(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) =>
    ArrayBuffer.isView(field) ? Array.from(field as Float64Array) : field,
  );
}
