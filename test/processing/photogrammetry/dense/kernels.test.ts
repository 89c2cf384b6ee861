import { describe, expect, it } from "vitest";
import { AGGREGATE_WASM } from "../../../../processing/wasm/aggregate.wasm.ts";
import { DENSE_WASM } from "../../../../processing/wasm/dense.wasm.ts";
import { openKernel } from "../../../../processing/wasm/kernel.ts";
import { generator } from "./scene.ts";

describe("aggregate", () => {
  it("aggregate adds up the eight paths of equation 13 of Hirschmueller 2008 exactly", () => {
    const [columns, rows, heights] = [7, 5, 16];
    const [small, large] = [40, 300];
    const random = generator(5);
    const cost = Uint16Array.from({ length: columns * rows * heights }, () => 1000 * random());
    const expected = new Uint16Array(cost.length);
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
      [1, 1],
      [-1, -1],
      [1, -1],
      [-1, 1],
    ] as const) {
      const paths = new Map<string, number[]>();
      const path = (x: number, y: number): number[] => {
        const known = paths.get(`${x},${y}`);
        if (known !== undefined) return known;
        const own = [
          ...cost.subarray((y * columns + x) * heights, (y * columns + x + 1) * heights),
        ];
        const [px, py] = [x - dx, y - dy];
        const starts = px < 0 || py < 0 || px >= columns || py >= rows;
        const before = starts ? own.map(() => 0) : path(px, py);
        const least = Math.min(...before);
        const line = own.map((value, k) => {
          const beside = Math.min(before[k - 1] ?? 1e9, before[k + 1] ?? 1e9) + small;
          return value + Math.min(before[k] ?? 1e9, beside, least + large) - least;
        });
        paths.set(`${x},${y}`, line);
        return line;
      };
      for (let i = 0; i < columns * rows; i += 1) {
        for (const [k, value] of path(i % columns, Math.floor(i / columns)).entries()) {
          expected[i * heights + k] = (expected[i * heights + k] ?? 0) + value;
        }
      }
    }
    const kernel = openKernel(AGGREGATE_WASM, ["aggregate", "pathBytes"]);
    const at = kernel.layout({
      cost: cost.byteLength,
      paths: kernel.functions.pathBytes(columns, heights),
      total: cost.byteLength,
    });
    kernel.u8(at.cost, cost.byteLength).set(new Uint8Array(cost.buffer));

    kernel.functions.aggregate(at.cost, columns, rows, heights, small, large, at.paths, at.total);

    const total = new Uint16Array(kernel.u8(at.total, cost.byteLength).slice().buffer);
    expect(total).toEqual(expected);
  });
});

describe("correlate", () => {
  it.each([
    3, 5, 6,
  ])("correlate costs 1 less the mean of the best pairs' correlations, of those of %i views that the mask names", (views) => {
    const [columns, rows, radius] = [20, 13, 2];
    const random = generator(9);
    const common = Array.from({ length: columns * rows }, () => 400 * random());
    const sheets = Array.from({ length: views }, () =>
      Float32Array.from(common, (value) => Math.round(value + 300 * random() - 350)),
    );
    // Column 8 is not seen by the last view, column 9 by the first alone.
    const full = (1 << views) - 1;
    const mask = Uint8Array.from(
      common,
      (_, i) => [full, full >> 1, 1][[8, 9].indexOf(i % columns) + 1] ?? full,
    );
    const keep = Float32Array.from({ length: 256 }, (_, bits) => {
      const seen = bits.toString(2).replaceAll("0", "").length;
      return Math.ceil((0.6 * seen * (seen - 1)) / 2);
    });
    const pairs = sheets.flatMap((_, a) =>
      sheets.slice(a + 1).map((__, n) => [a, a + 1 + n, (1 << a) | (2 << (a + n)), 0]),
    );
    const blocks = 2 * views + pairs.length;
    const kernel = openKernel(DENSE_WASM, ["correlate"]);
    const at = kernel.layout({
      sheets: views * common.length * 4,
      mask: common.length,
      pairs: pairs.length * 16,
      keep: 1024,
      scratch: blocks * columns * 4 + blocks * 16,
      cost: common.length * 8 * 2,
    });
    for (const [m, sheet] of sheets.entries()) {
      kernel.f32(at.sheets + m * common.length * 4, common.length).set(sheet);
    }
    kernel.u8(at.mask, mask.length).set(mask);
    kernel.i32(at.pairs, pairs.length * 4).set(pairs.flat());
    kernel.f32(at.keep, 256).set(keep);

    kernel.functions.correlate(
      ...[at.sheets, views, columns, rows, at.mask, full, at.pairs, pairs.length, at.keep],
      ...[keep[full] ?? 0, radius, 0.5, at.scratch, at.cost, 8, 5],
    );

    const cost = new Uint16Array(kernel.u8(at.cost, common.length * 16).slice().buffer);
    let compared = 0;
    for (let y = 4; y < rows - 4; y += 1) {
      for (let x = 4; x < columns - 4; x += 1) {
        const i = y * columns + x;
        const found = pairs
          .filter(([, , bits = 0]) => ((mask[i] ?? 0) & bits) === bits)
          .map(([a = 0, b = 0]) => correlation(sheets[a], sheets[b], x, y, columns, radius))
          .sort((a, b) => b - a)
          .slice(0, keep[mask[i] ?? 0]);
        const mean = found.reduce((sum, value) => sum + value, 0) / found.length;
        const expected = found.length === 0 ? 2800 : 4000 * (1 - mean);
        expect(Math.abs((cost[i * 8 + 5] ?? 0) - expected)).toBeLessThan(2);
        compared += 1;
      }
    }
    expect(compared).toBe(60);
  });
});

/** Normalised cross-correlation of two windows, by its definition. */
function correlation(
  a: Float32Array = new Float32Array(),
  b: Float32Array = new Float32Array(),
  x: number,
  y: number,
  columns: number,
  radius: number,
): number {
  const window = (values: Float32Array) => {
    const list: number[] = [];
    for (let j = y - radius; j <= y + radius; j += 1) {
      list.push(...values.subarray(j * columns + x - radius, j * columns + x + radius + 1));
    }
    const mean = list.reduce((sum, value) => sum + value, 0) / list.length;
    return list.map((value) => value - mean);
  };
  const [p, q] = [window(a), window(b)];
  const dot = (s: number[], t: number[]) =>
    s.reduce((sum, value, k) => sum + value * (t[k] ?? 0), 0);
  return Math.max(-0.2, dot(p, q) / Math.sqrt(dot(p, p) * dot(q, q)));
}
