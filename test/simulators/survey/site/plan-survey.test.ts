import { describe, expect, it } from "vitest";
import { SURVEY_DEFAULTS } from "../../../../simulators/survey/options/options.ts";
import { planSurvey } from "../../../../simulators/survey/site/plan-survey.ts";

describe("planSurvey", () => {
  it("planSurvey lets the whole site fall by the slope that is asked for, piles and flight as without it", () => {
    const options = { ...SURVEY_DEFAULTS, images: 12, obliques: 3 };
    const level = planSurvey(options);
    const steep = planSurvey({ ...options, slopePercent: 12 });
    const { tiltEast, tiltNorth } = steep.site.ground;
    expect(Math.hypot(tiltEast, tiltNorth)).toBeCloseTo(0.12, 12);
    expect(Math.atan2(tiltNorth, tiltEast)).toBeCloseTo(
      Math.atan2(level.site.ground.tiltNorth, level.site.ground.tiltEast),
      12,
    );
    expect(steep.site.piles).toEqual(level.site.piles);
    expect(steep.captures).toEqual(level.captures);
  });

  it("planSurvey paints with all texture by default", () => {
    expect(planSurvey(SURVEY_DEFAULTS).contrast).toBe(1);
    expect(planSurvey({ ...SURVEY_DEFAULTS, contrast: 0.25 }).contrast).toBe(0.25);
  });

  it("planSurvey gives the lens the focal length that is asked for, all else and the tags as without it", () => {
    const usual = planSurvey(SURVEY_DEFAULTS);
    const longer = planSurvey({ ...SURVEY_DEFAULTS, focalOffPercent: 3 });
    const [body] = longer.bodies;
    expect(body.lens.focalPx).toBeCloseTo(1.03 * body.nominalFocalPx, 9);
    const { lens, ...tags } = usual.bodies[0];
    expect(body).toEqual({ ...tags, lens: { ...lens, focalPx: body.lens.focalPx } });
    expect(Math.abs(lens.focalPx / tags.nominalFocalPx - 1)).toBeLessThan(0.0141);
    expect(longer.captures).toEqual(usual.captures);
  });
});
