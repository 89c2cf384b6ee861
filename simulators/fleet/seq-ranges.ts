/** A set of sequence numbers kept as ranges: numbers that come mostly in order take almost no room. */
export interface SeqRanges {
  add(seq: number): void;
  readonly count: number;
  /** Inclusive ranges `[from, to]`, ascending, never adjacent. */
  ranges(): readonly (readonly [number, number])[];
}

/** Creates an empty set. Adding is O(log n) in the number of ranges, plus a shift when one is new. */
export function createSeqRanges(): SeqRanges {
  const list: [number, number][] = [];
  let count = 0;

  /** Index of the first range that ends at or after `seq`. */
  function find(seq: number): number {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((list[middle]?.[1] ?? 0) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    get count() {
      return count;
    },
    add(seq) {
      const i = find(seq);
      const [before, after] = [list[i - 1], list[i]];
      if (after !== undefined && after[0] <= seq) return;
      count += 1;
      const joinsBefore = before !== undefined && before[1] === seq - 1;
      const joinsAfter = after !== undefined && after[0] === seq + 1;
      if (joinsBefore && joinsAfter) {
        before[1] = after[1];
        list.splice(i, 1);
      } else if (joinsBefore) before[1] = seq;
      else if (joinsAfter) after[0] = seq;
      else list.splice(i, 0, [seq, seq]);
    },
    ranges: () => list,
  };
}
