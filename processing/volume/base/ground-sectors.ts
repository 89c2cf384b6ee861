import { MAD_TO_SIGMA, upperMedian } from "../../numeric/median.ts";
import type { RingCells } from "./ring-cells.ts";

/**
 * Sectors of a ring, equal in length: a quarter of a pile's width each, so that bends as large as the pile show
 * and the noise of single cells averages out. Fewer average bends away, more leave single cells to speak.
 */
const SECTORS = 12;
/** Cells that a sector counts with. More leaves sectors out beside walls, fewer lets single cells speak. */
const MIN_CELLS = 4;

/**
 * How unevenly the ground lies about a base at the size of the pile, metres: spread (normalised median
 * absolute value) of the sectors' median residuals. The part of a base's error that does not average
 * out; the spread of single cells also holds the noise of the surface, which does.
 * @param residualsM of each of the ring's cells about the base
 * @param counts which cells count, 1 or 0 each: not machines and spill
 */
export function sectorSpread(
  { alongM, perimeterM }: RingCells,
  residualsM: Float64Array,
  counts: Uint8Array,
): number {
  const sectors: number[][] = Array.from({ length: SECTORS }, () => []);
  for (const [i, residual] of residualsM.entries()) {
    if (counts[i] !== 1) continue;
    const sector = Math.floor((SECTORS * (alongM[i] ?? 0)) / perimeterM);
    sectors[Math.min(SECTORS - 1, sector)]?.push(residual);
  }
  const medians = sectors
    .filter((sector) => sector.length >= MIN_CELLS)
    .map((sector) => Math.abs(upperMedian(Float64Array.from(sector)) ?? 0));
  return MAD_TO_SIGMA * (upperMedian(Float64Array.from(medians)) ?? 0);
}
