import { expect, it } from "vitest";
import { medianOfKnown } from "../../../processing/grid/window-median.ts";
import { seededRandom } from "../../support/seeded-random.ts";

const [WIDTH, HEIGHT] = [23, 17];

/** By sorting each window. */
function sortedMedian(values: Float32Array, x: number, y: number, radius: number): number {
  const window: number[] = [];
  for (let j = Math.max(0, y - radius); j <= Math.min(HEIGHT - 1, y + radius); j += 1) {
    for (let i = Math.max(0, x - radius); i <= Math.min(WIDTH - 1, x + radius); i += 1) {
      const value = values[j * WIDTH + i] ?? Number.NaN;
      if (!Number.isNaN(value)) window.push(value);
    }
  }
  return window.sort((a, b) => a - b)[window.length >> 1] ?? Number.NaN;
}

it.each([
  { radius: 1, unknown: 0 },
  { radius: 1, unknown: 0.1 },
  { radius: 2, unknown: 0.1 },
])("the median of windows of radius $radius is that of sorting, a share of $unknown unknown", ({
  radius,
  unknown,
}) => {
  const random = seededRandom(7 + radius);
  for (let draw = 0; draw < 20; draw += 1) {
    // Whole numbers: many are equal.
    const values = Float32Array.from({ length: WIDTH * HEIGHT }, () =>
      random() < unknown ? Number.NaN : Math.floor(40 * random()),
    );
    const region = { column: 3, row: 2, width: 12, height: 9 };
    const whole = medianOfKnown(values, WIDTH, HEIGHT, radius);
    const part = medianOfKnown(values, WIDTH, HEIGHT, radius, region);
    for (let y = 0; y < HEIGHT; y += 1) {
      for (let x = 0; x < WIDTH; x += 1) {
        const at = y * WIDTH + x;
        const isKnown = !Number.isNaN(values[at] ?? 0);
        const expected = isKnown ? sortedMedian(values, x, y, radius) : Number.NaN;
        expect(whole[at]).toBe(expected);
        const isWanted = x >= 3 && x < 15 && y >= 2 && y < 11;
        if (isWanted) expect(part[at]).toBe(expected);
      }
    }
  }
});
