import type { Georeferencing, StockpileMeasurement } from "../../../domain/sites/measurement.ts";
import type { BaseChoice } from "../../../domain/sites/stockpile.ts";
import { isPlaced } from "../../epoch/align-survey.ts";
import { betweenFrames } from "../../geometry/similarity.ts";
import { resampleSurface } from "../../volume/alignment/resample-surface.ts";
import { fitBasePlane } from "../../volume/base/base-plane.ts";
import { type BaseSurface, levelBase } from "../../volume/base/base-surface.ts";
import { fitBaseTin } from "../../volume/base/base-tin.ts";
import type { StoredBase } from "./datum.ts";
import type { GroundSurvey } from "./ground-survey.ts";
import type { PlacedSurvey } from "./place-survey.ts";
import { openBase, storedBase } from "./stored-base.ts";

/** The base of a measurement. */
export interface MeasurementBase {
  readonly surface: BaseSurface;
  readonly stored: StoredBase;
  readonly from: StockpileMeasurement["base"]["from"];
}

/**
 * One standard deviation of heights that consumer receivers place, metres: what they call the altitude
 * differs by more from maker to maker (docs/photogrammetry.md#traps-of-real-images).
 */
export const GPS_HEIGHT_M = 3;

/**
 * The base of a choice by this epoch's ground; `undefined` when too little of it was measured.
 * @param georeferencing what places the frame
 * @param ground what a choice of `survey` names
 */
export function fitBase(
  choice: BaseChoice,
  placed: PlacedSurvey,
  georeferencing: Georeferencing,
  ground: GroundSurvey | undefined,
): MeasurementBase | undefined {
  const { surface, polygon, origin } = placed;
  switch (choice.method) {
    case "plane":
    case "tin": {
      const base =
        choice.method === "plane" ? fitBasePlane(surface, polygon) : fitBaseTin(surface, polygon);
      return base && { surface: base, stored: storedBase(base), from: "this_epoch" };
    }
    case "level": {
      const stored = storedBase(levelBase(choice.height_m - origin.heightM));
      return keptBase(stored, placed, georeferencing, ground);
    }
    case "survey": {
      const stored: StoredBase = { kind: "survey", surfaceKey: choice.surface_key };
      return keptBase(stored, placed, georeferencing, ground);
    }
  }
}

/**
 * The base that a datum keeps.
 * @param georeferencing what places the datum's frame
 * @throws Error when the ground that it names was not loaded
 */
export function keptBase(
  stored: StoredBase,
  { grid, origin }: Pick<PlacedSurvey, "grid" | "origin">,
  georeferencing: Georeferencing,
  ground: GroundSurvey | undefined,
): MeasurementBase {
  const surface = openBase(stored, () => {
    if (ground === undefined) throw new Error("the survey that is the base was not loaded");
    return resampleSurface(ground.dsm, grid, betweenFrames(ground.origin, origin));
  });
  if (stored.kind === "plane" || stored.kind === "tin") {
    return { surface, stored, from: "first_epoch" };
  }
  // Its height is as sure as those of the frame; a surveyed base was fitted to the frame.
  const isLoose = stored.kind === "level" && !isPlaced(georeferencing);
  return {
    surface: isLoose ? { ...surface, unevenM: GPS_HEIGHT_M } : surface,
    stored,
    from: "given",
  };
}
