import type { HeightField } from "../grid/elevation-grid.ts";

/** The lamps are 30 degrees above the horizon: sine and cosine. */
const ALTITUDE_SINE = 0.5;
const ALTITUDE_COSINE = Math.sqrt(3) / 2;
/** Directions of the lamps, to the east and to the north: 225, 270, 315 and 360 degrees. */
const LAMPS = [225, 270, 315, 360].map((degrees) => {
  const azimuth = (degrees * Math.PI) / 180;
  return [Math.sin(azimuth), Math.cos(azimuth)] as const;
});
/**
 * Slopes are drawn this much steeper: a pile's foot and a wheel's track are flat to the eye. More makes stones
 * look like heaps.
 */
const EXAGGERATION = 2;

/**
 * Relief by lamps in the west and north, each weighted by how much it grazes the slope (Mark 1992, USGS
 * Open-File Report 92-422): no flank lies in the dark, whichever way it faces. Gradients by Horn (1981).
 * @returns 1 (dark) to 255 a cell, level ground is 128; 0 = no data
 */
export function hillshade({ width, height, cellM, elevationM }: HeightField): Uint8Array {
  const shades = new Uint8Array(width * height);
  const perMetre = EXAGGERATION / (8 * cellM);
  let centre = 0;
  // A neighbour without data counts as level with the cell.
  const at = (i: number): number => {
    const z = elevationM[i] ?? Number.NaN;
    return Number.isNaN(z) ? centre : z;
  };
  for (let row = 0; row < height; row += 1) {
    const above = row > 0 ? -width : 0;
    const below = row + 1 < height ? width : 0;
    for (let col = 0; col < width; col += 1) {
      const i = row * width + col;
      centre = elevationM[i] ?? Number.NaN;
      if (Number.isNaN(centre)) continue;
      const left = col > 0 ? i - 1 : i;
      const right = col + 1 < width ? i + 1 : i;
      const northWest = at(left + above);
      const northEast = at(right + above);
      const southWest = at(left + below);
      const southEast = at(right + below);
      const eastward = northEast + 2 * at(right) + southEast - northWest - 2 * at(left) - southWest;
      const northward =
        northWest + 2 * at(i + above) + northEast - southWest - 2 * at(i + below) - southEast;
      const toEast = eastward * perMetre;
      const toNorth = northward * perMetre;
      shades[i] = Math.max(1, Math.round(255 * shadeOf(toEast, toNorth)));
    }
  }
  return shades;
}

/** Light on a slope, 0 to 1, from its gradients. */
function shadeOf(toEast: number, toNorth: number): number {
  // Math.hypot takes twenty times as long, and no slope overflows.
  const steepness = Math.sqrt(toEast * toEast + toNorth * toNorth);
  if (steepness === 0) return ALTITUDE_SINE;
  const normal = 1 / Math.sqrt(1 + steepness * steepness);
  let light = 0;
  for (const [east, north] of LAMPS) {
    const facing = toEast * east + toNorth * north;
    // Squared sine of the angle between lamp and fall line; the four add up to 2.
    const sine = (toEast * north - toNorth * east) / steepness;
    light += (sine * sine * Math.max(0, ALTITUDE_SINE - ALTITUDE_COSINE * facing) * normal) / 2;
  }
  return Math.min(1, light);
}
