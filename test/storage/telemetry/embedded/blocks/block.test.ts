import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readBlock, writeBlock } from "../../../../../storage/telemetry/embedded/blocks/block.ts";
import {
  type Block,
  BlockCutter,
} from "../../../../../storage/telemetry/embedded/blocks/block-cutter.ts";
import { ByteReader } from "../../../../../storage/telemetry/embedded/blocks/byte-reader.ts";
import { ByteWriter } from "../../../../../storage/telemetry/embedded/blocks/byte-writer.ts";
import {
  readColumn,
  writeColumn,
} from "../../../../../storage/telemetry/embedded/blocks/column-codec.ts";
import { PERIOD_MS, rowKey } from "../../../../../storage/telemetry/embedded/blocks/period.ts";
import { createPoints, type Points } from "../../../../../storage/telemetry/points/points.ts";

const bits = (values: Float64Array) => [...new BigUint64Array(values.slice().buffer)];

/** Values as machines send them and values as nobody does; `NaN` is a row without the field. */
const anyValue = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }).map((i) => i / 1e7),
  },
  { weight: 2, arbitrary: fc.integer({ min: -100, max: 100 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      -0,
      Number.MAX_VALUE,
      Number.MIN_VALUE,
      2 ** 53,
      -(2 ** 52),
      2 ** 51 - 1,
    ),
  },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
);

describe("the numbers of a block", () => {
  it("the numbers of a block come back as they were, from -2^52 to 2^52", () => {
    const edges = fc.constantFrom(
      0,
      63,
      64,
      2 ** 29,
      2 ** 30,
      2 ** 31,
      2 ** 35,
      2 ** 51,
      2 ** 52 - 1,
    );
    const number = fc.oneof(
      edges,
      fc.maxSafeNat().map((n) => n % 2 ** 52),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(number, fc.boolean()), { maxLength: 20 }), (list) => {
        const numbers = list.map(([size, negative]) => (negative && size > 0 ? -size : size));
        const writer = new ByteWriter(4);
        for (const one of numbers) writer.zigzag(one);
        const reader = new ByteReader(writer.take());
        expect(numbers.map(() => reader.zigzag())).toEqual(numbers);
      }),
    );
  });
});

