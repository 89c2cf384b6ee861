import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LATE_FIELD } from "../../../../domain/equipment/lateness.ts";
import { ascendingOrder, lowerBound } from "../../../../storage/telemetry/points/order.ts";
import {
  createPoints,
  type Points,
  slicePoints,
} from "../../../../storage/telemetry/points/points.ts";
import { settle } from "../../../../storage/telemetry/points/settle.ts";
import { keyWindows } from "../../../../storage/telemetry/points/windows.ts";

/** A row as plain data: key, seq, hash and values by name. */
type Row = readonly [
  key: number,
  seq: number,
  hash: number,
  values: Readonly<Record<string, number>>,
];

function table(rows: readonly Row[]): Points {
  const names = [...new Set(rows.flatMap(([, , , values]) => Object.keys(values)))];
  const points = createPoints(rows.length, names);
  for (const [i, [key, seq, hash, values]] of rows.entries()) {
    points.keys[i] = key;
    points.seqs[i] = seq;
    points.hashes[i] = hash;
    for (const [c, name] of names.entries()) {
      const column = points.columns[c];
      if (column !== undefined) column[i] = values[name] ?? Number.NaN;
    }
  }
  return points;
}

function rowsOf(points: Points): Row[] {
  return Array.from({ length: points.count }, (_, i): Row => {
    const carried = points.names
      .map((name, c): [string, number] => [name, points.columns[c]?.[i] ?? Number.NaN])
      .filter(([, value]) => !Number.isNaN(value))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      points.keys[i] ?? 0,
      points.seqs[i] ?? 0,
      points.hashes[i] ?? 0,
      Object.fromEntries(carried),
    ];
  });
}

const anyRow: fc.Arbitrary<Row> = fc.tuple(
  fc.integer({ min: 0, max: 9 }),
  fc.integer({ min: -1, max: 1 }),
  fc.integer({ min: 0, max: 1 }),
  fc.dictionary(fc.constantFrom("a", "b", "c"), fc.integer({ min: -2, max: 2 }), {
    minKeys: 1,
    noNullPrototype: true,
  }),
);

/** A reading with a position and perhaps how late it was received. */
const anyPosition: fc.Arbitrary<Row> = fc
  .tuple(
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: -1, max: 1 }),
    fc.integer({ min: 0, max: 2 }),
    fc.constantFrom(1, 2),
    fc.constantFrom(undefined, 61, 7_200, 7_800.5),
  )
  .map(([key, seq, hash, latitude, late]) => [
    ...([key, seq, hash] as const),
    late === undefined ? { latitude } : { latitude, [LATE_FIELD]: late },
  ]);

describe("ascendingOrder", () => {
  it("ascendingOrder sorts any keys like a stable sort, and says nothing about keys in order", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 80 }), (list) => {
        const expected = [...list.keys()].sort((a, b) => (list[a] ?? 0) - (list[b] ?? 0) || a - b);
        const order = ascendingOrder(Float64Array.from(list));
        const inOrder = list.every((key, i) => i === 0 || key >= (list[i - 1] ?? 0));
        expect(order === undefined).toBe(inOrder);
        expect([...(order ?? list.keys())]).toEqual(expected);
      }),
    );
  });
});

describe("lowerBound", () => {
  it.each([
    [5, 1],
    [6, 3],
    [1, 1],
    [99, 4],
  ])("lowerBound finds key %i of 1 5 5 7 9, within places 1 to 4, at %i", (key, place) => {
    expect(lowerBound(Float64Array.of(1, 5, 5, 7, 9), key, 1, 4)).toBe(place);
  });
});

describe("settle", () => {
  it("settle keeps for storage what may still win, each value beside its own precedence", () => {
    const points = table([
      [7, 1, 0, { a: 1, b: 1 }],
      [7, 3, 0, { b: 3 }],
      [7, 0, 0, { a: 0 }],
    ]);
    expect(rowsOf(settle(points, "points"))).toEqual([
      [7, 3, 0, { b: 3 }],
      [7, 1, 0, { a: 1 }],
    ]);
  });

  it("settle gives the same rows for all points at once and for parts settled before, in any order", () => {
    const parts = fc.array(fc.array(anyRow, { maxLength: 8 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(parts, (lists) => {
        const once = rowsOf(settle(table(lists.flat()), "rows"));
        const settled = lists.toReversed().map((list) => rowsOf(settle(table(list), "points")));
        const twice = rowsOf(settle(table(settled.flat()), "rows"));
        const values = (rows: Row[]) => rows.map(([key, , , fields]) => [key, fields]);
        expect(values(twice)).toEqual(values(once));
      }),
    );
  });

  it("settle keeps of each position how late its first receipt was, in any order and by any parts", () => {
    const rows = fc.array(fc.oneof(anyPosition, anyRow), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(rows, { minLength: 1, maxLength: 4 }), (lists) => {
        const sent = lists.flat();
        const parts = lists.toReversed().map((list) => rowsOf(settle(table(list), "points")));
        for (const [key, , , fields] of rowsOf(settle(table(parts.flat()), "rows"))) {
          const receipts = sent
            .filter((row) => row[0] === key && "latitude" in row[3])
            .map((row) => row[3][LATE_FIELD] ?? 0);
          const first = receipts.length === 0 ? 0 : Math.min(...receipts);
          expect(fields[LATE_FIELD]).toBe(first === 0 ? undefined : first);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("leaves nothing to settle for storage the second time", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyRow, anyPosition), { maxLength: 20 }), (rows) => {
        const once = rowsOf(settle(table(rows), "points"));
        expect(rowsOf(settle(table(once), "points"))).toEqual(once);
        const values = once.flatMap(([key, , , fields]) =>
          Object.keys(fields).map((name) => `${key} ${name}`),
        );
        expect(new Set(values).size).toBe(values.length);
      }),
    );
  });
});

describe("keyWindows", () => {
  it("keyWindows yields every row once, keys rising from window to window and never split, in windows of the size asked for", () => {
    const stream = fc
      .array(fc.integer({ min: 0, max: 30 }), { maxLength: 40 })
      .map((keys) => keys.toSorted((a, b) => a - b));
    const streams = fc.array(stream, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        streams,
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 20 }),
        (lists, size, cells) => {
          const windows = [
            ...keyWindows(
              lists.map((keys) => pieces(keys, size)),
              cells,
            ),
          ].map(({ keys }) => [...keys]);
          expect(windows.flat().sort((a, b) => a - b)).toEqual(lists.flat().sort((a, b) => a - b));
          for (const [i, keys] of windows.entries()) {
            expect(Math.min(...keys)).toBeGreaterThan(Math.max(-1, ...(windows[i - 1] ?? [])));
            if (new Set(keys).size > 1) expect(keys.length).toBeLessThanOrEqual(cells);
          }
        },
      ),
    );
  });
});

/** One column of sorted keys in pieces of `size` rows. */
function* pieces(keys: readonly number[], size: number): Generator<Points> {
  const whole = table(keys.map((key): Row => [key, 0, 0, { a: key }]));
  for (let start = 0; start < keys.length; start += size) {
    yield slicePoints(whole, start, Math.min(keys.length, start + size));
  }
}
