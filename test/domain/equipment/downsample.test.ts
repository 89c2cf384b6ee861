import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  aggregateBuckets,
  largestTriangleThreeBuckets,
} from "../../../domain/equipment/downsample.ts";

const seconds = (count: number) => Float64Array.from({ length: count }, (_, i) => i);

describe("largestTriangleThreeBuckets", () => {
  // By hand: in rows 1-2 the spike spans the largest triangle with row 0 and the mean of rows 3-4;
  // then rows 3 and 4 span twice 10 and twice 5 with the spike and row 5.
  it("largestTriangleThreeBuckets keeps ends, spike and the foot of the spike when 6 rows become 4", () => {
    const values = Float64Array.of(0, 0, 10, 0, 0, 0);
    expect([...largestTriangleThreeBuckets(seconds(6), values, 4)]).toEqual([0, 2, 3, 5]);
  });

  it("largestTriangleThreeBuckets keeps the deepest dip of 1,000 rows in 3", () => {
    const values = new Float64Array(1_000).fill(5);
    values[617] = -40;
    expect([...largestTriangleThreeBuckets(seconds(1_000), values, 3)]).toEqual([0, 617, 999]);
  });

  it("largestTriangleThreeBuckets returns every row with a value when there are at most as many as requested", () => {
    const values = Float64Array.of(Number.NaN, 1, 2, Number.NaN, 3);
    expect([...largestTriangleThreeBuckets(seconds(5), values, 3)]).toEqual([1, 2, 4]);
  });

  it("largestTriangleThreeBuckets returns nothing for a column without value", () => {
    expect([
      ...largestTriangleThreeBuckets(seconds(2), new Float64Array(2).fill(Number.NaN), 2),
    ]).toEqual([]);
  });

  it("largestTriangleThreeBuckets returns exactly the rows asked for, rising, with first and last, none without value", () => {
    const value = fc.oneof(
      fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
      fc.constant(Number.NaN),
    );
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 200 }),
        fc.integer({ min: 2, max: 50 }),
        (list, maxRows) => {
          const kept = [
            ...largestTriangleThreeBuckets(seconds(list.length), Float64Array.from(list), maxRows),
          ];
          const present = [...list.keys()].filter((row) => !Number.isNaN(list[row]));
          expect(kept).toHaveLength(Math.min(present.length, maxRows));
          expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
          expect(present).toEqual(expect.arrayContaining(kept));
          expect([kept[0], kept.at(-1)]).toEqual([present[0], present.at(-1)]);
        },
      ),
    );
  });

  it("largestTriangleThreeBuckets refuses to draw a line with 1 row", () => {
    expect(() => largestTriangleThreeBuckets(seconds(3), seconds(3), 1)).toThrow(RangeError);
  });
});

describe("aggregateBuckets", () => {
  it("aggregateBuckets sums up 5 rows over spans of 60 s that begin at full minutes", () => {
    const times = Float64Array.of(60_000, 119_999, 120_000, 130_000, 300_000);
    const values = Float64Array.of(2, 4, -1, Number.NaN, 7);
    expect(aggregateBuckets(times, values, 60_000)).toEqual({
      startsMs: Float64Array.of(60_000, 120_000, 300_000),
      counts: Uint32Array.of(2, 1, 1),
      means: Float64Array.of(3, -1, 7),
      mins: Float64Array.of(2, -1, 7),
      maxs: Float64Array.of(4, -1, 7),
      lasts: Float64Array.of(4, -1, 7),
    });
  });

  it("aggregateBuckets counts 0 in a span whose rows do not carry the field", () => {
    const buckets = aggregateBuckets(Float64Array.of(10, 20), Float64Array.of(Number.NaN, 1), 10);
    expect([...buckets.counts]).toEqual([0, 1]);
    expect([buckets.means[0], buckets.mins[0], buckets.maxs[0], buckets.lasts[0]]).toEqual(
      Array.from({ length: 4 }, () => Number.NaN),
    );
  });

  it("aggregateBuckets agrees with plain arithmetic on any rows, before 1970 too", () => {
    const row = fc.tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: -9, max: 9 }));
    fc.assert(
      fc.property(fc.uniqueArray(row, { selector: ([t]) => t, maxLength: 60 }), (unsorted) => {
        const rows = unsorted.toSorted(([a], [b]) => a - b);
        const buckets = aggregateBuckets(
          Float64Array.from(rows, ([t]) => t),
          Float64Array.from(rows, ([, value]) => value),
          100,
        );
        const starts = [...new Set(rows.map(([t]) => Math.floor(t / 100) * 100))];
        expect([...buckets.startsMs]).toEqual(starts);
        for (const [i, start] of starts.entries()) {
          const members = rows.filter(([t]) => t >= start && t < start + 100);
          const values = members.map(([, value]) => value);
          const sum = values.reduce((a, b) => a + b, 0);
          expect(buckets.counts[i]).toBe(values.length);
          expect(buckets.means[i]).toBeCloseTo(sum / values.length, 9);
          expect(buckets.mins[i]).toBe(Math.min(...values));
          expect(buckets.maxs[i]).toBe(Math.max(...values));
          expect(buckets.lasts[i]).toBe(values.at(-1));
        }
        expect(buckets.counts.reduce((a, b) => a + b, 0)).toBe(rows.length);
      }),
    );
  });

  it("aggregateBuckets refuses spans of 0 ms", () => {
    expect(() => aggregateBuckets(seconds(1), seconds(1), 0)).toThrow(RangeError);
  });
});