describe("a column", () => {
  it("a column comes back bit for bit, whole and up to any row, full or with gaps", () => {
    const kinds = fc.oneof(
      fc.array(anyValue, { minLength: 1, maxLength: 50 }),
      fc.tuple(anyValue, fc.nat(20)).map(([value, n]) => new Array<number>(n + 1).fill(value)),
    );
    fc.assert(
      fc.property(kinds, fc.array(fc.boolean()), fc.nat(), (list, gaps, cut) => {
        const values = Float64Array.from(list, (value, i) =>
          gaps[i] === true ? Number.NaN : value,
        );
        if (values.every(Number.isNaN)) values[0] = 1;
        const rows = cut % (values.length + 1);
        const writer = new ByteWriter(16);
        writeColumn(writer, values);
        const bytes = writer.take();
        expect(bits(readColumn(new ByteReader(bytes), values.length, values.length))).toEqual(
          bits(values),
        );
        expect(bits(readColumn(new ByteReader(bytes), values.length, rows))).toEqual(
          bits(values.subarray(0, rows)),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("a column takes 2 bytes a row for degrees of 7 decimals of a machine that creeps at 0.5 m/s", () => {
    // 0.5 m are 45 units of 1e-7 degrees, or 90 when the sign is folded in: 7 bits and a little.
    const degrees = Float64Array.from(
      { length: 2_048 },
      (_, i) => Math.round(523_912_345 + i * 45.3) / 1e7,
    );
    const writer = new ByteWriter(16);
    writeColumn(writer, degrees);
    expect(writer.take().length).toBeLessThan(2 * 2_048);
  });
});

/** Rows of some assets under some projects, sorted by key. */
const anyRows = fc
  .uniqueArray(
    fc.tuple(
      fc.nat(4),
      fc.integer({ min: 0, max: PERIOD_MS - 1 }),
      fc.nat(2),
      fc.array(fc.option(anyValue, { nil: Number.NaN }), { minLength: 3, maxLength: 3 }),
    ),
    { selector: ([asset, ms]) => rowKey(asset, ms), minLength: 1, maxLength: 60 },
  )
  .map((rows) => {
    rows.sort(([a, ams], [b, bms]) => rowKey(a, ams) - rowKey(b, bms));
    const points = createPoints(rows.length, ["a", "b", "all"]);
    for (const [i, [asset, ms, project, values]] of rows.entries()) {
      points.keys[i] = rowKey(asset, ms);
      points.seqs[i] = (i * 7) % 5 === 0 ? -1 : i * 1000;
      points.hashes[i] = (i * 2654435761) >>> 0;
      points.projects[i] = project;
      for (const [c, column] of points.columns.entries()) column[i] = values[c] ?? 0;
      const last = points.columns[2];
      if (last !== undefined && Number.isNaN(last[i])) last[i] = i;
    }
    return points;
  });

/** Plain data of the rows for which `keep` is true; columns without value left out. */
function plain(points: Points, keep: (row: number) => boolean = () => true) {
  const rows = Array.from({ length: points.count }, (_, i) => i).filter(keep);
  const columns = points.names.map((name, c): [string, bigint[]] => [
    name,
    bits(Float64Array.from(rows, (row) => points.columns[c]?.[row] ?? Number.NaN)),
  ]);
  const empty = bits(Float64Array.of(Number.NaN))[0];
  return {
    keys: rows.map((row) => points.keys[row]),
    seqs: rows.map((row) => points.seqs[row]),
    hashes: rows.map((row) => points.hashes[row]),
    projects: rows.map((row) => points.projects[row]),
    columns: columns.filter(([, values]) => values.some((value) => value !== empty)),
  };
}

describe("a block", () => {
  it("a block gives back all its rows, and for one asset and interval exactly those", () => {
    fc.assert(
      fc.property(
        anyRows,
        fc.nat(5),
        fc.nat(PERIOD_MS),
        fc.nat(PERIOD_MS),
        (points, asset, fromMs, toMs) => {
          const writer = new ByteWriter(16);
          writeBlock(writer, points);
          const bytes = writer.take();
          const whole = readBlock(bytes);
          expect(whole && plain(whole)).toEqual(plain(points));
          const query = {
            asset,
            fromKey: rowKey(asset, fromMs),
            toKey: rowKey(asset, toMs),
            fields: undefined,
          };
          const isWanted = (row: number) => {
            const key = points.keys[row] ?? -1;
            return key >= query.fromKey && key < query.toKey;
          };
          const part = readBlock(bytes, query);
          expect(part ? plain(part) : undefined).toEqual(
            points.keys.some((_, row) => isWanted(row)) ? plain(points, isWanted) : undefined,
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it("a block refuses bytes that are not a block", () => {
    expect(() => readBlock(Uint8Array.of(9, 0, 0))).toThrow("a block of telemetry is damaged");
  });
});

describe("BlockCutter", () => {
  it("BlockCutter cuts 40 rows of 64 fields each, all different, into blocks of at most 256 fields", () => {
    const names = Array.from({ length: 40 * 64 }, (_, i) => `field_${i}`);
    const points = createPoints(40, names);
    for (let row = 0; row < 40; row++) {
      points.keys[row] = rowKey(1, row);
      for (let i = 0; i < 64; i++) points.columns[row * 64 + i]?.fill(row, row, row + 1);
    }
    const blocks: Block[] = [];
    const cutter = new BlockCutter((block) => blocks.push(block));
    cutter.add(points);
    const extent = cutter.finish();
    const read = blocks.map(({ bytes }) => readBlock(bytes));
    expect(Math.max(...read.map((block) => block?.names.length ?? 0))).toBeLessThanOrEqual(256);
    expect(read.flatMap((block) => [...(block?.keys ?? [])])).toEqual([...points.keys]);
    expect(extent).toEqual({
      rows: 40,
      blocks: 16,
      minKey: rowKey(1, 0),
      maxKey: rowKey(1, 39),
      minMs: 0,
      maxMs: 39,
    });
  });
});
