import type { Machine } from "../../state/machine.ts";

/** Rows of the list beside the map. */
interface Listed {
  readonly first: readonly Machine[];
  /** The chosen machine where it comes after those. */
  readonly chosen: Machine | undefined;
  /** How many between those and the chosen one are left out. */
  readonly between: number;
  /** How many of all are left out. */
  readonly rest: number;
}

/** The first machines of a list, and the chosen one wherever it is: what is chosen on the map is in the list. */
export function listedOf(
  found: readonly Machine[],
  count: number,
  chosenId: string | undefined,
): Listed {
  const index = found.findIndex(({ id }) => id === chosenId);
  const chosen = index >= count ? found[index] : undefined;
  const shown = Math.min(found.length, count) + (chosen === undefined ? 0 : 1);
  return {
    first: found.slice(0, count),
    chosen,
    between: chosen === undefined ? 0 : index - count,
    rest: found.length - shown,
  };
}
