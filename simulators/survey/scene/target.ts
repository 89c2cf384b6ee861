import type { SitePoint } from "../coordinates/place.ts";
import type { BandPicture } from "./stones.ts";

/** A control point's target: a square plate of two black and two white fields, its point in the middle. */
export interface Target extends SitePoint {
  readonly name: string;
}

/** Half the edge of the plate, metres; its sides run north and east. */
export const TARGET_HALF_M = 0.45;
const WHITE = 0.95;
const BLACK = 0.16;
/** Samples along an edge of a texel, so that the fields' edges do not alias. */
const SAMPLES = 4;

/** Paints the targets that touch a band. */
export function paintTargets(
  { texels, size, firstRow, rows }: BandPicture,
  { extentM, texelM }: { readonly extentM: number; readonly texelM: number },
  targets: readonly Target[],
): void {
  for (const { eastM, northM } of targets) {
    const x = eastM + extentM;
    const y = extentM - northM;
    const first = (edge: number) => Math.max(0, Math.floor((edge - TARGET_HALF_M) / texelM));
    const last = (edge: number) => Math.min(size - 1, Math.floor((edge + TARGET_HALF_M) / texelM));
    for (
      let row = Math.max(firstRow, first(y));
      row <= Math.min(firstRow + rows - 1, last(y));
      row += 1
    ) {
      for (let column = first(x); column <= last(x); column += 1) {
        let covered = 0;
        let light = 0;
        for (let k = 0; k < SAMPLES * SAMPLES; k += 1) {
          const dx = (column + ((k % SAMPLES) + 0.5) / SAMPLES) * texelM - x;
          const dy = (row + (Math.floor(k / SAMPLES) + 0.5) / SAMPLES) * texelM - y;
          if (Math.abs(dx) > TARGET_HALF_M || Math.abs(dy) > TARGET_HALF_M) continue;
          covered += 1;
          light += dx * dy > 0 ? WHITE : BLACK;
        }
        const share = covered / SAMPLES ** 2;
        const i = 3 * ((row - firstRow) * size + column);
        for (let c = 0; c < 3; c += 1) {
          texels[i + c] = (texels[i + c] ?? 0) * (1 - share) + light / SAMPLES ** 2;
        }
      }
    }
  }
}
