import { describe, expect, it } from "vitest";
import type { BaseChoice } from "../../../../domain/sites/stockpile.ts";
import { decodeBasis, encodeBasis } from "../../../../processing/epoch/survey-basis.ts";
import type { SurveyFacts } from "../../../../processing/epoch/survey-facts.ts";
import { measureStored } from "../../../../processing/measurement/surface/measure-stored.ts";
import { measureVolume } from "../../../../processing/measurement/surface/measure-volume.ts";
import { openBasis } from "../../../../processing/measurement/surface/open-basis.ts";
import { volumeFigures } from "../../../../processing/measurement/volume-figures.ts";
import {
  GROUND_M,
  HEAP_FOOTPRINT,
  heapBlock,
  heapInput,
  heapSurvey,
  SITE,
} from "../../../support/heap-survey.ts";

/** A survey with all that an engine says of one, and a coarser surface of the same heap. */
function wholeSurvey(): SurveyFacts {
  const survey = heapSurvey({ isHole: (x, y) => Math.hypot(x - 3, y) < 0.4 });
  const { cellM, width, height, westM, northM, elevationM } = heapSurvey({
    heightM: 3.4,
    cellM: 0.4,
  }).dsm;
  const coarse = { cellM, width, height, westM, northM, elevationM };
  return {
    ...survey,
    photoGsdM: 0.02,
    block: heapBlock(),
    dsm: { ...survey.dsm, coarse },
  };
}

describe("the file that volumes are computed from", () => {
  it("keeps all of a survey but where its images were taken, heights to the last bit", () => {
    const survey = { ...wholeSurvey(), cameras: [] };
    const kept = decodeBasis(encodeBasis(survey));
    const { dsm, ...facts } = survey;
    expect(kept).toMatchObject(facts);
    expect(kept?.block?.summary.focal[0]?.relativeSigma).toBe(Number.POSITIVE_INFINITY);
    const worstOf = (one: Float32Array, other: Float32Array | undefined): number =>
      one.reduce((worst, z, i) => {
        const back = other?.[i] ?? Number.NaN;
        return Number.isNaN(z) !== Number.isNaN(back)
          ? Number.POSITIVE_INFINITY
          : Math.max(worst, Math.abs(z - back) || 0);
      }, 0);
    expect(kept?.dsm.elevationM).toEqual(dsm.elevationM);
    expect(kept?.dsm.coarse).toEqual(dsm.coarse);
    expect(worstOf(dsm.score, kept?.dsm.score)).toBeLessThan(0.0050001);
    expect(kept?.dsm.views).toEqual(dsm.views);
  });

  it("of another version is not read", () => {
    const bytes = encodeBasis(heapSurvey());
    bytes[8] = "2".charCodeAt(0);
    expect(decodeBasis(bytes)).toBeUndefined();
    expect(() => openBasis(bytes)).toThrow(expect.objectContaining({ code: "STORE_DAMAGED" }));
  });
});

describe("a footprint in a stored survey", () => {
  const ground = { origin: SITE, dsm: heapSurvey({ heightM: 0.4, seed: 5 }).dsm };
  it.each<BaseChoice>([
    { method: "plane" },
    { method: "tin" },
    { method: "level", height_m: SITE.heightM + GROUND_M },
    { method: "survey", surface_key: "ground.tif" },
  ])("has the volume of a measurement of it, to a litre and with its interval, above $method", (base) => {
    for (const survey of [heapSurvey(), wholeSurvey()]) {
      const input = heapInput({}, { survey, base, ground });
      const measured = volumeFigures(measureVolume(input).figures);
      const stored = volumeFigures(
        measureStored({
          ...input,
          footprint: HEAP_FOOTPRINT,
          survey: { facts: openBasis(encodeBasis(input.survey)) },
          isDrawnOnSurvey: false,
        }),
      );
      for (const name of ["net_m3", "cut_m3", "fill_m3", "area_m2"] as const) {
        expect(stored[name]).toBeCloseTo(measured[name] ?? 0, 3);
      }
      // Correlations are kept to the percent.
      const ratio = stored.uncertainty_95_m3 / measured.uncertainty_95_m3;
      expect(Math.abs(ratio - 1)).toBeLessThan(0.01);
      expect(stored.base.method).toBe(base.method);
    }
  });

  it("is measured by its surface alone where nothing else was kept, with an assumed scale", () => {
    const { origin, dsm } = heapSurvey();
    const asked = { ...heapInput(), footprint: HEAP_FOOTPRINT, isDrawnOnSurvey: true };
    const own = measureStored({
      ...asked,
      survey: { facts: openBasis(encodeBasis(heapSurvey())) },
    });
    const assumed = measureStored({ ...asked, survey: { surface: { origin, dsm } } });
    expect(assumed.netM3).toBeCloseTo(own.netM3, 2);
    expect(assumed.uncertainty.isGiven).toBe(true);
    expect(assumed.uncertainty.terms.scale).toBeCloseTo(0.03 * assumed.netM3, 1);
  });

  it("stays where it was drawn on the survey, and moves onto its heap where it was drawn on a map", () => {
    const moved3m = heapSurvey({ georeferencing: "gps", offM: [3, 0, 0] });
    const survey = { facts: openBasis(encodeBasis(moved3m)) };
    const drawn = measureStored({
      ...heapInput(),
      footprint: HEAP_FOOTPRINT,
      survey,
      isDrawnOnSurvey: true,
    });
    const moved = measureStored({
      ...heapInput(),
      footprint: HEAP_FOOTPRINT,
      survey,
      isDrawnOnSurvey: false,
    });
    expect(moved.netM3).toBeGreaterThan(1.05 * drawn.netM3);
    expect(moved.warnings.join()).toContain("beside the map");
    expect(drawn.warnings.join()).not.toContain("beside the map");
  });
});
