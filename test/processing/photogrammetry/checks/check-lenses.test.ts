import { describe, expect, it } from "vitest";
import { checkLenses } from "../../../../processing/photogrammetry/checks/check-lenses.ts";
import { focalTags, surveyImage } from "../../../support/survey-image.ts";

const named = (count: number, overrides: Parameters<typeof surveyImage>[0], from = 0) =>
  Array.from({ length: count }, (_, i) => surveyImage({ name: `${from + i}.jpg`, ...overrides }));
const UNKNOWN = { model: undefined, make: undefined, focal: focalTags() };

describe("gates of lenses", () => {
  it("have nothing to say of one camera", () => {
    expect(checkLenses(named(12, {}))).toEqual({ findings: [], leftOut: [] });
  });

  it("NO_FOCAL leaves a few images out by name, and refuses below five that are left", () => {
    const few = checkLenses([...named(10, {}), ...named(2, UNKNOWN, 10)]);
    expect(few.leftOut).toEqual([10, 11]);
    expect(few.findings).toMatchObject([
      { gate: "NO_FOCAL", severity: "warn", value: 10, images: ["10.jpg", "11.jpg"] },
    ]);
    const many = checkLenses([...named(4, {}), ...named(8, UNKNOWN, 4)]);
    expect(many.findings).toMatchObject([
      { gate: "NO_FOCAL", severity: "reject", value: 4, threshold: 5 },
    ]);
  });

  it("MIXED_CAMERAS names the images of all lenses but the commonest", () => {
    const { findings, leftOut } = checkLenses([
      ...named(2, { serial: "B", focal: focalTags({ focal35Mm: 28 }) }),
      ...named(6, { serial: "A" }, 2),
    ]);
    expect(leftOut).toEqual([]);
    expect(findings).toMatchObject([
      { gate: "MIXED_CAMERAS", severity: "warn", value: 2, images: ["0.jpg", "1.jpg"] },
    ]);
  });
});
