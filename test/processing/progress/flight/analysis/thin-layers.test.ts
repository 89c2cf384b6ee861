import { describe, expect, it } from "vitest";
import { above, type FlownSite, type Rectangle, secondFlight, zoneIn } from "../flight-site.ts";

const CELL_M = 0.4;
/** Matching rounds a step off over five cells. */
const ROUNDED_M = 5 * CELL_M;
const ROAD: Rectangle = [-20, -2.5, 20, 2.5];
const PATH: Rectangle = [-20, -1.3, 20, 1.3];

/** A layer that ends at the lines of a rectangle, as a survey shows it. */
function layer(heightM: number, [west, south, east, north]: Rectangle) {
  const within = (t: number) => Math.min(1, Math.max(0, 0.5 + t / ROUNDED_M));
  const along = (t: number, from: number, to: number) => within(t - from) * within(to - t);
  return (x: number, y: number): number => heightM * along(x, west, east) * along(y, south, north);
}

const PRECISE: FlownSite = { cellM: CELL_M, noiseM: 0.003 };

describe("layers that end in a step at their zone's line", () => {
  it.each([
    ["0.4 m thick, finished", 0.4, 0.4, 100],
    ["0.4 m thick, at half of its height", 0.4, 0.2, 50],
    ["1 m thick, at half of its height", 1, 0.5, 50],
    ["0.4 m deep, finished", -0.4, -0.4, 100],
  ])("a road 5 m wide, %s, does not lack what a survey rounds off", async (_, planM, builtM, truth) => {
    const zone = zoneIn("zon_road", ROAD, {
      metric: { kind: planM > 0 ? "fill" : "cut" },
      design: above(planM),
    });
    const [estimate] = await secondFlight({ ...PRECISE, rise: layer(builtM, ROAD) }, [zone]);
    expect(Math.abs((estimate?.raw_progress ?? 0) - truth)).toBeLessThan(2);
  });

  it("a road 5 m wide that goes on beyond its zone lies within its interval too", async () => {
    const beyond: Rectangle = [-28, -6, 28, 6];
    const zone = zoneIn("zon_road", ROAD, { design: above(0.4) });
    const [estimate] = await secondFlight({ ...PRECISE, rise: layer(0.2, beyond) }, [zone]);
    const [low, high] = estimate?.interval_95 ?? [Number.NaN, Number.NaN];
    expect(low).toBeLessThan(50);
    expect(high).toBeGreaterThan(50);
  });

  it.each([
    ["5 m wide", ROAD],
    ["2.6 m wide, nearly all of it rim", PATH],
  ])("a slab of 0.3 m, %s, is laid although rounding keeps its edges from their design", async (_, at) => {
    const zone = zoneIn("zon_slab", at, { metric: { kind: "area" }, design: above(0.3) });
    const [estimate] = await secondFlight({ ...PRECISE, rise: layer(0.3, at) }, [zone]);
    expect(estimate?.method).toBe("dsm_area");
    expect(estimate?.raw_progress).toBeGreaterThan(95);
  });

  it("a narrow wall that lacks its rim's height says in its interval that its level may be built", async () => {
    const zone = zoneIn("zon_wall", PATH, {
      metric: { kind: "height", levels: [{ name: "Wall", top_m: 2, weight: 1 }] },
    });
    const [estimate] = await secondFlight({ ...PRECISE, rise: layer(2, PATH) }, [zone]);
    expect(estimate?.raw_progress).toBeLessThan(50);
    expect(estimate?.interval_95?.[1]).toBeGreaterThan(85);
  });

  it("a whole house 2.6 m wide has no open edges, though rounding keeps its upper level's line below the middle", async () => {
    const levels = [3, 6].map((top, i) => ({ name: `Level ${i + 1}`, top_m: top, weight: 1 }));
    const metric = { kind: "height", levels } as const;
    const zone = zoneIn("zon_house", PATH, { metric, earlierLevels: [1, 0.2] });
    const [estimate] = await secondFlight({ ...PRECISE, rise: layer(6, PATH) }, [zone]);
    expect(estimate?.figures["edges_points"]).toBe(0);
  });
});

describe("layers as thin as what two surveys may lie apart by", () => {
  it("a layer is refused where it is five levels of detection of a cell, and not of the whole zone", async () => {
    const zone = zoneIn("zon_base", [-8, -6, 8, 6], { design: above(0.18) });
    const rise = layer(0.18, [-8, -6, 8, 6]);
    const [estimate] = await secondFlight({ ...PRECISE, rise }, [zone]);
    // Cells: noise; the whole: 0.15 sample distances of 0.1 m by flight, 0.021 m of two (height-errors.ts).
    expect(Number(estimate?.figures["lod_m"])).toBeLessThan(0.18 / 5);
    expect(Number(estimate?.figures["sigma_bias_m"])).toBeCloseTo(0.021, 3);
    expect(estimate).toMatchObject({ no_estimate: "dsm_not_suitable", raw_progress: undefined });
    expect(estimate?.notes[0]).toContain("less than 5 times");
  });

  it("a layer of 0.4 m is measured by the same flight", async () => {
    const zone = zoneIn("zon_base", [-8, -6, 8, 6], { design: above(0.4) });
    const rise = layer(0.4, [-8, -6, 8, 6]);
    const [estimate] = await secondFlight({ ...PRECISE, rise }, [zone]);
    expect(estimate?.raw_progress).toBeGreaterThan(97);
  });
});
