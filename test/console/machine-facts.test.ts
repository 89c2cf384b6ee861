import { describe, expect, it } from "vitest";
import { changeOf, formOf, placeProblem } from "../../console/pages/machine/facts/facts-form.ts";

const STORED = {
  name: "Digger 7",
  type: "excavator",
  project_id: "north",
  make: "Liebherr",
  registered_location: { latitude: 52.5, longitude: 13.4 },
  maintenance: false,
};

describe("what is known of a machine, as a form", () => {
  it("sends nothing of what nobody changed, spaces included", () => {
    const form = formOf(STORED);
    expect(changeOf(STORED, form)).toEqual({});
    expect(changeOf(STORED, { ...form, name: " Digger 7 ", latitude: "52.5 " })).toEqual({});
  });

  it("sends what was changed alone, an empty text as unknown", () => {
    const form = { ...formOf(STORED), make: " ", model: "R 920", isOutOfService: true };
    expect(changeOf(STORED, form)).toEqual({ make: null, model: "R 920", maintenance: true });
  });

  it("takes a place with a decimal comma, and an empty one as that of the project", () => {
    const form = formOf(STORED);
    expect(changeOf(STORED, { ...form, latitude: "52,75" })).toEqual({
      location: { latitude: 52.75, longitude: 13.4 },
    });
    expect(changeOf(STORED, { ...form, latitude: "", longitude: "" })).toEqual({ location: null });
    expect(placeProblem({ ...form, latitude: "" })).toBe("half_place");
    expect(placeProblem({ ...form, latitude: "north" })).toBe("not_degrees");
    expect(placeProblem(form)).toBeUndefined();
  });
});
