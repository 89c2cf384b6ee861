import { describe, expect, it } from "vitest";
import { pileProfile } from "../../../../processing/measurement/profile/pile-profile.ts";
import {
  type MeasurementReport,
  measurementReportHtml,
} from "../../../../processing/measurement/report/measurement-report.ts";
import { volumeHistory } from "../../../../processing/measurement/report/volume-history.ts";
import { cubicMetres, figure, signed } from "../../../../processing/page/figures.ts";
import { levelBase } from "../../../../processing/volume/base/base-surface.ts";
import { elementsOf } from "../../../support/well-formed.ts";
import { circle, FRUSTUM, surfaceOf } from "../../volume/solids.ts";
import { measurement, stockpile } from "../measured.ts";

const profile = pileProfile(surfaceOf(0.5, FRUSTUM.height), levelBase(0), circle(FRUSTUM.radiusM));
const pictures = { hillshade: "/f/h.png?a=1&b=2", heights: "/f/c.png", change: "/f/d.png" };
const earlier = {
  id: "mea-1" as typeof measurement.id,
  measured_at: "2026-11-12T09:00:00.000Z",
  current_volume_m3: 611.5,
  uncertainty_95_m3: 40,
};
const report: MeasurementReport = {
  measurement,
  stockpile,
  profile,
  pictures,
  history: [measurement, earlier],
};

/** Tags nest, attributes are quoted; HTML's elements without an end are left out. */
function bodyElements(html: string) {
  return elementsOf(html.replace("<!doctype html>", "").replace(/<(meta|img)\b[^<>]*>/g, ""));
}

