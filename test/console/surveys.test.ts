import { describe, expect, it } from "vitest";
import { formatFineLength, formatHeight } from "../../console/format/quantity.ts";
import { datesOf } from "../../console/pages/surveys/dates.ts";
import { keyStep } from "../../console/pages/surveys/key-step.ts";
import { axisOf, lanesOf } from "../../console/pages/surveys/time-line.ts";

/** Spaces of `Intl` that do not break are spaces to a reader. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

describe("figures of a survey", () => {
  it("a small length is in centimetres or inches, a larger one to the hundredth", () => {
    expect(plain(formatFineLength(0.084, "metric", "en"))).toBe("8.4 cm");
    expect(plain(formatFineLength(0.0231, "metric", "de"))).toBe("2,3 cm");
    expect(plain(formatFineLength(0.0254, "imperial", "en"))).toBe("1 in");
    expect(plain(formatFineLength(1.234, "metric", "en"))).toBe("1.23 m");
    expect(plain(formatFineLength(0.5, "imperial", "en"))).toBe("1.64 ft");
  });

  it("a height is to the hundredth in either system", () => {
    expect(plain(formatHeight(41.304, "metric", "en"))).toBe("41.3 m");
    expect(plain(formatHeight(-3.048, "imperial", "en"))).toBe("-10 ft");
  });
});

describe("dates of a ground", () => {
  const survey = (id: string, day: number, isThere = true) => ({
    ...{ id, captured_at: `2026-03-0${day}T08:00:00Z` },
    bounds: isThere ? { west: 0, south: 0, east: 1, north: 1 } : null,
  });

  it("are in the order of their flights, without what can no longer be read", () => {
    const others = [survey("newest", 5), survey("gone", 4, false), survey("first", 1)];
    const { dates, index } = datesOf(survey("shown", 3), others);
    expect(dates.map(({ id }) => id)).toEqual(["first", "shown", "newest"]);
    expect(index).toBe(1);
  });

  it("of one time are in the same order from each of them", () => {
    const [a, b] = [survey("a", 1), survey("b", 1)];
    expect([datesOf(a, [b]).index, datesOf(b, [a]).index]).toEqual([0, 1]);
  });
});

describe("keys of the divider", () => {
  it.each([
    ["ArrowRight", 50, 52],
    ["ArrowLeft", 1, 0],
    ["PageUp", 95, 100],
    ["PageDown", 50, 40],
    ["Home", 50, 0],
    ["End", 50, 100],
    ["Tab", 50, undefined],
    ["toString", 50, undefined],
  ])("%s at %i % leads to %s", (key, percent, to) => {
    expect(keyStep(key, percent)).toBe(to);
  });
});

describe("the time line of surveys", () => {
  const of = (id: string, captured_at: string, pile?: string) => ({
    ...{ id, captured_at, project_id: "yard" },
    source:
      pile === undefined
        ? { kind: "progress_capture" as const, capture_id: `capture-${id}`, report_id: null }
        : {
            ...{ kind: "stockpile_measurement" as const, stockpile_id: pile },
            ...{ measurement_id: id, material: "Gravel", location: "Bay 1" },
          },
  });

  it("has a line for each ground, the last one flown first, and its dates in order", () => {
    const surveys = [
      of("s3", "2026-03-20T08:00:00Z", "gravel"),
      of("s2", "2026-03-12T08:00:00Z"),
      of("s4", "2026-03-22T08:00:00Z", "sand"),
      of("s1", "2026-03-01T08:00:00Z", "gravel"),
    ];
    expect(lanesOf(surveys).map((lane) => lane.surveys.map(({ id }) => id))).toEqual([
      ["s4"],
      ["s1", "s3"],
      ["s2"],
    ]);
  });

  it.each([
    ["an hour", "2026-03-01T09:00:00Z"],
    ["a fortnight", "2026-03-15T08:00:00Z"],
    ["three years", "2029-03-01T08:00:00Z"],
    ["thirty years", "2056-03-01T08:00:00Z"],
  ])("has some dates at its axis and not too many over %s", (_, last) => {
    const axis = axisOf([of("a", "2026-03-01T08:00:00Z"), of("b", last)], "Europe/Berlin");
    expect(axis.ticks.length).toBeGreaterThan(1);
    expect(axis.ticks.length).toBeLessThan(6);
    for (const ms of axis.ticks) {
      expect(axis.placeOf(ms)).toBeGreaterThanOrEqual(2);
      expect(axis.placeOf(ms)).toBeLessThanOrEqual(98);
    }
  });

  it("has surveys of one time in its middle", () => {
    const { placeOf, fromMs } = axisOf([of("a", "2026-03-01T08:00:00Z")], "UTC");
    expect(placeOf(fromMs)).toBe(50);
  });
});
