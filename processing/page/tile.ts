import { type Markup, markup } from "./markup.ts";

/** A key figure, with what it means below it. Tiles go into `<div class="tiles">`. */
export function tile(value: string, label: string, kind: "" | "warn" | "bad"): Markup {
  return markup`<div class="tile ${kind}"><b>${value}</b><span>${label}</span></div>
`;
}
