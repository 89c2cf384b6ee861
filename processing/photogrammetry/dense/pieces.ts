/**
 * Cells that hang together, four neighbours each, and may be one thing: `connects` says so of two
 * neighbours, by index. Calls `visit` with the cells of every such piece; the list is used again.
 */
export function forEachPiece(
  isMember: (cell: number) => boolean,
  connects: (a: number, b: number) => boolean,
  width: number,
  height: number,
  visit: (cells: readonly number[]) => void,
): void {
  const seen = new Uint8Array(width * height);
  for (let start = 0; start < seen.length; start += 1) {
    if (seen[start] === 1 || !isMember(start)) continue;
    seen[start] = 1;
    const piece = [start];
    for (let n = 0; n < piece.length; n += 1) {
      const cell = piece[n] ?? 0;
      const x = cell % width;
      const reach = (other: number, inside: boolean) => {
        if (!inside || seen[other] === 1 || !isMember(other) || !connects(cell, other)) return;
        seen[other] = 1;
        piece.push(other);
      };
      reach(cell - 1, x > 0);
      reach(cell + 1, x < width - 1);
      reach(cell - width, cell >= width);
      reach(cell + width, cell + width < seen.length);
    }
    visit(piece);
  }
}

/**
 * Takes away patches of height that stand alone: pieces of less than `minCells` cells whose heights
 * differ by more than `jumpM` from everything beside them (the peak filter of Hirschmueller 2008,
 * section 2.5). Changes `elevationM` (NaN = no data) in place.
 */
export function removeSpeckles(
  elevationM: Float32Array,
  width: number,
  height: number,
  minCells: number,
  jumpM: number,
): void {
  forEachPiece(
    (cell) => !Number.isNaN(elevationM[cell]),
    (a, b) => Math.abs((elevationM[a] ?? 0) - (elevationM[b] ?? 0)) <= jumpM,
    width,
    height,
    (cells) => {
      if (cells.length >= minCells) return;
      for (const cell of cells) elevationM[cell] = Number.NaN;
    },
  );
}
