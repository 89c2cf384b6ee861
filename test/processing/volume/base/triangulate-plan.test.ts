import { describe, expect, it } from "vitest";
import { tinHeight } from "../../../../processing/volume/base/tin-height.ts";
import { triangulatePlan } from "../../../../processing/volume/base/triangulate-plan.ts";
import { seededRandom } from "../../../support/seeded-random.ts";

/** Twice the signed area of the triangle of three places. */
function turn(plan: Float64Array, a = 0, b = 0, c = 0): number {
  const at = (i: number) => plan[i] ?? Number.NaN;
  return (
    (at(2 * b) - at(2 * a)) * (at(2 * c + 1) - at(2 * a + 1)) -
    (at(2 * b + 1) - at(2 * a + 1)) * (at(2 * c) - at(2 * a))
  );
}

function areaOf(plan: Float64Array, triangles: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const area = turn(plan, triangles[i], triangles[i + 1], triangles[i + 2]) / 2;
    expect(area).toBeGreaterThan(0);
    sum += area;
  }
  return sum;
}

describe("Delaunay triangulation", () => {
  it("the Delaunay triangulation covers a lattice, where every square lies on a circle, once", () => {
    const plan = Float64Array.from({ length: 2 * 9 * 7 }, (_, i) =>
      i % 2 === 0 ? Math.floor(i / 2) % 9 : Math.floor(i / 18),
    );
    const triangles = triangulatePlan(plan);
    expect(triangles.length / 3).toBe(2 * 8 * 6);
    expect(areaOf(plan, triangles)).toBeCloseTo(48, 9);
  });

  it("the Delaunay triangulation covers a regular ring", () => {
    const count = 40;
    const plan = Float64Array.from({ length: 2 * count }, (_, i) => {
      const angle = (2 * Math.PI * Math.floor(i / 2)) / count;
      return 1000 + 8 * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
    });
    const triangles = triangulatePlan(plan);
    expect(triangles.length / 3).toBe(count - 2);
    const polygon = (count / 2) * 64 * Math.sin((2 * Math.PI) / count);
    expect(areaOf(plan, triangles)).toBeCloseTo(polygon, 6);
  });

  it("the Delaunay triangulation leaves no place within the circle of a triangle", () => {
    const random = seededRandom(5);
    const plan = Float64Array.from({ length: 120 }, () => 30 * random());
    const triangles = triangulatePlan(plan);
    const at = (i: number) => [plan[2 * i] ?? 0, plan[2 * i + 1] ?? 0] as const;
    for (let i = 0; i < triangles.length; i += 3) {
      const [a = 0, b = 0, c = 0] = triangles.slice(i, i + 3);
      for (let p = 0; p < 60; p += 1) {
        if (p === a || p === b || p === c) continue;
        // In-circle determinant: positive within, of an anticlockwise triangle.
        const [px, py] = at(p);
        const [[ax, ay], [bx, by], [cx, cy]] = [a, b, c].map((v) => {
          const [x, y] = at(v);
          return [x - px, y - py];
        }) as [[number, number], [number, number], [number, number]];
        const determinant =
          (ax * ax + ay * ay) * (bx * cy - cx * by) -
          (bx * bx + by * by) * (ax * cy - cx * ay) +
          (cx * cx + cy * cy) * (ax * by - bx * ay);
        if (determinant > 1e-6)
          throw new Error(`place ${p} lies in the circle of ${a}, ${b}, ${c}`);
      }
    }
    expect(triangles.length / 3).toBeGreaterThan(80);
    expect(triangulatePlan(Float64Array.of(0, 0, 1, 1))).toEqual([]);
  });
});

describe("the hull of a triangulation", () => {
  it("is filled whole, of 500 random sets of places", () => {
    const random = seededRandom(12);
    for (let set = 0; set < 500; set += 1) {
      const count = 3 + Math.floor(60 * random());
      // Flat sets too: places near one line have a hull of slivers.
      const heightM = random() < 0.3 ? 0.01 : 30;
      const plan = Float64Array.from(
        { length: 2 * count },
        (_, i) => (i % 2 === 0 ? 30 : heightM) * random(),
      );
      const hullM2 = hullAreaOf(plan);
      expect(Math.abs(areaOf(plan, triangulatePlan(plan)) - hullM2)).toBeLessThan(1e-9 * 900);
    }
  });

  it("is none of places on one line", () => {
    expect(triangulatePlan(Float64Array.of(0, 0, 1, 1, 2, 2, 3, 3))).toEqual([]);
  });
});

/** Area of the convex hull (Andrew 1979), independent of the triangles. */
function hullAreaOf(plan: Float64Array): number {
  const sorted = Array.from({ length: plan.length / 2 }, (_, i) => i).sort(
    (a, b) =>
      (plan[2 * a] ?? 0) - (plan[2 * b] ?? 0) || (plan[2 * a + 1] ?? 0) - (plan[2 * b + 1] ?? 0),
  );
  const half = (places: readonly number[]) => {
    const chain: number[] = [];
    for (const place of places) {
      while (chain.length >= 2 && turn(plan, chain.at(-2), chain.at(-1), place) <= 0) chain.pop();
      chain.push(place);
    }
    return chain.slice(0, -1);
  };
  const hull = [...half(sorted), ...half(sorted.toReversed())];
  return hull
    .slice(1, -1)
    .reduce((sum, place, i) => sum + turn(plan, hull[0], place, hull[i + 2]) / 2, 0);
}

describe("height on a triangulated surface", () => {
  const tin = { vertices: [0, 0, 1, 4, 0, 3, 4, 4, 5, 0, 4, 3], triangles: [0, 1, 2, 0, 2, 3] };

  it("the height on a triangulated surface is linear inside, from any place looked up before", () => {
    const heightAt = tinHeight(tin);
    for (const [x, y] of [
      [1, 0.5],
      [0.5, 3],
      [3, 3],
      [2, 2],
      [0, 0],
      [3.9, 0.1],
    ] as const) {
      expect(heightAt(x, y)).toBeCloseTo(1 + x / 2 + y / 2, 12);
    }
  });

  it("the height on a triangulated surface beyond the rim stays between the heights of the nearest triangle's corners", () => {
    const heightAt = tinHeight(tin);
    expect(heightAt(2, -0.2)).toBeGreaterThan(1.9);
    expect(heightAt(2, -0.2)).toBeLessThan(2.1);
    expect(heightAt(-5, -5)).toBe(1);
    expect(tinHeight({ vertices: [], triangles: [] })(0, 0)).toBeNaN();
  });
});
