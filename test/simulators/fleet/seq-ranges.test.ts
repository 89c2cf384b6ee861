import fc from "fast-check";
import { expect, it } from "vitest";
import { createSeqRanges } from "../../../simulators/fleet/seq-ranges.ts";

it("the set of sequence ranges holds what a plain set holds, as the fewest ranges, for any order and repetition", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 80 }), (seqs) => {
      const set = createSeqRanges();
      for (const seq of seqs) set.add(seq);
      const expected = [...new Set(seqs)].sort((a, b) => a - b);
      const ranges = set.ranges();
      const held = ranges.flatMap(([from, to]) =>
        Array.from({ length: to - from + 1 }, (_, i) => from + i),
      );
      expect(held).toEqual(expected);
      expect(set.count).toBe(expected.length);
      const gaps = ranges.slice(1).map(([from], i) => from - (ranges[i]?.[1] ?? 0));
      expect(gaps.every((gap) => gap >= 2)).toBe(true);
    }),
  );
});

it("the set of sequence ranges takes one range for a million numbers in order", () => {
  const set = createSeqRanges();
  for (let seq = 0; seq < 1_000_000; seq += 1) set.add(seq);
  expect(set.ranges()).toEqual([[0, 999_999]]);
});
