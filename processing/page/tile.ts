import { type Markup, markup } from "./markup.ts";

/** A figure that is looked at first, with what it means below it. Tiles stand in `<div class="tiles">`. */
export function tile(value: string, label: string, kind: "" | "warn" | "bad"): Markup {
  return markup`<div class="tile ${kind}"><b>${value}</b><span>${label}</span></div>
`;
}
