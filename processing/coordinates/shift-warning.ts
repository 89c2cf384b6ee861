import type { CoordinateSystem } from "./coordinate-system.ts";

/** Shifts by parameters that are worse than this are said, metres: a footprint drawn on a map is not better. */
const SAID_M = 5;

/** What a system loses on the way to WGS 84, as a sentence; `undefined`: nothing that matters. */
export function shiftWarning({ name, shift }: CoordinateSystem): string | undefined {
  const { by, accuracyM, missingGrids } = shift;
  const grids = missingGrids.join(" or ");
  if (by === "unknown") {
    const without = grids === "" ? "" : ` without the grid ${grids}`;
    return `the relation of ${name} to WGS 84 is not known${without}: places may be off by hundreds of metres`;
  }
  const about = accuracyM === undefined ? "some metres" : `about ${accuracyM} m`;
  if (grids !== "") {
    return `${name} is brought to WGS 84 without the grid ${grids}: places are good to ${about}`;
  }
  return (accuracyM ?? 0) > SAID_M
    ? `${name} is brought to WGS 84 by parameters: places are good to ${about}`
    : undefined;
}
