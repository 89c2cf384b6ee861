import { LIMITS } from "../../gates/gate-thresholds.ts";
import type { GateFinding } from "../../gates/gates.ts";
import type { ElevationGrid } from "../../grid/elevation-grid.ts";
import { asPercent } from "../../numeric/rounding.ts";

/**
 * Of the cells that images cover, those with a height, 0 to 1; 0 where none is covered.
 * @param surveyed cells of the grid that lie within three views, 1 or 0 each
 */
export function surveyedShare({ elevationM }: ElevationGrid, surveyed: Uint8Array): number {
  let inside = 0;
  let known = 0;
  for (let i = 0; i < elevationM.length; i += 1) {
    if (surveyed[i] !== 1) continue;
    inside += 1;
    if (!Number.isNaN(elevationM[i])) known += 1;
  }
  return inside === 0 ? 0 : known / inside;
}

/**
 * Gate COVERAGE for the whole surveyed area. Only a warning here: whether a hole matters is for the polygon
 * that is measured.
 * @param share of the cells that images cover, those with a height ({@link surveyedShare})
 */
export function checkSurface(share: number): readonly GateFinding[] {
  if (share >= LIMITS.coverage) return [];
  return [
    {
      gate: "COVERAGE",
      severity: "warn",
      value: asPercent(share),
      threshold: asPercent(LIMITS.coverage),
      unit: "% of the surveyed cells have a height",
      advice:
        "Trees, water, glass and moving machines leave holes, and so do places that fewer than " +
        "three images show: fly with more overlap there.",
      images: [],
    },
  ];
}
