import { type ReadonlySignal, useComputed } from "@preact/signals";
import { useRef } from "preact/hooks";

/**
 * A value that is computed from signals, and stays the same object for as long as it says the same: positions change
 * each second, what a page shows of them seldom does, and then nothing of it is rendered again.
 */
export function useSame<T>(
  compute: (before: T | undefined) => T,
  isSame: (before: T, after: T) => boolean,
): ReadonlySignal<T> {
  const known = useRef<T | undefined>(undefined);
  return useComputed(() => {
    const before = known.current;
    const after = compute(before);
    if (before !== undefined && isSame(before, after)) return before;
    known.current = after;
    return after;
  });
}

/** Whether two lists have the same values in the same order. */
export const sameItems = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);
