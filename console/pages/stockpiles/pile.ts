import type { Stockpile } from "../../state/site-places.ts";

/** How full a stockpile is, percent of its capacity; `undefined`: nobody knows. */
export const fillPercent = ({ volume_basis, current_volume_m3, max_capacity_m3 }: Stockpile) =>
  volume_basis === "none" ? undefined : (current_volume_m3 / max_capacity_m3) * 100;

/** Name of a stockpile: material and place. */
export const pileName = ({ material, location }: Pick<Stockpile, "material" | "location">) =>
  `${material}, ${location}`;
