import { LEAST_LIFT_M, type ZoneCells } from "../cells/zone-cells.ts";
import type { Detection } from "./detection.ts";

/** What is planned of a zone, whether this flight saw it or not. */
export interface PlannedWork {
  /** Area with a planned lift, square metres, and that lift's volume, cubic metres, up or down. */
  readonly areaM2: number;
  readonly volumeM3: number;
  /** Mean size of the lift, metres; 0: nothing is planned. */
  readonly meanLiftM: number;
}

/** Sums over the cells of a zone with a planned lift. */
export function plannedWork({ frame, share, before, design }: ZoneCells): PlannedWork {
  const cellM2 = frame.cellM ** 2;
  let [area, volume] = [0, 0];
  for (let i = 0; i < share.length; i += 1) {
    const lift = Math.abs((design[i] ?? Number.NaN) - (before[i] ?? Number.NaN));
    if (!((share[i] ?? 0) > 0 && lift >= LEAST_LIFT_M)) continue;
    area += share[i] ?? 0;
    volume += lift * (share[i] ?? 0);
  }
  return {
    areaM2: area * cellM2,
    volumeM3: volume * cellM2,
    meanLiftM: area === 0 ? 0 : volume / area,
  };
}

/** How much of what was seen is done. */
export interface DoneWork {
  /** 0 to 1, by volume or area; NaN: nothing was seen. */
  readonly share: number;
  /** Of what was seen: area, square metres, and planned volume, cubic metres. */
  readonly areaM2: number;
  readonly volumeM3: number;
  /** Standard deviation of the cells' shares about `share`. */
  readonly spread: number;
}

/**
 * Mean of the cells' shares, by planned volume (percent of docs/progress-method.md#surfaces) or by area.
 * @param done of each cell; NaN = not seen, or not planned
 * @param weights share of each cell that counts, 0 to 1: the zone's, moved or without its rim
 */
export function doneWork(
  { frame, before, design }: ZoneCells,
  done: Float32Array,
  weights: Float32Array,
  by: "volume" | "area",
): DoneWork {
  let [area, volume, total, sum, squares] = [0, 0, 0, 0, 0];
  for (let i = 0; i < done.length; i += 1) {
    const cell = weights[i] ?? 0;
    const value = done[i] ?? Number.NaN;
    if (cell === 0 || Number.isNaN(value)) continue;
    const lift = Math.abs((design[i] ?? 0) - (before[i] ?? 0));
    const weight = by === "volume" ? cell * lift : cell;
    area += cell;
    volume += cell * lift;
    total += weight;
    sum += weight * value;
    squares += weight * value * value;
  }
  const cellM2 = frame.cellM ** 2;
  const share = sum / total;
  return {
    share: Math.min(1, Math.max(0, share)),
    areaM2: area * cellM2,
    volumeM3: volume * cellM2,
    spread: Math.sqrt(Math.max(0, squares / total - share * share)),
  };
}

/** What the percent leaves out, reported beside it. */
export interface BesidePercent {
  /** Above the design where the plan rises, beyond tolerance, cubic metres. */
  readonly overbuildM3: number;
  /** Below the design where the plan falls. */
  readonly undercutM3: number;
  /** Against the plan: below the baseline of a fill, above that of a cut, beyond the level of detection. */
  readonly wrongWayM3: number;
  /** Change that the gate did not count, cubic metres along the plan: too little to be distinguished from noise. */
  readonly gatedM3: number;
  /** Share of the seen area with a planned lift that is within tolerance of the design, 0 to 1. */
  readonly atDesign: number;
}

/**
 * @param done of each cell, see `volumeDone`
 * @param weights of the cells that decide whether the design is reached: without the rim
 */
export function besidePercent(
  { frame, share, now, before, design }: ZoneCells,
  done: Float32Array,
  weights: Float32Array,
  { lodM, toleranceM }: Detection,
): BesidePercent {
  let [over, under, wrong, gated, area, within] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < done.length; i += 1) {
    const value = done[i] ?? Number.NaN;
    const cell = share[i] ?? 0;
    if (cell === 0 || Number.isNaN(value)) continue;
    const sign = Math.sign((design[i] ?? 0) - (before[i] ?? 0));
    const beyond = sign * ((now[i] ?? 0) - (design[i] ?? 0));
    const built = sign * ((now[i] ?? 0) - (before[i] ?? 0));
    area += weights[i] ?? 0;
    if (Math.abs(beyond) <= toleranceM) within += weights[i] ?? 0;
    else if (beyond > 0 && sign > 0) over += cell * beyond;
    else if (beyond > 0) under += cell * beyond;
    if (built < -lodM) wrong -= cell * built;
    if (value === 0 && Math.abs(built) < lodM) gated += cell * built;
  }
  const cellM2 = frame.cellM ** 2;
  return {
    overbuildM3: over * cellM2,
    undercutM3: under * cellM2,
    wrongWayM3: wrong * cellM2,
    gatedM3: gated * cellM2,
    atDesign: area === 0 ? 0 : within / area,
  };
}
