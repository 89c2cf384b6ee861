import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";
import { buildReport } from "../../../../processing/photogrammetry/products/report/build-report.ts";
import { footprint } from "../../../../processing/photogrammetry/products/report/footprint.ts";
import { renderReport } from "../../../../processing/photogrammetry/products/report/render-report.ts";
import { SurveyReport } from "../../../../processing/photogrammetry/products/report/report-schema.ts";
import { residualFields } from "../../../../processing/photogrammetry/products/report/residual-field.ts";
import type {
  AdjustmentSummary,
  ControlFigures,
  ControlPointFigures,
} from "../../../../processing/photogrammetry/reconstruction/reconstruction.ts";
import { LENS, SHIFT_PX, smallSurvey } from "./small-survey.ts";

const names = ["A.JPG", "B.JPG", "C.JPG", "D.JPG"];
const input = smallSurvey("North yard", names);
const report = buildReport(input);
const picture = { mediaType: "image/png", bytes: Uint8Array.of(1, 2, 3) } as const;
const pictures = {
  ortho: picture,
  backdrop: picture,
  height: picture,
  score: picture,
  views: picture,
};

describe("report.json", () => {
  it("report.json fits its schema, and again after a trip through JSON", () => {
    const validator = Compile(SurveyReport);
    expect([...validator.Errors(report)]).toEqual([]);
    expect(validator.Check(JSON.parse(JSON.stringify(report)))).toBe(true);
  });

  it("report.json states what the survey has, with units", () => {
    expect(report.images).toEqual({
      given: { value: 4, unit: "images" },
      oriented: { value: 3, unit: "images" },
      nadir: { value: 100, unit: "%" },
    });
    expect(report.surface).toMatchObject({
      // 30 m above ground at 300 px: 10 cm a pixel.
      ground_sample_distance: { value: 10, unit: "cm" },
      flying_height: { value: 30, unit: "m" },
      // 40 x 32 cells less 4, of 0.25 m2.
      area: { value: 319, unit: "m2" },
      // Of the 1,279 cells with three views 1,275 have a height.
      coverage: { value: 99.7, unit: "%" },
      // 1.5 and 4.5 m above an origin at 30 m.
      lowest: { value: 31.5, unit: "m" },
      highest: { value: 34.5, unit: "m" },
      score_mean: { value: 0.92, unit: "" },
    });
    expect(report.adjustment).toMatchObject({
      reprojection_rms: { value: 0.25, unit: "px" },
      dropped_tracks: { value: 1.2, unit: "%" },
      scale_sigma: { value: 1.2, unit: "%" },
      // V goes with the cube of the scale.
      volume_sigma_from_scale: { value: 3.6, unit: "%" },
      check_rms: { value: null, unit: "m" },
      observations_per_point: { value: 3, unit: "" },
    });
    const bins = report.surface.score_histogram.filter(({ cells }) => cells > 0);
    expect(bins).toEqual([{ from: 0.9, to: 0.95, cells: 1276 }]);
    expect(report.survey.flown_to).toBe("2026-11-20T10:00:03.000Z");
  });

  it("report.json lists every image that was sent with what became of it", () => {
    expect(report.image_uses.map(({ name, use }) => [name, use])).toEqual([
      ["A.JPG", "used"],
      ["B.JPG", "used"],
      ["C.JPG", "used"],
      ["D.JPG", "unmatched"],
      ["E.JPG", "unreadable"],
    ]);
    const page = renderReport(report, input, pictures);
    expect(page).toContain("shares too little ground with the others");
    expect(page).toContain("E.JPG is damaged");
  });

  it("report.json does without a reconstruction, as a given surface has none", () => {
    const bare = buildReport({ ...input, reconstruction: undefined });
    expect([...Compile(SurveyReport).Errors(bare)]).toEqual([]);
    expect(bare.adjustment.reprojection_rms).toEqual({ value: null, unit: "px" });
    const html = renderReport(bare, { ...input, reconstruction: undefined }, pictures);
    expect(html).toContain("The engine gave no cameras.");
  });
});

describe("residuals by place in the picture", () => {
  it("residuals by place in the picture show a shift of all observations in every part, to the right", () => {
    const [field] = input.reconstruction === undefined ? [] : residualFields(input.reconstruction);
    expect(field?.bins.length).toBeGreaterThan(40);
    for (const { du, dv } of field?.bins ?? []) {
      expect(du).toBeCloseTo(SHIFT_PX, 4);
      expect(dv).toBeCloseTo(0, 4);
    }
  });
});

