import { describe, expect, it } from "vitest";
import { matchNearest } from "./matching.ts";

const expected = (...timesMs: readonly number[]) => ({
  timesMs,
  fromMs: Math.min(...timesMs) - 10,
  toMs: Math.max(...timesMs) + 10,
});

describe("matchNearest", () => {
  it("gives each record to the nearest expectation, nearest pairs first", () => {
    const [a, b] = [expected(100), expected(108)];
    const [late, near] = [{ atMs: 110 }, { atMs: 107 }];

    expect(matchNearest([a, b], [late, near])).toEqual([
      { expected: b, recorded: near, offMs: -1 },
      { expected: a, recorded: late, offMs: 10 },
    ]);
  });

  it("leaves a record outside every span", () => {
    expect(matchNearest([expected(100)], [{ atMs: 89 }, { atMs: 111 }])).toEqual([]);
  });

  it("measures from the nearest of several times", () => {
    const twice = expected(100, 200);
    expect(matchNearest([twice], [{ atMs: 195 }])).toEqual([
      { expected: twice, recorded: { atMs: 195 }, offMs: -5 },
    ]);
  });
});
