import { describe, expect, it } from "vitest";
import { typedName } from "../../console/pages/settings/keys/typed-name.ts";

describe("the name that somebody types for a key", () => {
  it.each(["", " ", "\t \u00A0"])("is none where %j was typed", (text) => {
    expect(typedName(text)).toBeUndefined();
  });

  it.each([
    ["  Anna, site office ", "Anna, site office"],
    // Marks of direction are part of a name.
    ["\u202Eرافعة 7", "\u202Eرافعة 7"],
    ["<b>x</b>", "<b>x</b>"],
  ])("of %j is %j", (text, name) => {
    expect(typedName(text)).toBe(name);
  });
});
