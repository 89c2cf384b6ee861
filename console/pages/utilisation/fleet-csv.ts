import type { csvOf } from "../../format/csv.ts";
import { FIGURES, type FleetRow, figureOf } from "./heat-table.ts";

/** Every figure of every row, as they were loaded: seconds and metres, with bounds; what is not known is empty. */
export function fleetCsvRows(rows: readonly FleetRow[]): Parameters<typeof csvOf>[0] {
  const figureHeads = FIGURES.flatMap((name) => {
    const unit = name === "distance" ? "m" : "s";
    return [
      `${name}_${unit}`,
      `${name}_lower_${unit}`,
      `${name}_upper_${unit}`,
      `${name}_known_days`,
      `${name}_basis`,
    ];
  });
  return [
    ["day", "asset_id", "asset_name", "type", "project_id", "asset_days", ...figureHeads],
    ...rows.map((row) => [
      ...[row.day, row.asset_id, row.asset_name, row.type, row.project_id, row.asset_days],
      ...FIGURES.flatMap((name) => {
        const { value, lower, upper, knownDays, mix } = figureOf(row, name);
        const basis = name === "idle" && value !== null ? "computed" : mix.basis;
        return [value ?? undefined, lower ?? undefined, upper ?? undefined, knownDays, basis];
      }),
    ]),
  ];
}
