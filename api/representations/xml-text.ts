/** The first line of a document. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** What XML 1.0 has no character for (section 2.2), half surrogate pairs among them. */
const NO_CHARACTER =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that must go
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const MARKUP = /[&<>"'\t\n\r]/g;
/** A parser makes a blank of a bare tab or line break in an attribute. */
const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** Text for the inside of an element or an attribute; what XML cannot say becomes U+FFFD. */
export function xmlText(value: string): string {
  return value
    .replace(NO_CHARACTER, "\uFFFD")
    .replace(MARKUP, (character) => REFERENCES[character] ?? "");
}

/** A finite number as `xs:decimal` has it: without exponent, at most 12 decimals. */
export function xmlNumber(value: number): string {
  const text = String(value);
  if (!text.includes("e")) return text;
  return value.toFixed(12).replace(/\.?0+$/, "");
}

/** An element; `content` and the values of `attributes` are ready XML. */
export function xmlElement(
  name: string,
  content: string,
  attributes: Readonly<Record<string, string>> = {},
): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  return `<${name}${given.join("")}>${content}</${name}>`;
}
