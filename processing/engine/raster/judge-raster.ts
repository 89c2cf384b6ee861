import type { GateFinding } from "../../photogrammetry/gates.ts";
import { rounded } from "../../photogrammetry/rounding.ts";

/** Heights rounded to less than this are as good as any, metres: a third of it is the noise of matching. */
const FINE_STEP_M = 0.1;

/** Warns of heights that were rounded; the interval of a volume holds what that leaves. */
export function judgeRounding(stepM: number): readonly GateFinding[] {
  if (stepM < FINE_STEP_M) return [];
  return [
    {
      gate: "SURFACE_STEPS",
      severity: "warn",
      value: rounded(stepM, 3),
      threshold: FINE_STEP_M,
      unit: "m between one height of the raster and the next",
      advice: "Its heights were rounded: give a raster of 32-bit floating point heights.",
      images: [],
    },
  ];
}

/** Warns of a raster that was too large to be read at its own cell. */
export function judgeReduction(cellM: number, step: number): readonly GateFinding[] {
  if (step === 1) return [];
  return [
    {
      gate: "SURFACE_REDUCED",
      severity: "warn",
      value: step,
      threshold: 1,
      unit: `cells of the raster in a row make one of ${rounded(cellM, 2)} m here`,
      advice:
        "The raster is too large to be read as a whole: draw the footprint, and only the ground around it is read, at full resolution.",
      images: [],
    },
  ];
}
