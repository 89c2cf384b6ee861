import { describe, expect, it } from "vitest";
import { emptyDraft, isDrawn, withPoint } from "../../console/map/drawing/draft.ts";
import { afterDrawing, drawnFeature } from "../../console/map/drawing/features.ts";
import { wouldReadAsZero } from "../../console/pages/surveys/measure/least-volume.ts";
import type { HeightProfile } from "../../console/pages/surveys/measure/requests.ts";
import { gapsOf, sectionOf } from "../../console/pages/surveys/measure/section.ts";
import { brokenLine } from "../../console/parts/section/section-paths.ts";

describe("what is drawn to measure", () => {
  it("a place is replaced by the next one, and a line needs no width", () => {
    const place = withPoint(withPoint(emptyDraft("point"), [50, 9]), [51, 9]);
    expect(place.points).toEqual([[51, 9]]);
    expect(isDrawn(place)).toBe(true);
    const line = withPoint(withPoint(emptyDraft("line"), [50, 9]), [51, 9]);
    expect(isDrawn(line)).toBe(true);
  });

  it("the drawing tool gives back the shape that it was given", () => {
    for (const shape of ["line", "point"] as const) {
      const draft = withPoint(withPoint(emptyDraft(shape), [50, 9]), [51, 9]);
      const feature = drawnFeature(draft);
      if (feature === undefined) throw new Error(`nothing is drawn of a ${shape}`);
      expect(afterDrawing(draft, feature)).toEqual(draft);
    }
  });
});

describe("a volume", () => {
  it("that is not 0 is known to read as 0 below half a tenth, and 0 itself is not", () => {
    expect([0, 0.01, -0.049, 0.05, -12].map(wouldReadAsZero)).toEqual([
      ...[false, true, true, false, false],
    ]);
  });
});

const profile = (heights: readonly (number | null)[], riseM: number | null) =>
  ({
    length_m: 2 * (heights.length - 1),
    rise_m: riseM,
    slope_percent: null,
    source: {},
    compared_with: null,
    warnings: ["one"],
    points: heights.map((height_m, i) => ({
      distance_m: 2 * i,
      height_m,
      compared_height_m: null,
    })),
  }) as unknown as HeightProfile;

describe("a section", () => {
  it("of several legs goes on where the leg before ended, with one point there", () => {
    const section = sectionOf([profile([1, 2, 3], 2), profile([3, 5], 2)]);
    expect(section.points.map(({ distanceM }) => distanceM)).toEqual([0, 2, 4, 6]);
    expect(section).toMatchObject({ lengthM: 6, riseM: 4, warnings: ["one"] });
    expect(section.slopePercent).toBeCloseTo(66.67, 2);
  });

  it("without a height at an end has no rise", () => {
    expect(sectionOf([profile([1, 2], 1), profile([2, null], null)])).toMatchObject({
      riseM: null,
      slopePercent: null,
    });
  });

  it("gaps reach from the last height to the next, also at both ends", () => {
    const points = [null, 1, null, null, 2, null].map((heightM, i) => ({
      distanceM: i,
      heightM,
    }));
    expect(gapsOf(points)).toEqual([
      { fromM: 0, toM: 1 },
      { fromM: 1, toM: 4 },
      { fromM: 4, toM: 5 },
    ]);
  });

  it("is drawn with breaks at its gaps, and what stands alone as a dot", () => {
    const { path, alone } = brokenLine([
      { x: 0, y: 1 },
      { x: 1, y: 2 },
      { x: 2, y: null },
      { x: 3, y: 4 },
      { x: 4, y: null },
    ]);
    expect(path).toBe("M0.0 1.0L1.0 2.0M3.0 4.0");
    expect(alone).toEqual([{ x: 3, y: 4 }]);
  });
});
