import type { Difference } from "./compare.ts";

const MOST_CHARACTERS = 160;

/** One difference as a line: where it is, and both values. */
export const differenceText = ({ item, path, before, after }: Difference): string =>
  `differs: ${item} ${path}: ${shown(before)} before, ${shown(after)} after`;

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}...`;
}
