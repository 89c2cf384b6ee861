import type { Texts } from "./en.ts";

const ACCENTS: Readonly<Record<string, string>> = {
  a: "å",
  e: "ë",
  i: "ï",
  o: "ö",
  u: "ü",
  n: "ñ",
};
/** How much longer a text may get in other languages: German is 30 % longer, short words double. */
const LONGER = 0.4;

/**
 * Texts that are long and accented: what shows without brackets is not in the catalogue, what is cut has no room. It is
 * not in the menu; tests and translators choose it by `language: "pseudo"` in `localStorage["plumbline.preferences"]`.
 */
export const pseudo = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, stretch(text)]));

function stretch(text: string): string {
  const accented = text
    .split(/(\{\w+\})/)
    .map((part) =>
      part.startsWith("{") ? part : part.replace(/[aeioun]/g, (c) => ACCENTS[c] ?? c),
    )
    .join("");
  return `[${accented}${"~".repeat(Math.ceil(text.length * LONGER))}]`;
}
