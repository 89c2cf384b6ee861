/** Where units, times and numbers are written. */
const HOMES: readonly string[] = ["console/format/", "console/time/"];
/** Words, a language's own included; what they say of units has a place for the figure. */
const WORDS = /^console\/i18n\/(en|de)[./]/;

/** What writes a number or a time by itself, and so follows neither language, units nor zone. */
const BY_HAND: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["a format of Intl", /\bIntl\.(DateTimeFormat|NumberFormat|DurationFormat)\b/],
  ["toLocaleString", /\.toLocale(Date|Time)?String\(/],
  [
    "a part of a Date in the zone of the browser",
    /\.(get|set)(FullYear|Month|Date|Day|Hours|Minutes|TimezoneOffset)\(/,
  ],
  ["a Date of parts in the zone of the browser", /new Date\(\s*\d+\s*,/],
  ["toDateString and its like", /\.to(Date|Time|UTC|GMT)String\(/],
  ["Date.parse of a typed time", /Date\.parse\([^)]*\.(peek\(\)|value)\)/],
];

const UNIT = "(?:km/h|mph|km|mi|m|ft|m²|ft²|m³|ha|kg|lb|t|°C|°F|kPa|psi|l|gal|s|min|h)";
/** A number or a place of a text with a unit behind it. */
const UNIT_IN_TEXT = new RegExp(`(?:\\d|\\})[ \\u00a0\\u202f]?${UNIT}(?![\\p{L}\\d²³/])`, "u");
/** The same in a text with places, of the code: the end of `\${...}`, or of JSX. */
const UNIT_IN_CODE = new RegExp(`\\}[ \\u00a0\\u202f]?${UNIT}(?![\\w²³/(=:.])[^\\n]{0,3}[\`<"]`);
/** Times that are the same in both systems, and in words: gaps and rules of the service. */
const DURATION = /(?:\d|\})[ \u00a0\u202f]?(?:s|min|h)(?![\p{L}\d/])/gu;

/**
 * Units, times and numbers that a source of the console writes by itself instead of by `console/format`, as
 * `line: what`.
 *
 * @param file Its path from the root of the repository.
 */
export function writtenByHand(file: string, text: string): readonly string[] {
  if (HOMES.some((home) => file.startsWith(home))) return [];
  return withoutComments(text)
    .split("\n")
    .flatMap((line, i) => flawsOf(file, line).map((what) => `${i + 1}: ${what}`));
}

function flawsOf(file: string, line: string): readonly string[] {
  if (WORDS.test(file)) {
    // A key is no text.
    const words = line.replace(/^\s*"[\w.]+":/, "");
    return UNIT_IN_TEXT.test(words) && !isDuration(words) ? ["a unit in a text"] : [];
  }
  const flaws = BY_HAND.filter(([, pattern]) => pattern.test(line)).map(([what]) => what);
  return UNIT_IN_CODE.test(line) ? [...flaws, "a unit behind a value"] : flaws;
}

const isDuration = (text: string): boolean => !UNIT_IN_TEXT.test(text.replaceAll(DURATION, ""));

/** Comments keep their lines, so that numbers of lines stay right. */
const withoutComments = (text: string): string =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ""))
    .replaceAll(/(^|\s)\/\/[^\n]*/g, "$1");
