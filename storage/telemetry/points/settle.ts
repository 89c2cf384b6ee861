import { LATE_FIELD } from "../../../domain/equipment/lateness.ts";
import { ascendingOrder } from "./order.ts";
import { type Points, reorderPoints } from "./points.ts";

/**
 * `points`: rows of one key stay apart, each keeps only the values that win, so that later points can be
 * compared with each of them; for storage. `rows`: the winning values of one key become one row; for reading.
 */
export type SettleMode = "points" | "rows";

/**
 * Sorts points by key and decides field by field which of the points of one key wins: the higher
 * `seq`, then the larger `payloadHash`, then the larger value. Of how late positions were received, the first
 * receipt counts. Rows left without a value are dropped.
 * The outcome depends neither on the order nor on repetition of the input, and settling points that
 * were settled in parts gives the same as settling them all at once.
 * Every row of a key must be in `points`.
 */
export function settle(points: Points, mode: SettleMode): Points {
  const order = ascendingOrder(points.keys);
  const sorted = order === undefined ? points : reorderPoints(points, order);
  if (!hasEqualNeighbours(sorted.keys)) return mode === "rows" ? dropEmpty(sorted) : sorted;
  const ranked = reorderPoints(sorted, precedenceOrder(sorted));
  keepFirstReceipt(ranked);
  keepWinners(ranked, mode);
  return dropEmpty(ranked);
}

function hasEqualNeighbours(keys: Float64Array): boolean {
  for (let i = 1; i < keys.length; i++) if (keys[i] === keys[i - 1]) return true;
  return false;
}

/** Order of sorted points in which the rows of one key follow by falling precedence. */
function precedenceOrder({ count, keys, seqs, hashes }: Points): Uint32Array {
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  for (let start = 0; start < count; ) {
    let end = start + 1;
    while (end < count && keys[end] === keys[start]) end++;
    if (end - start > 1) {
      order
        .subarray(start, end)
        .sort(
          (a, b) =>
            (seqs[b] as number) - (seqs[a] as number) ||
            (hashes[b] as number) - (hashes[a] as number),
        );
    }
    start = end;
  }
  return order;
}

/**
 * Leaves of each key what its first receipt says, in the row that wins with its position: a position without the field
 * was received in time, so sending it again later does not make it late. Rows without a position do not count.
 */
function keepFirstReceipt({ count, keys, names, columns }: Points): void {
  const latitudes = columns[names.indexOf("latitude")];
  const lates = columns[names.indexOf(LATE_FIELD)];
  if (latitudes === undefined || lates === undefined) return;
  for (let start = 0; start < count; ) {
    let winner = -1;
    let first = Number.POSITIVE_INFINITY;
    let row = start;
    for (; row < count && keys[row] === keys[start]; row++) {
      if (!Number.isNaN(latitudes[row])) {
        if (winner === -1) winner = row;
        const late = lates[row] as number;
        first = Math.min(first, Number.isNaN(late) ? 0 : late);
      }
      lates[row] = Number.NaN;
    }
    if (winner !== -1 && first > 0) lates[winner] = first;
    start = row;
  }
}

/** Blanks every value that loses; in `rows` mode the winners move to the first row of their key. */
function keepWinners(points: Points, mode: SettleMode): void {
  const { count, keys, seqs, hashes } = points;
  for (const column of points.columns) {
    for (let start = 0; start < count; ) {
      let winner = -1;
      let row = start;
      for (; row < count && keys[row] === keys[start]; row++) {
        const value = column[row] as number;
        if (Number.isNaN(value)) continue;
        if (winner === -1) {
          winner = row;
        } else {
          const tied = seqs[row] === seqs[winner] && hashes[row] === hashes[winner];
          if (tied && isLarger(value, column[winner] as number)) column[winner] = value;
          column[row] = Number.NaN;
        }
      }
      if (mode === "rows" && winner > start) {
        column[start] = column[winner] as number;
        column[winner] = Number.NaN;
      }
      start = row;
    }
  }
}

/** Total order of the doubles that are stored: 0 is larger than -0. */
function isLarger(a: number, b: number): boolean {
  return a > b || (a === 0 && Object.is(b, -0));
}

/** The same rows without a column, but for those that carry nothing else. */
export function withoutColumn(points: Points, name: string): Points {
  const left = points.names.indexOf(name);
  const isKept = (_: unknown, i: number) => i !== left;
  const { names, columns } = points;
  return dropEmpty({ ...points, names: names.filter(isKept), columns: columns.filter(isKept) });
}

function dropEmpty(points: Points): Points {
  const carried = new Uint8Array(points.count);
  for (const column of points.columns) {
    for (let row = 0; row < points.count; row++) {
      if (!Number.isNaN(column[row])) carried[row] = 1;
    }
  }
  const kept = carried.reduce((sum, flag) => sum + flag, 0);
  if (kept === points.count) return points;
  const order = new Uint32Array(kept);
  let next = 0;
  for (let row = 0; row < points.count; row++) if (carried[row] === 1) order[next++] = row;
  return reorderPoints(points, order);
}
