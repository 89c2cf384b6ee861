import type { ZoneCells } from "../../../../processing/progress/flight/cells/zone-cells.ts";

/** A row of cells of 1 m that lie wholly in their zone. */
export function rowOfCells(
  cells: readonly {
    readonly now: number;
    readonly before?: number;
    readonly design: number;
    readonly share?: number;
  }[],
): ZoneCells {
  const column = (of: (cell: (typeof cells)[number]) => number) => Float32Array.from(cells, of);
  return {
    frame: { westM: 0, northM: 0, cellM: 1, width: cells.length, height: 1 },
    share: column(({ share = 1 }) => share),
    now: column(({ now }) => now),
    before: column(({ before = 0 }) => before),
    design: column(({ design }) => design),
  };
}
