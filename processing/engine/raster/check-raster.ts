import type { CoordinateSystem } from "../../coordinates/coordinate-system.ts";
import { shiftWarning } from "../../coordinates/shift-warning.ts";
import type { GateFinding } from "../../gates/gates.ts";
import { rounded } from "../../numeric/rounding.ts";

/** Heights rounded to less than this are as good as any, metres: a third of it is the noise of matching. */
const FINE_STEP_M = 0.1;

/** Places that are better than this are as good as a map, metres. */
const SURE_PLACE_M = 1;
/** Datums lie up to this from WGS 84, metres: the order of the largest shifts of the EPSG Dataset. */
const UNKNOWN_SHIFT_M = 500;

/** Warns of heights that were rounded; the interval of a volume holds what that leaves. */
export function checkRounding(stepM: number): readonly GateFinding[] {
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
export function checkReduction(cellM: number, step: number): readonly GateFinding[] {
  if (step === 1) return [];
  return [
    {
      gate: "SURFACE_REDUCED",
      severity: "warn",
      value: step,
      threshold: 1,
      unit: `cells of the raster in a row make one of ${rounded(cellM, 2)} m here`,
      advice:
        "The raster is too large to be read as a whole: draw the footprint or the zones, and only the ground around them is read, at full resolution.",
      images: [],
    },
  ];
}

/** Warns of a coordinate system whose relation to WGS 84 is rough, so that a footprint may lie beside. */
export function checkPlace(system: CoordinateSystem): readonly GateFinding[] {
  const warning = shiftWarning(system);
  if (warning === undefined) return [];
  const { accuracyM } = system.shift;
  return [
    {
      gate: "SURFACE_PLACE",
      severity: "warn",
      value: accuracyM ?? UNKNOWN_SHIFT_M,
      threshold: SURE_PLACE_M,
      unit: "m by which places may be off",
      advice: `In the raster, ${warning}. Its volumes are not affected, what is drawn on a map may be.`,
      images: [],
    },
  ];
}
