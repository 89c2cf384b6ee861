import { blockMeans } from "../cells/blocks.ts";
import { LEAST_LIFT_M, type ZoneCells } from "../cells/zone-cells.ts";
import type { Detection } from "./detection.ts";

/** A cell that is nearer to its design than to its baseline counts as built where nothing else decides. */
const HALF = 0.5;

/**
 * Share of each cell's planned lift that is built (docs/progress-method.md#surfaces: done_i), beyond the zone's line as well;
 * NaN where nothing is planned, or something of the three surfaces is not known. Non-compensating: what is too much in one cell does not
 * pay for what lacks in another, so that shares end at 0 and 1.
 *
 * The gates, at both ends: a difference below the level of detection is none. But noise of one cell is far
 * larger than that of a mean over many, and a whole layer of fill may be thinner than it: so within the gate
 * a cell keeps its own share where the mean over its square differs from the baseline (or from the design) by
 * more than such means scatter (spatial coherence: Wheaton et al. 2010, section 3.3). There it is not cut off
 * at 0 and 1, for half of the noise would be lost and the mean with it.
 */
export function volumeDone(cells: ZoneCells, detection: Detection): Float32Array {
  const { frame, share, now, before, design } = cells;
  const { lodM, blockM, blockLodM, toleranceM, allowedM } = detection;
  const built = new Float32Array(now.length).fill(Number.NaN);
  const lacking = new Float32Array(now.length).fill(Number.NaN);
  for (let i = 0; i < now.length; i += 1) {
    const lift = (design[i] ?? Number.NaN) - (before[i] ?? Number.NaN);
    if (!(Math.abs(lift) >= LEAST_LIFT_M)) continue;
    // Along the lift: fill and cut alike.
    const sign = Math.sign(lift);
    built[i] = sign * ((now[i] ?? Number.NaN) - (before[i] ?? 0));
    lacking[i] = sign * ((design[i] ?? 0) - (now[i] ?? Number.NaN));
  }
  const inZone = (values: Float32Array) =>
    values.map((value, i) => ((share[i] ?? 0) > 0 ? value : Number.NaN));
  const builtMeans = blockMeans(frame, inZone(built), blockM);
  const lackingMeans = blockMeans(frame, inZone(lacking), blockM);
  const shortM = Math.max(blockLodM, allowedM);
  return built.map((builtM, i) => {
    const lackingM = lacking[i] ?? Number.NaN;
    if (Number.isNaN(builtM)) return Number.NaN;
    const ratio = builtM / (builtM + lackingM);
    const isAtStart = Math.abs(builtM) < lodM;
    const isAtEnd = Math.abs(lackingM) <= toleranceM;
    if (!isAtStart && !isAtEnd) return Math.min(1, Math.max(0, ratio));
    const hasChanged = Math.abs(builtMeans.of(i)) > blockLodM;
    const isShort = lackingMeans.of(i) > shortM;
    if (isAtStart && isAtEnd) {
      if (hasChanged === isShort) return hasChanged ? ratio : Number(ratio >= HALF);
      return Number(hasChanged);
    }
    if (isAtStart) return hasChanged ? ratio : 0;
    return isShort ? ratio : 1;
  });
}

/**
 * Whether each cell is within tolerance of its design, 1 or 0 (the area metric of docs/progress-method.md#surfaces); NaN
 * where nothing is planned, or something of the three surfaces is not known.
 */
export function areaDone(cells: ZoneCells, { toleranceM }: Detection): Float32Array {
  const { now, before, design } = cells;
  return now.map((z, i) => {
    const planned = design[i] ?? Number.NaN;
    const isPlanned = Math.abs(planned - (before[i] ?? Number.NaN)) >= LEAST_LIFT_M;
    if (!isPlanned || Number.isNaN(z)) return Number.NaN;
    return Number(Math.abs(z - planned) <= toleranceM);
  });
}
