import type { HeightSource } from "./height-schemas.ts";

type Datum = Pick<HeightSource["vertical_datum"], "kind" | "name">;

/** Whether two surveys' heights count from the same, so that they may be subtracted. */
export function compareDatums(one: Datum, two: Datum): "same" | "different" | "unknown" {
  if (one.kind === "unknown" || two.kind === "unknown") return "unknown";
  return one.kind === two.kind && one.name === two.name ? "same" : "different";
}
