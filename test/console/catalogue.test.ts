import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DE } from "../../console/i18n/de.ts";
import { type Catalogue, EN, type MessageKey } from "../../console/i18n/en.ts";
import { pseudo } from "../../console/i18n/pseudo.ts";
import { translator } from "../../console/i18n/translate.ts";

const KEYS = Object.keys(EN) as MessageKey[];
const CATALOGUES: Readonly<Record<string, Catalogue>> = { English: EN, German: DE };

const placesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

describe("the catalogues of the console", () => {
  it.each(Object.keys(CATALOGUES))("%s has every text, and none that nobody asks for", (name) => {
    const texts: Readonly<Record<string, string>> = CATALOGUES[name] ?? {};
    expect(Object.keys(texts).sort()).toEqual([...KEYS].sort());
    expect(Object.values(texts).filter((text) => text.trim() === "")).toEqual([]);
  });

  // A page shows another page's words where two files have the same key: the one that is spread last wins.
  it.each(["en", "de"])("no text of %s is written in two files", (language) => {
    const folder = new URL(`../../console/i18n/${language}/`, import.meta.url);
    const files = [
      new URL(`../${language}.ts`, folder),
      ...readdirSync(folder).map((name) => new URL(name, folder)),
    ];
    const keys = files.flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/^ {2}"([^"]+)":/gm)].map(([, key = ""]) => key),
    );
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    expect(keys).toHaveLength(KEYS.length);
  });

  it("a text has the same places in both languages", () => {
    const different = KEYS.filter((key) => `${placesOf(EN[key])}` !== `${placesOf(DE[key])}`);
    // One thing may be a word instead of a number.
    expect(different.filter((key) => !key.endsWith("_one"))).toEqual([]);
  });

  it("each form for one thing has a form for others, and the other way round", () => {
    const stems = (suffix: string) =>
      KEYS.filter((key) => key.endsWith(suffix)).map((key) => key.slice(0, -suffix.length));
    expect(stems("_one").sort()).toEqual(stems("_other").sort());
    expect(stems("_one")).toContain("machines.count");
  });
});

describe("the translator", () => {
  it("puts values into their places, and leaves a place without a value to be seen", () => {
    const t = translator(EN, "en");
    expect(t("live.since", { time: "14:03:10" })).toBe("Not live since 14:03:10");
    expect(t("live.since")).toBe("Not live since {time}");
  });

  it("does not take a value for a text with places of its own", () => {
    expect(translator(EN, "en")("alerts.new", { message: "{n} $& {message}" })).toBe(
      "New alert: {n} $& {message}",
    );
  });

  it("chooses the form by the language's own rule and writes the number its way", () => {
    const english = translator(EN, "en-GB");
    const german = translator(DE, "de-DE");
    expect(english.count("machines.count", 1)).toBe("1 machine");
    expect(english.count("machines.count", 0)).toBe("0 machines");
    expect(english.count("machines.count", 1_500)).toBe("1,500 machines");
    expect(german.count("machines.count", 1)).toBe("1 Maschine");
    expect(german.count("machines.count", 1_500)).toBe("1.500 Maschinen");
  });

  it("the pseudo-locale is longer, marked, and keeps every place", () => {
    const long = pseudo(EN);
    for (const key of KEYS) {
      expect(placesOf(long[key])).toEqual(placesOf(EN[key]));
      expect(long[key].length).toBeGreaterThan(EN[key].length);
    }
    expect(translator(long, "en")("live.since", { time: "14:03" })).toContain("14:03");
  });
});
