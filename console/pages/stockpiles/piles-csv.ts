import { csvOf } from "../../format/csv.ts";
import type { Stockpile } from "../../state/site-places.ts";

const COLUMNS = [
  "id",
  "project_id",
  "material",
  "location",
  "current_volume_m3",
  "uncertainty_95_m3",
  "tonnes",
  "max_capacity_m3",
  "status",
  "volume_basis",
  "is_outdated",
  "last_measured",
  "footprint_status",
] as const;

/** Stockpiles as CSV, in the API's words and units; a volume that nobody knows is an empty cell. */
export function pilesCsv(piles: readonly Stockpile[]): string {
  const rows = piles.map((pile) => {
    const isKnown = pile.volume_basis !== "none";
    return COLUMNS.map((column) => {
      const isOfVolume =
        column === "current_volume_m3" || column === "status" || column === "last_measured";
      return isOfVolume && !isKnown ? undefined : pile[column];
    });
  });
  return csvOf([COLUMNS, ...rows]);
}
