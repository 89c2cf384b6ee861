import { describe, expect, it } from "vitest";
import { matchNearest } from "./matching.ts";

const expected = (...timesMs: readonly number[]) => ({
  timesMs,
  fromMs: Math.min(...timesMs) - 10,
  toMs: Math.max(...timesMs) + 10,
});

describe("matchNearest", () => {
  it("matchNearest gives each record to the nearest expectation, nearest pairs first", () => {
    const [a, b] = [expected(100), expected(108)];
    const [late, near] = [{ atMs: 110 }, { atMs: 107 }];

    expect(matchNearest([[a, b]], [late, near])).toEqual([
      { expected: b, recorded: near, offMs: -1 },
      { expected: a, recorded: late, offMs: 10 },
    ]);
  });

  it("matchNearest leaves a record outside every span", () => {
    expect(matchNearest([[expected(100)]], [{ atMs: 89 }, { atMs: 111 }])).toEqual([]);
  });

  it("matchNearest measures from the nearest of several times", () => {
    const twice = expected(100, 200);
    expect(matchNearest([[twice]], [{ atMs: 195 }])).toEqual([
      { expected: twice, recorded: { atMs: 195 }, offMs: -5 },
    ]);
  });

  it("matchNearest moves one on to another record of its own where that leaves the nearest to one that has no other", () => {
    const twice = expected(100, 200);
    const late = expected(205);
    const [first, second] = [{ atMs: 105 }, { atMs: 201 }];

    expect(matchNearest([[twice], [late]], [first, second])).toEqual([
      { expected: late, recorded: second, offMs: -4 },
      { expected: twice, recorded: first, offMs: 5 },
    ]);
  });

  it("matchNearest takes no record from an earlier rank that has no other", () => {
    const [clear, shallow] = [expected(100), expected(101)];
    expect(matchNearest([[clear], [shallow]], [{ atMs: 101 }])).toEqual([
      { expected: clear, recorded: { atMs: 101 }, offMs: 1 },
    ]);
  });
});
