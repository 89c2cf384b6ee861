/** Shortest name that is compared: of three letters, every other name is one edit away. */
const MIN_LENGTH = 4;
/** Names from this length on may differ by two edits; below it two edits make another word. */
const LONG_LENGTH = 9;
/** Longest name that is compared, characters; the work grows with its square. */
const MAX_LENGTH = 64;

/**
 * The known name that `name` is probably a misspelling of. It has the same letters and digits in another
 * case or with other separators, or is one edit away (two from 9 letters on). An edit inserts, removes,
 * replaces or swaps a letter. `undefined`: none. A name with a digit that the known one lacks is a name of
 * its own (`engine_hours_2`), and so is one that is as near to two known names.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const folded = fold(name);
  if (folded.length < 3) return undefined;
  const same = known.find((one) => fold(one) === folded);
  if (same !== undefined) return same;
  if (folded.length < MIN_LENGTH) return undefined;
  let nearest: string | undefined;
  let least = folded.length >= LONG_LENGTH ? 2 : 1;
  let isShared = false;
  for (const one of known) {
    const target = fold(one);
    if (target.length < MIN_LENGTH || digitsOf(target) !== digitsOf(folded)) continue;
    const edits = editsBetween(folded, target, least);
    if (edits > least) continue;
    isShared = edits === least && nearest !== undefined;
    nearest = one;
    least = edits;
  }
  return isShared ? undefined : nearest;
}

const fold = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "");
const digitsOf = (name: string): string => name.replace(/[^0-9]+/g, "");

/** Optimal string alignment distance (Damerau 1964); anything above `limit` where it is larger. */
function editsBetween(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let edits = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) edits = Math.min(edits, (beforeLast[j - 2] ?? 0) + 1);
      row.push(edits);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? limit + 1;
}
