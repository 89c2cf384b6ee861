import { describe, expect, it } from "vitest";
import { formatBounded } from "../../console/format/quantity.ts";
import { serviceText } from "../../console/format/service-text.ts";

describe("a volume with its interval", () => {
  it("a volume and its interval have the same decimals, a tenth where the interval is below ten", () => {
    expect(formatBounded(162.83, 10.12, "metric", "en-GB")).toEqual({
      volume: "163 m³",
      interval: "10 m³",
    });
    expect(formatBounded(219.71, 4.23, "metric", "de-DE")).toEqual({
      volume: "219,7 m³",
      interval: "4,2 m³",
    });
  });

  it("a sentence of the service has the signs of a page, and names that look like units stay", () => {
    expect(serviceText("162.8 m3 +-10.1 m3, 12 m2; zone m3x, rpt_m3")).toBe(
      "162.8 m³ ± 10.1 m³, 12 m²; zone m3x, rpt_m3",
    );
  });
});
