import type { RowRange, TrackFixes } from "./track-fixes.ts";

/** The stretches of a track whose fixes were all received late, ascending; a new piece begins a new one. O(n). */
export function lateStretches(
  { latesS }: Pick<TrackFixes, "latesS">,
  pieces: readonly RowRange[],
): readonly RowRange[] {
  const stretches: RowRange[] = [];
  for (const { start, end } of pieces) {
    let from = -1;
    for (let row = start; row <= end; row += 1) {
      const isLate = row < end && !Number.isNaN(latesS[row]);
      if (isLate && from < 0) from = row;
      if (isLate || from < 0) continue;
      stretches.push({ start: from, end: row });
      from = -1;
    }
  }
  return stretches;
}
