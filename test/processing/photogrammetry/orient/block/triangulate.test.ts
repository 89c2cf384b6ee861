import { describe, expect, it } from "vitest";
import {
  meetRays,
  widestAngleCosine,
} from "../../../../../processing/photogrammetry/orient/block/triangulate.ts";

const rays = (...pairs: readonly (readonly [readonly number[], readonly number[]])[]) => ({
  origin: Float64Array.from(pairs.flatMap(([origin]) => origin)),
  direction: Float64Array.from(pairs.flatMap(([, d]) => d.map((x) => x / Math.hypot(...d)))),
});

describe("rays", () => {
  it("rays meet in the point they were drawn to, however many there are", () => {
    const target = [3, -2, 7];
    const from = [
      [0, 0, 40],
      [10, 0, 40],
      [0, 12, 38],
    ];
    const all = rays(...from.map((o) => [o, target.map((t, i) => t - (o[i] ?? 0))] as const));
    for (const count of [2, 3]) {
      const out = new Float64Array(3);
      expect(meetRays(all, count, out)).toBe(true);
      target.forEach((t, i) => {
        expect(out[i]).toBeCloseTo(t, 10);
      });
    }
  });

  it("rays that pass each other meet in the middle", () => {
    // Along x at height 0, and along y at height 2: the nearest point is (0, 0, 1).
    const out = new Float64Array(3);
    expect(
      meetRays(
        rays(
          [
            [-5, 0, 0],
            [1, 0, 0],
          ],
          [
            [0, -5, 2],
            [0, 1, 0],
          ],
        ),
        2,
        out,
      ),
    ).toBe(true);
    expect([...out].map((x) => Math.round(x * 1e9) / 1e9)).toEqual([0, 0, 1]);
  });

  it("rays that are parallel, or only one, meet nowhere", () => {
    const out = Float64Array.of(1, 2, 3);
    const parallel = rays(
      [
        [0, 0, 0],
        [0, 0, -1],
      ],
      [
        [5, 0, 0],
        [0, 0, -1],
      ],
    );
    expect(meetRays(parallel, 2, out)).toBe(false);
    expect(meetRays(parallel, 1, out)).toBe(false);
    expect([...out]).toEqual([1, 2, 3]);
  });

  it("rays are as far apart as the two that differ most", () => {
    const fan = rays(
      [
        [0, 0, 0],
        [0, 0, 1],
      ],
      [
        [0, 0, 0],
        [1, 0, 1],
      ],
      [
        [0, 0, 0],
        [1, 0, 0],
      ],
    );
    expect(widestAngleCosine(fan, 2)).toBeCloseTo(Math.SQRT1_2, 12);
    expect(widestAngleCosine(fan, 3)).toBeCloseTo(0, 12);
    expect(widestAngleCosine(fan, 1)).toBe(1);
  });
});
