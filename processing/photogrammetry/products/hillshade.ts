import type { HeightField } from "../ortho/depth-buffer.ts";

/** The lamps stand 30 degrees above the horizon: sine and cosine. */
const ALTITUDE_SINE = 0.5;
const ALTITUDE_COSINE = Math.sqrt(3) / 2;
/** Where the lamps stand, to the east and to the north: 225, 270, 315 and 360 degrees. */
const LAMPS = [225, 270, 315, 360].map((degrees) => {
  const azimuth = (degrees * Math.PI) / 180;
  return [Math.sin(azimuth), Math.cos(azimuth)] as const;
});
/** Slopes are drawn this much steeper: a pile's foot and a wheel's track are flat to the eye. Chosen. */
const EXAGGERATION = 2;

/**
 * Relief by lamps in the west and north, each weighted by how much it grazes the slope (Mark 1992, USGS
 * Open-File Report 92-422): no flank lies in the dark, whichever way it faces. Gradients by Horn (1981).
 * @returns 1 (dark) to 255 a cell, level ground is 128; 0 = no data
 */
export function hillshade({ width, height, cellM, elevationM }: HeightField): Uint8Array {
  const shades = new Uint8Array(width * height);
  const perMetre = EXAGGERATION / (8 * cellM);
  const window = new Float64Array(9);
  for (let row = 0; row < height; row += 1) {
    for (let col = 0; col < width; col += 1) {
      const centre = elevationM[row * width + col] ?? Number.NaN;
      if (Number.isNaN(centre)) continue;
      for (let k = 0; k < 9; k += 1) {
        const r = Math.min(height - 1, Math.max(0, row + Math.floor(k / 3) - 1));
        const c = Math.min(width - 1, Math.max(0, col + (k % 3) - 1));
        const z = elevationM[r * width + c] ?? Number.NaN;
        // A neighbour without data counts as level with the cell.
        window[k] = Number.isNaN(z) ? centre : z;
      }
      const w = (k: number) => window[k] ?? 0;
      const toEast = (w(2) + 2 * w(5) + w(8) - w(0) - 2 * w(3) - w(6)) * perMetre;
      const toNorth = (w(0) + 2 * w(1) + w(2) - w(6) - 2 * w(7) - w(8)) * perMetre;
      shades[row * width + col] = Math.max(1, Math.round(255 * shadeOf(toEast, toNorth)));
    }
  }
  return shades;
}

/** Light on a slope, 0 to 1, from its gradients. */
function shadeOf(toEast: number, toNorth: number): number {
  const steepness = Math.hypot(toEast, toNorth);
  if (steepness === 0) return ALTITUDE_SINE;
  const normal = 1 / Math.hypot(1, steepness);
  let light = 0;
  for (const [east, north] of LAMPS) {
    const facing = toEast * east + toNorth * north;
    // Squared sine of the angle between lamp and fall line; the four add up to 2.
    const grazing = ((toEast * north - toNorth * east) / steepness) ** 2;
    light += (grazing * Math.max(0, ALTITUDE_SINE - ALTITUDE_COSINE * facing) * normal) / 2;
  }
  return Math.min(1, light);
}