describe("footprint", () => {
  it("the footprint of a view straight down is the picture at the ground's scale", () => {
    const pose = {
      rotation: Float64Array.of(1, 0, 0, 0, -1, 0, 0, 0, -1),
      centre: [5, 6, 31],
    } as const;
    // 30 m above ground at 300 px: 400 x 300 px are 40 x 30 m.
    expect(
      footprint(LENS, pose, 1)
        .flat()
        .map((m) => Number(m.toFixed(6))),
    ).toEqual([-15, 21, 25, 21, 25, -9, -15, -9]);
  });
});

describe("report.html", () => {
  const hostile = [
    "<img src=x onerror=alert(1)>.JPG",
    "a&b\"c'd.JPG",
    "</svg><script>x</script>",
    "</title>\u0000",
  ];
  const attacked = smallSurvey("<script>alert('name')</script>", hostile);
  const html = renderReport(buildReport(attacked), attacked, pictures);

  it("report.html escapes every name, in text, titles and attributes", () => {
    expect(html).not.toContain("<script");
    expect(html).not.toMatch(/<img src=x/);
    expect(html).not.toContain("</title>\u0000");
    expect(html).not.toContain("\u0000");
    expect(html).toContain("&lt;img src=x onerror=alert(1)&gt;.JPG");
    expect(html).toContain("a&amp;b&quot;c&#39;d.JPG");
    // Each name is in the table and on the map.
    expect(html.split("&lt;/svg&gt;&lt;script&gt;x").length - 1).toBe(2);
    expect(html.match(/<\/svg>/g)?.length).toBe(html.match(/<svg /g)?.length);
  });

  it("report.html fetches nothing: every picture is in the page, and the policy forbids the rest", () => {
    const links = [...html.matchAll(/(?:src|href|url)\s*[=(]\s*"?([^"\s>)]*)/g)].map((m) => m[1]);
    const real = links.filter((link) => link?.startsWith("data:image/png;base64,AQID"));
    expect(real).toHaveLength(5);
    expect(html).not.toMatch(/https?:\/\//);
    expect(html).toContain("default-src 'none'");
  });

  it("report.html says what heights are above: nothing sure by GPS, the control points' system by those that hold the survey", () => {
    const { reconstruction } = input;
    if (reconstruction === undefined) throw new Error("no reconstruction");
    const heightsOf = (change: Partial<AdjustmentSummary>) => {
      const summary = { ...reconstruction.summary, ...change };
      return buildReport({ ...input, reconstruction: { ...reconstruction, summary } }).place
        .heights;
    };
    const point = { name: "P", errorM: undefined, leaveOneOutM: undefined, marks: [] };
    const controlBy = (use: ControlPointFigures["use"]): ControlFigures => ({
      points: [{ ...point, use }],
      rmsM: { used: 0, check: undefined, leaveOneOut: undefined, fit: undefined },
      ...{ sigmaM: undefined, declaredM: { horizontal: 0.02, vertical: 0.03 } },
      ...{ isContradicted: false, markScale: 1 },
    });

    expect(report.place.heights).toMatch(/^relative: differences within the survey hold/);
    expect(heightsOf({ scaleFrom: "scale_bars" })).toMatch(/^relative/);
    expect(heightsOf({ control: controlBy("left_out") })).toMatch(/^relative/);
    expect(heightsOf({ isHeldByControl: true, scaleFrom: "scale_bars" })).toBe(
      "in the height system of the control points",
    );
    // Two points fix a scale and level nothing.
    expect(heightsOf({ scaleFrom: "control_points", control: controlBy("used") })).toMatch(
      /^in the height system of the control points next to them; away/,
    );
    expect(heightsOf({ isHeldByRtk: true, scaleFrom: "scale_bars" })).toMatch(
      /^as the RTK receiver gives them/,
    );
  });

  it("report.html names what is wrong and what to do, and counts the images", () => {
    const page = renderReport(report, input, pictures);
    expect(page).toContain("NO_OVERLAP");
    expect(page).toContain("Fly with more overlap.");
    expect(page).toContain("3 of 4");
    expect(page).toContain("(not oriented)");
    expect(page.match(/class="camera"/g)).toHaveLength(3);
    expect(page.match(/class="lost"/g)).toHaveLength(1);
    const quiet = { ...input, findings: [] };
    expect(renderReport(buildReport(quiet), quiet, pictures)).toContain(
      "No gate has anything to say.",
    );
  });
});
