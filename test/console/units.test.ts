import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fieldShown,
  formatField,
  formatShown,
  unitSymbol,
} from "../../console/format/field-units.ts";
import {
  fieldText,
  fromShown,
  readShown,
  shownSymbol,
  toShown,
} from "../../console/format/units.ts";

/** Spaces of `Intl` that do not break are spaces to a reader. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

/** Values of the API, and the same in imperial units, by the definitions of these. */
const KNOWN = [
  ["speed", 160.9344, 100],
  ["length", 30.48, 100],
  ["distance", 1.609344, 1],
  ["volume", 764.554857984, 1_000],
  ["mass", 453.59237, 1_000],
  ["temperature", 0, 32],
  ["temperature", 100, 212],
  ["temperature", -40, -40],
  ["pressure", 101.325, 14.6959487755],
] as const;

describe("a quantity in imperial units", () => {
  it.each(KNOWN)("%s: %d of the API is %d, both ways", (quantity, api, imperial) => {
    expect(toShown(quantity, api, "imperial")).toBeCloseTo(imperial, 9);
    expect(fromShown(quantity, imperial, "imperial")).toBeCloseTo(api, 9);
  });

  it("that was typed is exactly what it says: 100 ft are 30.48 m", () => {
    expect(readShown("length", "100", "imperial")).toBe(30.48);
    expect(readShown("length", " 16,4 ", "imperial")).toBe(4.99872);
    expect(readShown("distance", "10000", "imperial")).toBe(16_093.44);
  });

  it("that was typed with three decimals is shown so again", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (thousandths) => {
        const typed = String(thousandths / 1_000);
        const stored = readShown("length", typed, "imperial");
        expect(fieldText("length", stored, "imperial")).toBe(typed);
      }),
    );
  });

  it("of a field has its own unit, on an axis too", () => {
    const imperial = (field: string, value: number) =>
      plain(formatField(field, value, "imperial", "en-GB"));
    expect(imperial("speed_kmh", 16.09344)).toBe("10 mph");
    expect(imperial("altitude_meters", 100)).toBe("328.08 ft");
    expect(imperial("odometer_km", 1_609.344)).toBe("1,000 mi");
    expect(imperial("payload_kg", 453.59237)).toBe("1,000 lb");
    expect(imperial("coolant_temperature_c", 90)).toBe("194°F");
    expect(imperial("oil_pressure_kpa", 413.685)).toBe("60 psi");
    expect(imperial("engine_hours", 12.34)).toBe("12.3 hrs");
    expect(imperial("battery_voltage", 12.5)).toBe("12.5 V");
    expect(unitSymbol("coolant_temperature_c", "imperial", "en-GB")).toBe("°F");
    expect(unitSymbol("oil_pressure_kpa", "imperial", "en-GB")).toBe("psi");
    expect(shownSymbol("length", "imperial", "en-GB")).toBe("ft");
  });

  it("of a chart is converted once", () => {
    const shown = fieldShown("speed_kmh", 16.09344, "imperial");
    expect(shown).toBe(10);
    expect(plain(formatShown("speed_kmh", shown, "imperial", "en-GB"))).toBe("10 mph");
  });
});

describe("a quantity in metric units", () => {
  it("is the API's own, to the last bit", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (value) => {
        expect(toShown("mass", value, "metric")).toBe(value);
        expect(fromShown("temperature", value, "metric")).toBe(value);
      }),
    );
  });

  it("that was typed is a number from 0, with a point or a comma; nothing is not 0", () => {
    expect(readShown("length", "12,5", "metric")).toBe(12.5);
    expect(readShown("length", "", "metric")).toBeUndefined();
    for (const text of ["-3", "x", "1e5", "1 000"])
      expect(readShown("length", text, "metric")).toBeNaN();
    expect(fieldText("length", undefined, "metric")).toBe("");
  });
});
