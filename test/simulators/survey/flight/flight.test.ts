import { describe, expect, it } from "vitest";
import { createRandom } from "../../../../simulators/randomness/random.ts";
import { planFlight } from "../../../../simulators/survey/flight/flight-plan.ts";
import { createGpsNoise } from "../../../../simulators/survey/flight/gps-noise.ts";
import { SURVEY_DEFAULTS } from "../../../../simulators/survey/options/options.ts";
import { planSurvey } from "../../../../simulators/survey/site/plan-survey.ts";

describe("planFlight", () => {
  const plan = planFlight({
    images: 36,
    obliques: 8,
    altitudeM: 40,
    frameByFocal: { width: 1.5, height: 1 },
    overlap: { forward: 0.75, side: 0.6 },
    azimuthRad: 0,
  });

  it("planFlight flies 28 nadir images in 3 strips 24 m apart, 10 m from image to image, and 8 obliques", () => {
    // Footprint 60 x 40 m; 40 % of 60 and 25 % of 40; sqrt(28 * 10 / 24) = 3.4 strips.
    const nadirs = plan.shots.filter(({ pitchDeg }) => pitchDeg === -90);
    expect([...new Set(nadirs.map(({ eastM }) => Math.round(eastM * 1e6) / 1e6))]).toEqual([
      -24, 0, 24,
    ]);
    expect(nadirs).toHaveLength(28);
    const longest = nadirs.filter(({ eastM }) => Math.abs(eastM) < 1e-6);
    expect(longest).toHaveLength(10);
    expect(Math.abs((longest[1]?.northM ?? 0) - (longest[0]?.northM ?? 0))).toBeCloseTo(10, 9);
    expect(plan.shots.filter(({ pitchDeg }) => pitchDeg === -55)).toHaveLength(8);
  });

  it("planFlight turns round at the end of each strip", () => {
    const yaws = plan.shots.slice(0, 28).map(({ yawDeg }) => yawDeg);
    expect(new Set(yaws.slice(0, 9))).toEqual(new Set([0]));
    expect(yaws[10]).toBeCloseTo(180, 9);
  });

  it("planFlight points every oblique at the middle of the area", () => {
    for (const shot of plan.shots.slice(28)) {
      const yaw = (shot.yawDeg * Math.PI) / 180;
      const awayM = Math.hypot(shot.eastM, shot.northM);
      expect(shot.eastM + awayM * Math.sin(yaw)).toBeCloseTo(0, 9);
      expect(shot.northM + awayM * Math.cos(yaw)).toBeCloseTo(0, 9);
    }
  });
});

