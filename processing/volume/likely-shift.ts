/** How a footprint is to be moved to lie on its pile, metres east and north. */
export type FootprintShift = readonly [eastM: number, northM: number];

/** A footprint that leaves out no more than this share stays where it was drawn. Chosen. */
const HELD_ALL = 0.001;

interface Search {
  /** Farthest shift that is tried, cells. */
  readonly reach: number;
  readonly cellM: number;
  /** One standard deviation of the shift by axis, metres. */
  readonly sigmaM: number;
  /** Shifts that leave out this share of what the best one holds are 1 / e as likely. */
  readonly slack: number;
  /** Where the best one holds no more, there is nothing to find. */
  readonly leastHeld: number;
}

/**
 * The mean of shifts, weighed by what they hold and by how far they are.
 * @param heldAt what footprints hold that are so many cells further down and to the right
 * @returns 0, 0 where they hold as much as they were drawn, or nothing is there
 */
export function likelyShift(
  { reach, cellM, sigmaM, slack, leastHeld }: Search,
  heldAt: (down: number, right: number) => number,
): FootprintShift {
  const tried: { readonly eastM: number; readonly northM: number; readonly held: number }[] = [];
  for (let down = -reach; down <= reach; down += 1) {
    for (let right = -reach; right <= reach; right += 1) {
      tried.push({ eastM: right * cellM, northM: -down * cellM, held: heldAt(down, right) });
    }
  }
  const most = tried.reduce((best, { held }) => Math.max(best, held), 0);
  if (most <= leastHeld || heldAt(0, 0) >= (1 - HELD_ALL) * most) return [0, 0];
  let [east, north, sum] = [0, 0, 0];
  for (const { eastM, northM, held } of tried) {
    const weight = Math.exp(
      (held - most) / (slack * most) - (eastM ** 2 + northM ** 2) / (2 * sigmaM ** 2),
    );
    east += weight * eastM;
    north += weight * northM;
    sum += weight;
  }
  return [east / sum, north / sum];
}
