import type { Reconstruction } from "../reconstruction.ts";

/**
 * What the survey's heights are above, as far as anybody can know; goes behind "heights ...".
 * @param heightDatum what a given surface says of its own
 */
export function heightSystem(
  reconstruction: Reconstruction | undefined,
  heightDatum?: string | undefined,
): string {
  const from = reconstruction?.summary.scaleFrom;
  if (from === undefined) {
    return heightDatum === undefined
      ? "as the given surface has them; it does not say what they count from"
      : `as the given surface has them, ${heightDatum}`;
  }
  if (from === "control_points") return "in the height system of the control points";
  if (from === "rtk") return "as the RTK receiver gives them (usually above the WGS 84 ellipsoid)";
  return (
    "relative: differences within the survey hold, the datum is whatever the images' altitudes " +
    "are above (ellipsoid, sea or take-off, by maker)"
  );
}
