/** Numbers in stored order; `NaN` has no JSON and is stored as null. */
export type PackedNumbers = readonly (number | null)[];

/** The numbers of `state` under `keys`, in that order. */
export const packNumbers = <K extends string>(
  state: Readonly<Record<K, number>>,
  keys: readonly K[],
): PackedNumbers => keys.map((key) => (Number.isNaN(state[key]) ? null : state[key]));

/** Reads them back into `state`; a number that an older program did not store keeps its value. */
export function unpackNumbers<K extends string>(
  state: Record<K, number>,
  keys: readonly K[],
  packed: PackedNumbers,
): void {
  keys.forEach((key, i) => {
    const number = packed[i];
    if (number !== undefined) state[key] = number ?? Number.NaN;
  });
}
