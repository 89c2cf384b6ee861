import { describe, expect, it } from "vitest";
import { ringOfPlan } from "../../../../../processing/epoch/plan-ring.ts";
import { above, isIn, type Rectangle, SITE, secondFlight, zoneIn } from "../flight-site.ts";

const PAD: Rectangle = [-8, -6, 8, 6];
const WEST: Rectangle = [-8, -6, 0, 6];
/** Filled by so many metres, by default in the western half of the pad alone. */
const filled = (heightM: number, at: Rectangle = WEST) => {
  return (x: number, y: number): number => (isIn(at, x, y) ? heightM : 0);
};

describe("the second flight of a site", () => {
  it("the second flight of a site sees half of a fill in its eastern half that lacks: 50 % and its interval", async () => {
    const estimates = await secondFlight({ rise: filled(2) }, [zoneIn("zon_pad", PAD)]);
    const [estimate] = estimates;
    expect(Math.abs((estimate?.raw_progress ?? 0) - 50)).toBeLessThan(1);
    const [low, high] = estimate?.interval_95 ?? [0, 0];
    expect(low).toBeLessThan(50);
    expect(high).toBeGreaterThan(50);
    expect(high - low).toBeLessThan(6);
    expect(estimate).toMatchObject({ method: "dsm_volume", observed_fraction: 1 });
    expect(estimate?.figures).toMatchObject({ sigma_source: "stable_ground" });
  });

  it("the second flight of a site takes 5 cm of RTK bias off by the ground around", async () => {
    const estimates = await secondFlight({ rise: filled(2), offM: [0, 0, 0.05] }, [
      zoneIn("zon_pad", PAD),
    ]);
    expect(Math.abs((estimates[0]?.raw_progress ?? 0) - 50)).toBeLessThan(1);
  });

  it("the second flight of a site assumes 3 cm where zones cover all of the ground, and says so", async () => {
    const everywhere: Rectangle = [-40, -40, 40, 40];
    const estimates = await secondFlight({ rise: filled(2) }, [
      zoneIn("zon_pad", PAD),
      zoneIn("zon_site", everywhere),
    ]);
    // Twice the sample distance of 10 cm is more than 3 cm.
    expect(estimates[0]?.figures).toMatchObject({
      sigma_source: "assumed",
      stable_cells: 0,
      sigma_bias_m: 0.2,
    });
  });

  it("the second flight does not credit 1 m above the design, and reports it", async () => {
    const estimates = await secondFlight({ rise: filled(3) }, [zoneIn("zon_pad", PAD)]);
    expect(Math.abs((estimates[0]?.raw_progress ?? 0) - 50)).toBeLessThan(1);
    // 8 m x 12 m x 1 m
    expect(Math.abs(Number(estimates[0]?.figures["overbuild_m3"]) - 96)).toBeLessThan(3);
    expect(estimates[0]?.notes.join()).toContain("stands above the design");
  });

  it("the second flight measures a cut like a fill", async () => {
    const zone = zoneIn("zon_pit", PAD, { metric: { kind: "cut" }, design: above(-2) });
    const estimates = await secondFlight({ rise: filled(-1.5, PAD) }, [zone]);
    expect(Math.abs((estimates[0]?.raw_progress ?? 0) - 75)).toBeLessThan(1.5);
  });

  it("the second flight of a site is at the design with all of it built, and not with nine tenths", async () => {
    const whole = await secondFlight({ rise: filled(2, PAD) }, [zoneIn("zon_pad", PAD)]);
    expect(whole[0]).toMatchObject({ is_at_design: true });
    expect(whole[0]?.raw_progress).toBeGreaterThan(99);
    const most: Rectangle = [-8, -6, 6.4, 6];
    const part = await secondFlight({ rise: filled(2, most) }, [zoneIn("zon_pad", PAD)]);
    expect(part[0]?.is_at_design).toBe(false);
  });

  it("the second flight refuses a layer of 5 cm, which is less than five times its level of detection", async () => {
    const zone = zoneIn("zon_asphalt", PAD, { design: above(0.06) });
    const estimates = await secondFlight({ rise: filled(0.06, PAD) }, [zone]);
    expect(estimates[0]).toMatchObject({
      no_estimate: "dsm_not_suitable",
      raw_progress: undefined,
      observed_fraction: 1,
    });
    expect(estimates[0]?.notes[0]).toContain("less than 5 times");
  });

  it("the second flight of a site measures slabs by area: two of four bays", async () => {
    const zone = zoneIn("zon_slab", PAD, { metric: { kind: "area" }, design: above(0.5) });
    const estimates = await secondFlight({ rise: filled(0.5) }, [zone]);
    expect(estimates[0]?.method).toBe("dsm_area");
    expect(Math.abs((estimates[0]?.raw_progress ?? 0) - 50)).toBeLessThan(1.5);
  });

  it("the second flight of a site does not take what it did not see for unbuilt", async () => {
    const isHole = (x: number) => x > 4.6;
    const estimates = await secondFlight({ rise: filled(2, PAD), isHole }, [
      zoneIn("zon_pad", PAD),
      zoneIn("zon_east", [5, -6, 20, 6]),
      zoneIn("zon_beyond", [100, 100, 120, 120]),
    ]);
    expect(estimates[0]?.raw_progress).toBeGreaterThan(99);
    expect(estimates[0]?.observed_fraction).toBeCloseTo(0.79, 1);
    expect(estimates[0]?.observed_fraction).toBeLessThan(0.8);
    // 21 % unseen, a tenth of difference: 2 points, one standard deviation.
    expect(estimates[0]?.interval_95?.[0]).toBeLessThan(97);
    expect(estimates[0]?.is_at_design).toBe(false);
    expect(estimates.slice(1).map((one) => one.no_estimate)).toEqual([
      "not_observed",
      "not_observed",
    ]);
    expect(estimates[2]?.observed_fraction).toBe(0);
  });

  it("the second flight of a site measures zones that lie over each other each by itself", async () => {
    const estimates = await secondFlight({ rise: filled(2) }, [
      zoneIn("zon_pad", PAD),
      zoneIn("zon_west", WEST),
      zoneIn("zon_low", PAD, { design: above(1) }),
    ]);
    const percents = estimates.map((one) => Math.round(one.raw_progress ?? 0));
    expect(percents).toEqual([50, 100, 50]);
  });

  it("the second flight leaves out a machine on a fill, and the hole in the ground where one was parked before", async () => {
    const machine = (x: number, y: number) => (isIn([3, -2, 6, 4], x, y) ? 3 : 0);
    const zone = zoneIn("zon_pad", PAD);
    const standing = await secondFlight({ rise: (x, y) => filled(1)(x, y) + machine(x, y) }, [
      zone,
    ]);
    // Of 96 + 96 m2 the western half is half filled: 25 %; the machine would add 9.
    expect(Math.abs((standing[0]?.raw_progress ?? 0) - 25)).toBeLessThan(2.5);
    expect(standing[0]?.figures["left_out_m2"]).toBeGreaterThan(18);
    expect(standing[0]?.notes.join()).toContain("machines");
    expect(standing[0]?.observed_fraction).toBeLessThan(0.9);
    const gone = await secondFlight({ rise: filled(1) }, [zone], { rise: machine });
    expect(Math.abs((gone[0]?.raw_progress ?? 0) - 25)).toBeLessThan(2.5);
  });

  it("the second flight of a site measures a zone with a line of 1,000 corners", async () => {
    const ring = ringOfPlan(
      Array.from({ length: 1_000 }, (_, k) => {
        const angle = (2 * Math.PI * k) / 1_000;
        const radiusM = 9 + 0.3 * Math.sin(40 * angle);
        return [radiusM * Math.cos(angle), radiusM * Math.sin(angle)] as const;
      }),
      SITE,
    );
    const estimates = await secondFlight({ rise: filled(2, [-10, -10, 0, 10]) }, [
      zoneIn("zon_star", PAD, { ring }),
    ]);
    expect(Math.abs((estimates[0]?.raw_progress ?? 0) - 50)).toBeLessThan(1.5);
  });
});

