import type { HeightField } from "../grid/elevation-grid.ts";

/** The lamps are 30 degrees above the horizon: sine and cosine. */
const ALTITUDE_SINE = 0.5;
const ALTITUDE_COSINE = Math.sqrt(3) / 2;
/** Directions of the lamps, to the east and to the north: 225, 270, 315 and 360 degrees. */
const [[E_225, N_225], [E_270, N_270], [E_315, N_315], [E_360, N_360]] = [
  directionOf(225),
  directionOf(270),
  directionOf(315),
  directionOf(360),
];
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
  for (let row = 0; row < height; row += 1) {
    const above = row > 0 ? -width : 0;
    const below = row + 1 < height ? width : 0;
    for (let col = 0; col < width; col += 1) {
      const i = row * width + col;
      const centre = elevationM[i] ?? Number.NaN;
      if (Number.isNaN(centre)) continue;
      const left = col > 0 ? i - 1 : i;
      const right = col + 1 < width ? i + 1 : i;
      let northWest = elevationM[left + above] ?? 0;
      let north = elevationM[i + above] ?? 0;
      let northEast = elevationM[right + above] ?? 0;
      let west = elevationM[left] ?? 0;
      let east = elevationM[right] ?? 0;
      let southWest = elevationM[left + below] ?? 0;
      let south = elevationM[i + below] ?? 0;
      let southEast = elevationM[right + below] ?? 0;
      let eastward = northEast + 2 * east + southEast - northWest - 2 * west - southWest;
      let northward = northWest + 2 * north + northEast - southWest - 2 * south - southEast;
      if (Number.isNaN(eastward + northward)) {
        // A neighbour without data counts as level with the cell.
        if (Number.isNaN(northWest)) northWest = centre;
        if (Number.isNaN(north)) north = centre;
        if (Number.isNaN(northEast)) northEast = centre;
        if (Number.isNaN(west)) west = centre;
        if (Number.isNaN(east)) east = centre;
        if (Number.isNaN(southWest)) southWest = centre;
        if (Number.isNaN(south)) south = centre;
        if (Number.isNaN(southEast)) southEast = centre;
        eastward = northEast + 2 * east + southEast - northWest - 2 * west - southWest;
        northward = northWest + 2 * north + northEast - southWest - 2 * south - southEast;
      }
      const shade = shadeOf(eastward * perMetre, northward * perMetre);
      shades[i] = Math.max(1, Math.round(255 * shade));
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
  // One by one: a loop over the four takes twice as long.
  const light =
    lightOf(toEast, toNorth, steepness, normal, E_225, N_225) +
    lightOf(toEast, toNorth, steepness, normal, E_270, N_270) +
    lightOf(toEast, toNorth, steepness, normal, E_315, N_315) +
    lightOf(toEast, toNorth, steepness, normal, E_360, N_360);
  return Math.min(1, light);
}

/** Light of a lamp, by its direction. */
function lightOf(
  toEast: number,
  toNorth: number,
  steepness: number,
  normal: number,
  lampEast: number,
  lampNorth: number,
): number {
  const facing = toEast * lampEast + toNorth * lampNorth;
  // Squared sine of the angle between lamp and fall line; the four add up to 2.
  const sine = (toEast * lampNorth - toNorth * lampEast) / steepness;
  return (sine * sine * Math.max(0, ALTITUDE_SINE - ALTITUDE_COSINE * facing) * normal) / 2;
}

function directionOf(degrees: number): readonly [east: number, north: number] {
  const azimuth = (degrees * Math.PI) / 180;
  return [Math.sin(azimuth), Math.cos(azimuth)];
}
