import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { writtenByHand } from "./console-formats.ts";

const root = new URL("../../", import.meta.url);

const files = readdirSync(new URL("console", root), { recursive: true, encoding: "utf8" })
  .map((file) => `console/${file.replaceAll("\\", "/")}`)
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".d.ts"));

/** What is allowed, with its reason. */
const ALLOWED: ReadonlySet<string> = new Set([
  // Labels of an axis are as short as its step allows.
  "console/parts/chart/tick-times.ts",
  "console/parts/chart/plot.ts",
  // `{n}` of a plural, as the language writes it.
  "console/i18n/translate.ts",
]);

describe("units and times of the console", () => {
  it("are written by console/format alone, in the person's language, units and zone", () => {
    // Without files, nothing would be found.
    expect(files.length).toBeGreaterThan(150);
    const found = files
      .filter((file) => !ALLOWED.has(file))
      .flatMap((file) =>
        writtenByHand(file, readFileSync(new URL(file, root), "utf8")).map(
          (flaw) => `${file}:${flaw}`,
        ),
      );
    expect(found).toEqual([]);
  });

  it("what is allowed to is there, and does", () => {
    for (const file of ALLOWED) {
      expect(writtenByHand(file, readFileSync(new URL(file, root), "utf8"))).not.toEqual([]);
    }
  });
});

describe("the check of units and times", () => {
  const page = (line: string) => writtenByHand("console/pages/a.tsx", line);

  it.each([
    `const text = \`\${metres} m\`;`,
    `const text = \`\${Math.round(kmh)} km/h\`;`,
    "<p>{metres} ft</p>",
    "new Intl.DateTimeFormat(locale).format(ms)",
    "new Date(ms).toLocaleString()",
    "new Date(ms).getHours()",
    "const ms = Date.parse(typed.peek());",
    "new Date(2026, 2, 5)",
  ])("finds %s", (line) => {
    expect(page(line)).toHaveLength(1);
    expect(writtenByHand("console/format/a.ts", line)).toEqual([]);
  });

  it.each([
    `const path = \`/machines/\${id}/map\`;`,
    "<p>{show.length(metres)}</p>",
    "new Date(ms).toISOString()",
    "// drawn up to 5 m",
    "const at = Date.parse(event.occurred_at);",
    "<Map m={1} />",
  ])("leaves %s alone", (line) => {
    expect(page(line)).toEqual([]);
  });

  it("finds a unit in a text of a language, but not a duration that is the same in both systems", () => {
    const words = (text: string) => writtenByHand("console/i18n/en/a.ts", `  "a.b": "${text}",`);
    expect(words("within 25 m of it")).toHaveLength(1);
    expect(words("Circle of {metres} m around it")).toHaveLength(1);
    expect(words("gaps of over 5 min")).toEqual([]);
    expect(words("over 5 min and 25 m")).toHaveLength(1);
    expect(words("{n} machines")).toEqual([]);
  });
});