/** What a reader sees. */
function textOf(html: string): string {
  return html
    .replace(/<style>.*?<\/style>/gs, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
}

describe("the report of a measurement", () => {
  const html = measurementReportHtml(report);
  const text = textOf(html);

  it("the report of a measurement is one page without script, under a policy that allows pictures and its own style", () => {
    expect(html).toContain(
      `content="default-src 'none'; img-src 'self' data: https: http:; style-src 'unsafe-inline'"`,
    );
    const names = new Set(bodyElements(html).map(({ name }) => name));
    for (const name of ["script", "link", "iframe", "object", "form"]) {
      expect(names).not.toContain(name);
    }
    expect(html).toContain('<img src="/f/h.png?a=1&amp;b=2" alt="Relief">');
    expect(html.match(/<img /g)).toHaveLength(3);
    expect(html).toContain("size: A4");
  });

  it("the report of a measurement shows volume, interval, accuracy, change, tonnes and capacity", () => {
    expect(text).toContain("523.3 m\u00b3 \u00b1 34.7 m\u00b3 (95 %)");
    expect(text).toContain("93.4% accuracy");
    expect(text).toContain("mostly the scale from GPS");
    expect(text).toContain("\u221288.2 m\u00b3 change \u00b1 12.4 m\u00b3 (95 %)");
    expect(text).toContain("915.7 t at 1.75 t/m\u00b3");
    // 523.256 of 800.
    expect(text).toContain("65.4 % of 800.0 m\u00b3 capacity: adequate");
    expect(text).toContain("Significant: the change is beyond its uncertainty.");
    expect(text).toContain("measurement mea-1");
  });

  it("the report of a measurement lists the terms of the uncertainty, largest first, with shares of the variance", () => {
    // 16, 6, 4.6 and 0.2 m3: squares of 256, 36, 21.16, 0.04 of 313.2; 1.96 of each.
    expect(text).toMatch(
      /Scale .* 31\.36 m\u00b3 82 % Base .* 11\.76 m\u00b3 11 % Doming .* 9\.02 m\u00b3 7 %/,
    );
    const bars = bodyElements(html).flatMap(({ attributes }) =>
      attributes.get("class") === "bar-fill" ? [Number(attributes.get("width"))] : [],
    );
    expect(bars).toEqual([81.7, 11.5, 6.8, 0, 0, 0, 0]);
  });

  it("the report of a measurement names warnings and the images that were left out", () => {
    expect(text).toContain("GPS positions scatter by 2.1 m");
    expect(text).toContain("36 of 37 images oriented. Left out: DJI_0031.JPG is black all over");
    expect(text).not.toContain("No gate has anything to say");
  });

  it("the report of a measurement has the sections in it, as a drawing of the page", () => {
    expect(html).toContain('aria-label="Sections through the pile"');
    expect(textOf(measurementReportHtml({ ...report, profile: undefined }))).toContain(
      "The sections are not at hand.",
    );
  });

  it("the report of a measurement says loudly that a footprint is only proposed, and that a volume is not the current one", () => {
    expect(html).not.toContain('class="notice"');
    const proposed = measurementReportHtml({
      ...report,
      measurement: { ...measurement, footprint_state: "proposed", is_current: false },
    });
    expect(proposed.match(/class="notice"/g)).toHaveLength(2);
    // Before the number.
    expect(proposed.indexOf("Footprint proposed, not confirmed")).toBeLessThan(
      proposed.indexOf('class="volume"'),
    );
    expect(textOf(proposed)).toContain("PROPOSED by the program");
  });

  it("the report of a measurement claims nothing about a change from a declared volume", () => {
    const first = textOf(
      measurementReportHtml({
        ...report,
        measurement: {
          ...measurement,
          previous_measurement_id: undefined,
          change_95_m3: undefined,
          significant: undefined,
          tonnes: undefined,
          density_t_per_m3: undefined,
        },
        pictures: { hillshade: "h.png", heights: "c.png" },
        history: [measurement],
      }),
    );
    expect(first).toContain("declared by a person");
    expect(first).toContain("Whether the change is significant cannot be said");
    expect(first).not.toMatch(/undefined|NaN|Relief and change/);
    expect(first).toContain("its history begins here");
  });

  it("the report of a measurement escapes whatever people and images bring along", () => {
    const bad = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;\u0000`;
    const hostile = measurementReportHtml({
      ...report,
      stockpile: { ...stockpile, material: bad, location: bad },
      measurement: {
        ...measurement,
        accuracy_note: bad,
        accuracy: bad,
        warnings: [bad],
        images: { given: 1, oriented: 0, refused: [bad] },
      },
      pictures: { hillshade: bad, heights: bad, change: bad },
      links: [{ text: bad, url: bad }],
    });
    expect(hostile).not.toMatch(/<script|<img src=x/);
    expect(hostile).not.toContain("\u0000");
    // Title and heading name two of them each, then note, accuracy, warning, image, three pictures, a link.
    expect(hostile.match(/&lt;script&gt;/g)).toHaveLength(4 + 4 + 3 + 2);
    // Three pictures, and every tag still nests.
    expect(hostile.match(/<img /g)).toHaveLength(3);
    bodyElements(hostile);
  });
});

describe("volumes over time", () => {
  it("volumes over time are drawn at their heights, with whiskers of their intervals to the same scale", () => {
    const svg = volumeHistory([measurement, earlier], measurement.id, 5_000).text;
    const elements = elementsOf(svg);
    const circles = elements.flatMap(({ name, attributes }) =>
      name === "circle" ? [Number(attributes.get("cy"))] : [],
    );
    const whiskers = elements.flatMap(({ name, attributes }) =>
      name === "line" && !attributes.has("class") && attributes.get("x1") === attributes.get("x2")
        ? [Number(attributes.get("y2")) - Number(attributes.get("y1"))]
        : [],
    );
    const [first = 0, second = 0] = circles;
    // Oldest first, the larger volume higher up. 88.244 m3 apart; intervals 80 and 69.356 m3 long.
    expect(first).toBeLessThan(second);
    const perUnit = 88.244 / (second - first);
    expect((whiskers[0] ?? 0) * perUnit).toBeCloseTo(80, -0.5);
    expect((whiskers[1] ?? 0) * perUnit).toBeCloseTo(69.356, -0.5);
    expect(svg).not.toContain("capacity");
    expect(volumeHistory([measurement, earlier], measurement.id, 800).text).toContain("capacity");
  });

  it("volumes over time of one time only, and of heaps that were never there, can be drawn", () => {
    const empty = { ...earlier, current_volume_m3: 0, uncertainty_95_m3: 0 };
    const svg = volumeHistory([empty, { ...empty, id: measurement.id }], measurement.id, 800).text;
    elementsOf(svg);
    expect(svg).not.toMatch(/NaN|Infinity/);
  });
});

describe("figures for people", () => {
  it("figures for people part thousands, keep signs, and never show a negative zero", () => {
    expect(figure(12_345.678, 1)).toBe("12,345.7");
    expect(cubicMetres(-3.456)).toBe("\u22123.46 m\u00b3");
    expect(cubicMetres(1_234.56)).toBe("1,234.6 m\u00b3");
    expect([signed(0.04, 1), signed(-0.04, 1), signed(2, 0)]).toEqual(["0.0", "0.0", "+2"]);
  });
});
