import { COST_STEPS } from "./cost.ts";

export interface PickedHeights {
  /** ENU, metres. */
  readonly elevationM: Float32Array;
  /** Correlation at the height chosen, -0.2 to 1. */
  readonly score: Float32Array;
  /** 1 where the height chosen is the lowest or highest one: the true one may lie beyond. */
  readonly isEnd: Uint8Array;
}

/** Chooses each cell's height where the aggregated cost is least. */
export function pickHeights(volume: {
  /** Costs and their aggregated sums, `padded` a cell of which the first `2 * steps + 1` count. */
  readonly cost: Uint16Array;
  readonly total: Uint16Array;
  readonly padded: number;
  readonly steps: number;
  readonly stepM: number;
  /** Height of the middle step, ENU metres. */
  readonly surface: Float32Array;
}): PickedHeights {
  const { cost, total, padded, steps, stepM, surface } = volume;
  const heights = 2 * steps + 1;
  const elevationM = new Float32Array(surface.length);
  const score = new Float32Array(surface.length);
  const isEnd = new Uint8Array(surface.length);
  for (let i = 0; i < surface.length; i += 1) {
    const first = i * padded;
    let best = 0;
    let least = total[first] ?? 0;
    for (let k = 1; k < heights; k += 1) {
      const value = total[first + k] ?? 0;
      if (value < least) {
        least = value;
        best = k;
      }
    }
    let offset = 0;
    if (best > 0 && best < heights - 1) {
      const below = total[first + best - 1] ?? 0;
      const above = total[first + best + 1] ?? 0;
      const bend = below - 2 * least + above;
      // The vertex of the parabola through the three sums, within half a step of the middle one.
      if (bend > 0) offset = (below - above) / (2 * bend);
    } else {
      isEnd[i] = 1;
    }
    elevationM[i] = (surface[i] ?? 0) + (best - steps + offset) * stepM;
    score[i] = 1 - (cost[first + best] ?? 0) / COST_STEPS;
  }
  return { elevationM, score, isEnd };
}
