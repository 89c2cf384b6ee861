import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AssetId } from "../../../../domain/ids.ts";
import { columnsOf } from "../../../../storage/ports/telemetry-archive.ts";
import type { TelemetryPoint } from "../../../../storage/ports/telemetry-store.ts";
import { LineBatch, MOST_LINES } from "../../../../storage/telemetry/influx/line-batch.ts";
import { fieldKey, seriesKey } from "../../../../storage/telemetry/influx/line-protocol.ts";
import { crane, point } from "../../../support/telemetry-points.ts";

const MEBIBYTE = 1024 ** 2;

function batchOf(points: readonly TelemetryPoint[], batch = new LineBatch()): LineBatch {
  for (const one of points) batch.add(columnsOf(one));
  return batch;
}

const textOf = (batch: LineBatch, from = 0, to = batch.points): string =>
  Buffer.from(batch.body(from, to)).toString("utf8");

/** Lines as text, in the simplest form. */
function plain(points: readonly TelemetryPoint[]): string {
  return points
    .map(({ assetId, projectId, fixTimeMs, fields }) => {
      const written = Object.entries(fields).map(([name, value]) => `${fieldKey(name)}${value}`);
      return `${seriesKey(assetId, projectId)}${written.join(",")} ${fixTimeMs}`;
    })
    .join("\n");
}

describe("a batch of lines", () => {
  it("a batch holds the lines of any points, whatever was in the line before", () => {
    const name = fc.constantFrom(
      "a",
      "speed_kmh",
      "x y",
      "höhe_m",
      "time",
      "coolant_temperature_c",
    );
    const value = fc.integer({ min: 1, max: 100_000 }).map((n) => n / 100);
    const one = fc
      .record({
        fixTimeMs: fc.integer({ min: 0, max: 4e12 }),
        fields: fc.dictionary(name, value, { minKeys: 1, noNullPrototype: true }),
        assetId: fc.constantFrom("truck-1", "a, b", "Müller=1").map((id) => id as AssetId),
      })
      .map(({ fixTimeMs, fields, assetId }) => point(fixTimeMs, fields, { assetId }));
    const used = new LineBatch();
    const check = (points: readonly TelemetryPoint[]) => {
      used.clear();
      expect(textOf(batchOf(points, used))).toBe(plain(points));
    };
    fc.assert(fc.property(fc.array(one, { maxLength: 20 }), check), { numRuns: 300 });
  });

  it("a batch of lines grows while it is filled, and gives any part of its lines as a body", () => {
    const points = Array.from({ length: 2_000 }, (_, i) =>
      point(i, { number: i, ["n".repeat(200)]: i }),
    );
    const batch = batchOf(points);
    expect(batch.bytes).toBe(Buffer.byteLength(plain(points)) + 1);
    for (const [from, to] of [
      [0, 2_000],
      [0, 1],
      [1_999, 2_000],
      [700, 1_400],
    ] as const) {
      expect(textOf(batch, from, to)).toBe(plain(points.slice(from, to)));
    }
    expect([batch.line(1_234).fixTimeMs, batch.line(1_234).line]).toEqual([
      1_234,
      plain(points.slice(1_234, 1_235)),
    ]);
    expect(() => batch.line(2_000)).toThrow(RangeError);
  });

  it("a batch of lines leaves nothing of a point without a finite value", () => {
    const batch = batchOf([
      point(1, { a: 1 }),
      point(2, { a: Number.NaN, b: Number.NEGATIVE_INFINITY }),
      point(3, { b: Number.POSITIVE_INFINITY, c: 3 }, { assetId: crane }),
    ]);
    expect([batch.points, batch.line(1).assetId]).toEqual([2, crane]);
    expect(
      textOf(batch)
        .split("\n")
        .map((line) => line.split(" ").slice(1)),
    ).toEqual([
      ["a=1", "1"],
      ["c=3", "3"],
    ]);
  });

  it("is full by lines or by bytes, and empty again", () => {
    const batch = batchOf(Array.from({ length: MOST_LINES - 1 }, (_, i) => point(i, { a: 1 })));
    expect(batch.isFull).toBe(false);
    batchOf([point(0, { a: 1 })], batch);
    expect([batch.isFull, batch.points]).toEqual([true, MOST_LINES]);
    batch.clear();
    expect([batch.isFull, batch.points, batch.bytes, textOf(batch)]).toEqual([false, 0, 0, ""]);
    const wide = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`${i}`.repeat(40), i]));
    while (!batch.isFull) batchOf([point(1, wide)], batch);
    expect(batch.points).toBeLessThan(MOST_LINES);
    expect(batch.bytes).toBeGreaterThanOrEqual(MEBIBYTE);
    expect(batch.bytes).toBeLessThan(1.01 * MEBIBYTE);
  });

  it("a batch of lines knows a machine's new project from the next line on", () => {
    const moved = { projectId: "site-2" as TelemetryPoint["projectId"] };
    const points = [point(1, { a: 1 }), point(2, { a: 1 }, moved), point(3, { a: 1 })];
    expect(textOf(batchOf(points))).toBe(plain(points));
  });
});
