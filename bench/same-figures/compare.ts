/** Everything that one checkout made of the inputs, by item: `kind/name`. */
export type Items = ReadonlyMap<string, unknown>;

/** Where two values differ first. */
export interface Difference {
  readonly item: string;
  /** JSON path within the item; "": the item itself. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The comparison of one kind. */
export interface KindRow {
  readonly compared: number;
  readonly equal: number;
  readonly differences: readonly Difference[];
  /** Items whose input was changed for one side on purpose, and how many of them showed it. */
  readonly controls: number;
  readonly controlsFound: number;
}

/** Items of this name have another input on each side: a comparison that finds them equal is blind. */
export const CONTROL = "control";

/** Compares one kind item by item; an item that only one side has is a difference. */
export function compareItems(before: Items, after: Items): KindRow {
  const differences: Difference[] = [];
  let [compared, controls, controlsFound] = [0, 0, 0];
  for (const item of new Set([...before.keys(), ...after.keys()])) {
    const found = firstDifference(item, "", before.get(item), after.get(item));
    if (item.split("/")[1] === CONTROL) {
      controls += 1;
      if (found !== undefined) controlsFound += 1;
      continue;
    }
    compared += 1;
    if (found !== undefined) differences.push(found);
  }
  return { compared, equal: compared - differences.length, differences, controls, controlsFound };
}

/** Whether a kind compared something, found no difference, and found every control. */
export const isSame = (row: KindRow): boolean =>
  row.compared > 0 &&
  row.equal === row.compared &&
  row.controls > 0 &&
  row.controls === row.controlsFound;

function firstDifference(
  item: string,
  path: string,
  before: unknown,
  after: unknown,
): Difference | undefined {
  if (Object.is(before, after)) return undefined;
  if (
    !isContainer(before) ||
    !isContainer(after) ||
    Array.isArray(before) !== Array.isArray(after)
  ) {
    return { item, path, before, after };
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const found = firstDifference(item, `${path}/${key}`, before[key], after[key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
