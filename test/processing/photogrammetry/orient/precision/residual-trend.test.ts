import { expect, it } from "vitest";
import { residualTrend } from "../../../../../processing/photogrammetry/orient/precision/residual-trend.ts";
import { seededRandom } from "../../../../support/seeded-random.ts";

const COUNT = 2000;
const SIZES = [
  { widthPx: 1200, heightPx: 900 },
  { widthPx: 1200, heightPx: 900 },
];

/** Observations all over two images, with residuals by pixel. */
function trendOf(residual: (u: number, v: number) => readonly [number, number], sigmaPx: number) {
  const random = seededRandom(5);
  const at = (size: number) => Float32Array.from({ length: COUNT }, () => random() * size);
  const [u, v] = [at(1200), at(900)];
  const camera = Int32Array.from({ length: COUNT }, (_, k) => k % 2);
  const residuals = Float64Array.from(
    Array.from(u, (column, k) => residual(column, v[k] ?? 0)).flat(),
  );
  return residualTrend({ point: camera, camera, u, v }, residuals, sigmaPx, SIZES);
}

it("the trend of residuals is the rise of residuals from the first row to the last", () => {
  // dv rises by 0.8 px over the image's rows, du falls by 0.6 px: together 1 px.
  const { rowsPx, columnsPx } = trendOf((_, v) => [-0.6 * (v / 900), 0.8 * (v / 900)], 0.1);
  expect(rowsPx).toBeCloseTo(1, 5);
  // Rows and columns are as good as independent for 1,000 scattered observations.
  expect(columnsPx).toBeLessThan(0.1);
});

it("the trend of residuals is what chance makes of it when residuals are noise", () => {
  const random = seededRandom(6);
  const noise = () => (random() - 0.5) * Math.sqrt(12) * 0.3;
  const { rowsPx, columnsPx, chancePx } = trendOf(() => [noise(), noise()], 0.3);
  // Sigma of the rise: 0.3 sqrt(12 / 1000) for each of two coordinates.
  expect(chancePx).toBeCloseTo(0.3 * Math.sqrt((2 * 12) / 1000), 2);
  for (const rise of [rowsPx, columnsPx]) {
    // Four numbers each: their root mean square scatters by a third.
    expect(rise).toBeGreaterThan(chancePx * 0.3);
    expect(rise).toBeLessThan(chancePx * 2);
  }
});

it("the trend of residuals says nothing of images with few observations", () => {
  const few = {
    point: new Int32Array(3),
    camera: new Int32Array(3),
    u: Float32Array.of(1, 500, 900),
    v: Float32Array.of(1, 400, 800),
  };
  const trend = residualTrend(few, Float64Array.of(0, 0, 1, 1, 2, 2), 0.3, SIZES);
  expect(trend).toEqual({ rowsPx: 0, columnsPx: 0, chancePx: 0 });
});
