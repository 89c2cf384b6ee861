import { escapeXml } from "./escape-xml.ts";

/** A piece of HTML or SVG that is already safe to write as it is. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Markup | string | number | readonly Markup[] | undefined;

/**
 * HTML or SVG from a template: every value is escaped unless it is {@link Markup} itself, lists of
 * markup are joined, `undefined` is nothing. Names of images come from strangers.
 */
export function markup(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  let text = strings[0] ?? "";
  for (const [i, value] of values.entries()) text += written(value) + (strings[i + 1] ?? "");
  return new Markup(text);
}

function written(value: Value): string {
  if (value === undefined) return "";
  if (value instanceof Markup) return value.text;
  if (typeof value === "object") return value.map((part) => part.text).join("");
  return escapeXml(String(value));
}