describe("createGpsNoise", () => {
  const series = (mode: "white" | "ar1" | "bias" | "rtk" | "exact", n: number) => {
    const next = createGpsNoise(
      mode,
      { sigmaM: undefined, images: n },
      createRandom(`gps-${mode}`),
    );
    return Array.from({ length: n }, () => next()[0]);
  };
  const mean = (xs: readonly number[]) => xs.reduce((sum, x) => sum + x, 0) / xs.length;

  it("createGpsNoise lets altitudes drift by 117 m over 36 images, and a barometer's by 12, the plan not at all", () => {
    const driftOf = (mode: "altitude-drift" | "barometer") => {
      const next = createGpsNoise(mode, { sigmaM: 0.001, images: 37 }, createRandom(`gps-${mode}`));
      const errors = Array.from({ length: 37 }, () => next());
      return [0, 2].map((axis) => (errors[36]?.[axis] ?? 0) - (errors[0]?.[axis] ?? 0));
    };
    const [[east = 9, up = 0], [, barometer = 0]] = [
      driftOf("altitude-drift"),
      driftOf("barometer"),
    ];
    expect(Math.abs(east)).toBeLessThan(0.01);
    expect(up).toBeCloseTo(117, 1);
    expect(barometer).toBeCloseTo(0.33 * 36, 1);
  });

  it("createGpsNoise drifts in plan by 8 to 14 m over a flight of any length as plan-drift, evenly, and not in height", () => {
    const flights = [18, 36].flatMap((images) =>
      [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => {
        const next = createGpsNoise(
          "plan-drift",
          { sigmaM: 0.001, images },
          createRandom(`gps-${seed}`),
        );
        const errors = Array.from({ length: images }, () => next());
        const moved = (to: number) =>
          [0, 1, 2].map((axis) => (errors[to]?.[axis] ?? 0) - (errors[0]?.[axis] ?? 0));
        const [east = 0, north = 0, up = 0] = moved(images - 1);
        const [ofOne = 0, ofOneNorth = 0] = moved(1);
        const lengthM = Math.hypot(east, north);
        return { lengthM, up, evenly: (Math.hypot(ofOne, ofOneNorth) * (images - 1)) / lengthM };
      }),
    );
    const lengths = flights.map(({ lengthM }) => lengthM);
    expect(Math.min(...lengths)).toBeGreaterThan(7.98);
    expect(Math.max(...lengths)).toBeLessThan(14.02);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeGreaterThan(2);
    expect(Math.max(...flights.map(({ up }) => Math.abs(up)))).toBeLessThan(0.01);
    // Noise of 1 mm in a step of 22 to 82 cm.
    for (const { evenly } of flights) expect(evenly).toBeCloseTo(1, 1);
  });

  it("createGpsNoise is white with 0.8 m: 4,000 draws within 4 standard errors, neighbours uncorrelated", () => {
    const xs = series("white", 4_000);
    const variance = mean(xs.map((x) => x * x));
    // Standard error of the variance: 0.64 sqrt(2 / 4000) = 0.0143; of a correlation: 1 / sqrt(4000).
    expect(Math.abs(variance - 0.64)).toBeLessThan(0.0573);
    const lag = mean(xs.slice(1).map((x, i) => x * (xs[i] ?? 0))) / variance;
    expect(Math.abs(lag)).toBeLessThan(0.064);
  });

  it("createGpsNoise drifts with a correlation of 0.9 from image to image as ar1", () => {
    const xs = series("ar1", 20_000);
    const m = mean(xs);
    const variance = mean(xs.map((x) => (x - m) ** 2));
    const lag = mean(xs.slice(1).map((x, i) => (x - m) * ((xs[i] ?? 0) - m))) / variance;
    expect(lag).toBeGreaterThan(0.88);
    expect(lag).toBeLessThan(0.92);
    // Standard error of the variance grows by (1 + 0.81) / (1 - 0.81): 0.64 sqrt(2 * 9.5 / 20000) = 0.02.
    expect(Math.abs(variance - 0.64)).toBeLessThan(0.08);
  });

  it("createGpsNoise has a common offset as bias, 2 cm as rtk and nothing as exact", () => {
    const rtk = series("rtk", 4_000);
    expect(Math.sqrt(mean(rtk.map((x) => x * x)))).toBeCloseTo(0.02, 2);
    expect(series("exact", 3)).toEqual([0, 0, 0]);
    const biased = series("bias", 4_000);
    // The offset of this seed; without one the mean would be within 4 * 0.8 / sqrt(4000) = 0.05 m.
    expect(Math.abs(mean(biased))).toBeGreaterThan(0.05);
  });
});

describe("planSurvey", () => {
  it("planSurvey leaves ground, stable piles and the lens as they are from epoch to epoch", () => {
    const [first, second] = [1, 2].map((epoch) => planSurvey({ ...SURVEY_DEFAULTS, epoch }));
    expect(second?.site.ground).toEqual(first?.site.ground);
    expect(second?.site.piles).toEqual(first?.site.piles);
    expect(second?.bodies).toEqual(first?.bodies);
    // Flown anew: other places, other errors.
    expect(second?.captures[0]?.centre).not.toEqual(first?.captures[0]?.centre);
    const heights = [first, second].map((plan) =>
      plan?.site.buildings.map((b) => b.heightAtM(plan.site.epoch)),
    );
    expect(heights[1]).toEqual(heights[0]?.map((height) => height + 3));
  });

  it("planSurvey flies the left half of the strips and of the circle as half-block", () => {
    const whole = planSurvey(SURVEY_DEFAULTS);
    const half = planSurvey({ ...SURVEY_DEFAULTS, faults: [{ fault: "half-block" }] });
    expect(whole.captures).toHaveLength(36);
    // Two of four strips and those 3 to 4 of 8 obliques that lie left of the middle.
    expect(half.captures.length).toBeGreaterThanOrEqual(17);
    expect(half.captures.length).toBeLessThanOrEqual(18);
    expect(half.site).toMatchObject({ piles: whole.site.piles });
  });

  it("planSurvey gives each fault to the images that were asked for", () => {
    const plan = planSurvey({
      ...SURVEY_DEFAULTS,
      faults: [
        { fault: "rotated", images: { indices: [4, 5] } },
        { fault: "blurred", images: { count: 3 } },
        { fault: "mixed-cameras", images: { indices: [0] } },
        { fault: "duplicate", images: { indices: [9] } },
      ],
    });
    const having = (fault: string) =>
      plan.captures.flatMap(({ faults }, i) => (faults.some((name) => name === fault) ? [i] : []));
    expect(having("rotated")).toEqual([4, 5]);
    expect(having("blurred").length).toBeGreaterThanOrEqual(3);
    expect(plan.captures.map(({ camera }) => camera).indexOf(1)).toBe(0);
    expect(plan.captures[9]?.centre).toEqual(plan.captures[8]?.centre);
    expect(plan.captures[9]?.name).toBe("SIM_0010.JPG");
  });
});
