import type { HeightField } from "../../grid/elevation-grid.ts";
import { type PlanPolygon, polygonWeights } from "../../grid/polygon-weights.ts";

/**
 * Rise over run of a wall: 63 degrees. Piles lie at 33 to 38, a loader's face at 55; machines, containers and
 * buildings are steeper even where matching has smeared them over three cells.
 */
export const WALL_SLOPE = 2;
/**
 * How far matching moves a wall outwards, in ground sample distances, one standard deviation: windows that
 * see the top and the ground beside it take the top, and what lies in its shadow nobody sees. The kiosk of
 * Brighton Beach, 32 m2 of wall, holds 16 m3 more than in another program's cloud, scale taken off: 9 sample
 * distances all around, 1.5 of these (test/e2e/survey/brighton-kiosk.ts). Simulated piles have no walls.
 */
const SMEAR_GSD = 6;

/**
 * What walls within a footprint leave of a volume, cubic metres, one standard deviation: their area seen from
 * the side times the distance that they may be off. Nothing for heaps of loose material.
 */
export function wallSmear(surface: HeightField, polygon: PlanPolygon, gsdM: number): number {
  return wallAreaM2(surface, polygon) * SMEAR_GSD * gsdM;
}

/** Area of walls seen from the side: steps between cells to the east and to the south, put together. */
function wallAreaM2(surface: HeightField, polygon: PlanPolygon): number {
  const { width, height, cellM, elevationM } = surface;
  const inside = polygonWeights(surface, polygon);
  const heightAt = (row: number, col: number) =>
    row < 0 || col < 0 || row >= height || col >= width
      ? Number.NaN
      : (elevationM[row * width + col] ?? Number.NaN);
  let area = 0;
  for (let r = 0; r < inside.height; r += 1) {
    const row = inside.firstRow + r;
    for (let c = 0; c < inside.width; c += 1) {
      const share = inside.share[r * inside.width + c] ?? 0;
      if (share === 0) continue;
      const col = inside.firstCol + c;
      const here = heightAt(row, col);
      const east = Math.abs(heightAt(row, col + 1) - here);
      const south = Math.abs(heightAt(row + 1, col) - here);
      // Of a wall across the grid both steps show their part.
      const step = Math.hypot(east || 0, south || 0);
      if (step > WALL_SLOPE * cellM) area += share * step * cellM;
    }
  }
  return area;
}