describe("a building", () => {
  const levels = [3, 6].map((top, i) => ({ name: `Level ${i + 1}`, top_m: top, weight: 1 }));
  const building = (earlierLevels?: readonly number[]) =>
    zoneIn("zon_house", PAD, {
      metric: { kind: "height", levels },
      design: undefined,
      earlierLevels,
    });

  it("a building is capped at nine tenths of a level that may be formwork, with an interval that says so", async () => {
    const estimates = await secondFlight({ rise: filled(3, PAD) }, [building()]);
    expect(estimates[0]).toMatchObject({ method: "dsm_height", is_at_design: false });
    expect(estimates[0]?.raw_progress).toBeCloseTo(45, 1);
    // Half of the level, or all of it.
    expect(estimates[0]?.interval_95?.[0]).toBeLessThan(26);
    expect(estimates[0]?.interval_95?.[1]).toBeGreaterThan(49);
    expect(estimates[0]?.figures).toMatchObject({ level_1_share: 1, level_2_share: 0 });
  });

  it("a building is whole when the flight before saw it so", async () => {
    const estimates = await secondFlight({ rise: filled(6, PAD) }, [building([1, 0.97])]);
    expect(estimates[0]).toMatchObject({ is_at_design: true, raw_progress: 100 });
  });

  /** The first level, and the western half of the second one, seen wider by so many metres. */
  const halfStorey = (widerM: number) => {
    const upper: Rectangle = [-8, -6, widerM, 6];
    return secondFlight({ rise: (x, y) => filled(3, PAD)(x, y) + filled(3, upper)(x, y) }, [
      building([1, 0.2]),
    ]);
  };

  it("a building's half slab counts as half though matching shows its edge wider by half a window", async () => {
    // Cells of 0.4 m, a last window of five.
    const [estimate] = await halfStorey(0.8);
    expect(Math.abs((estimate?.raw_progress ?? 0) - 75)).toBeLessThan(0.5);
  });

  it.each([
    0, 0.4, 0.8, 1.2, 1.6,
  ])("a building's interval holds for an edge that is seen %d m wider than it is, and is no wider than needed", async (widerM) => {
    const [estimate] = await halfStorey(widerM);
    const [low, high] = estimate?.interval_95 ?? [0, 0];
    expect(low).toBeLessThan(75);
    expect(high).toBeGreaterThan(75);
    // 0.8 m of the 13.6 m that are left of the slab without its rim are 2.9 points; all of the level is 50.
    expect(high - low).toBeLessThan(8);
  });
});
