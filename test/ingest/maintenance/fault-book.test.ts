import { describe, expect, it } from "vitest";
import type { FaultCode } from "../../../domain/equipment/reading.ts";
import {
  advanceFaults,
  countLateFaults,
  type FaultBook,
} from "../../../ingest/maintenance/fault-book.ts";

const code = (spn: number, occurrence_count?: number, source?: number): FaultCode => ({
  spn,
  fmi: 3,
  ...(occurrence_count === undefined ? {} : { occurrence_count }),
  ...(source === undefined ? {} : { source }),
});

/** Takes lists in, one per minute from 1 on; yields `type key occurrences` per list. */
function take(book: FaultBook, ...lists: readonly (readonly FaultCode[])[]) {
  return lists.map((list, i) =>
    advanceFaults(book, list, (i + 1) * 60_000).map(
      ({ type, key, fault }) => `${type} ${key} ${fault.occurrences}`,
    ),
  );
}

describe("the newest list of faults", () => {
  it("the newest list of faults raises what is new, is silent of what it repeats, and ends what is gone", () => {
    const book: FaultBook = new Map();
    expect(take(book, [code(100)], [code(100), code(110)], [code(100)], [])).toEqual([
      ["raised /100/3 1"],
      ["raised /110/3 1"],
      ["cleared /110/3 1"],
      ["cleared /100/3 1"],
    ]);
    expect(book.size).toBe(0);
  });

  it("the newest list of faults moves only the time of a fault that it repeats", () => {
    const book: FaultBook = new Map();
    take(book, [code(100, 1)], [code(100, 1)], [code(100, 1)]);
    expect(book.get("/100/3")).toEqual({
      code: code(100, 1),
      sinceMs: 60_000,
      lastSeenMs: 180_000,
      occurrences: 1,
    });
  });

  it("the newest list of faults takes a higher count for one more occurrence, a lower one for a new beginning", () => {
    const book: FaultBook = new Map();
    expect(take(book, [code(100, 3)], [code(100, 5)], [code(100, 1)], [code(100, 2)])).toEqual([
      ["raised /100/3 1"],
      ["again /100/3 2"],
      [],
      ["again /100/3 3"],
    ]);
  });

  it("a list of faults without counts shows no new occurrences", () => {
    const book: FaultBook = new Map();
    expect(take(book, [code(100)], [code(100, 7)], [code(100)], [code(100, 7)])).toEqual([
      ["raised /100/3 1"],
      [],
      [],
      [],
    ]);
  });

  it("the newest list of faults keeps controllers apart, and modes", () => {
    const book: FaultBook = new Map();
    expect(
      take(
        book,
        [code(100, 1, 0), code(100, 1, 3)],
        [code(100, 1, 3), { spn: 100, fmi: 4, source: 3 }],
      ),
    ).toEqual([
      ["raised 0/100/3 1", "raised 3/100/3 1"],
      ["cleared 0/100/3 1", "raised 3/100/4 1"],
    ]);
  });

  it("the newest list of faults takes two of the same for one, with the higher count", () => {
    const book: FaultBook = new Map();
    expect(take(book, [code(100, 4), code(100, 2)], [code(100, 2), code(100, 4)])).toEqual([
      ["raised /100/3 1"],
      [],
    ]);
  });
});

describe("a list that is older than the newest", () => {
  it("a list that is older than the newest raises nothing and ends nothing", () => {
    const book: FaultBook = new Map();
    take(book, [code(100, 2)]);
    expect(countLateFaults(book, [code(110)])).toEqual([]);
    expect(countLateFaults(book, [])).toEqual([]);
    expect([...book.keys()]).toEqual(["/100/3"]);
  });

  it("a list that is older than the newest still counts a higher occurrence of an active fault, once", () => {
    const book: FaultBook = new Map();
    take(book, [code(100, 2)]);
    expect(countLateFaults(book, [code(100, 3)])).toMatchObject([
      { type: "counted", fault: { occurrences: 2 } },
    ]);
    expect(countLateFaults(book, [code(100, 3)])).toEqual([]);
    expect(advanceFaults(book, [code(100, 3)], 1)).toEqual([]);
  });
});
