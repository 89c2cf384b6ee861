import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DE } from "../../console/i18n/de.ts";
import { DE_ADMINISTRATION } from "../../console/i18n/de-settings.ts";
import { EN, type MessageKey } from "../../console/i18n/en.ts";
import { EN_ADMINISTRATION } from "../../console/i18n/en-settings.ts";
import { pseudo } from "../../console/i18n/pseudo.ts";
import { translator } from "../../console/i18n/translate.ts";

type Catalogue = Readonly<Record<MessageKey, string>>;
const ENGLISH: Catalogue = { ...EN, ...EN_ADMINISTRATION };
const GERMAN: Catalogue = { ...DE, ...DE_ADMINISTRATION };
const KEYS = Object.keys(ENGLISH) as MessageKey[];
const CATALOGUES: Readonly<Record<string, Catalogue>> = { English: ENGLISH, German: GERMAN };

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

  it("the words of administration, which come with its pages, are asked for there alone", () => {
    const folder = new URL("../../console/", import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (name) => /\.tsx?$/.test(name) && !/^(i18n|pages.settings)/.test(name),
    );
    expect(files.length).toBeGreaterThan(200);
    const own = Object.keys(EN_ADMINISTRATION);
    const asked = files.flatMap((name) =>
      [...readFileSync(new URL(name, folder), "utf8").matchAll(/["`]([a-z][\w.]*)(["`]|\$\{)/g)]
        .filter(([, start = "", end]) =>
          own.some((key) =>
            end === "${"
              ? start.includes(".") && key.startsWith(start)
              : key === start || key.startsWith(`${start}_o`),
          ),
        )
        .map(([, start = ""]) => `${name}: ${start}`),
    );
    expect(asked).toEqual([]);
  });

  it("a text has the same places in both languages", () => {
    const different = KEYS.filter(
      (key) => `${placesOf(ENGLISH[key])}` !== `${placesOf(GERMAN[key])}`,
    );
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
    // The texts of administration come with its pages.
    expect(t("proj.new")).toBe("proj.new");
    expect(translator(ENGLISH, "en")("proj.new")).toBe("New project");
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
    const long = pseudo(ENGLISH);
    for (const key of KEYS) {
      const text = long[key] ?? "";
      expect(placesOf(text)).toEqual(placesOf(ENGLISH[key]));
      expect(text.length).toBeGreaterThan(ENGLISH[key].length);
    }
    expect(translator(long, "en")("live.since", { time: "14:03" })).toContain("14:03");
  });
});
