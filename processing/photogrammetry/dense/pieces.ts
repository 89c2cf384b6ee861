/**
 * Cells that hang together, four neighbours each, and may be one thing: `connects` says so of two
 * neighbours, by index. Calls `visit` with the cells of every such piece.
 */
export function forEachPiece(
  isMember: (cell: number) => boolean,
  connects: (a: number, b: number) => boolean,
  width: number,
  height: number,
  visit: (cells: readonly number[]) => void,
): void {
  const seen = new Uint8Array(width * height);
  let piece: number[] = [];
  const reach = (from: number, cell: number) => {
    if (seen[cell] === 1 || !isMember(cell) || !connects(from, cell)) return;
    seen[cell] = 1;
    piece.push(cell);
  };
  for (let start = 0; start < seen.length; start += 1) {
    if (seen[start] === 1 || !isMember(start)) continue;
    seen[start] = 1;
    piece = [start];
    for (let n = 0; n < piece.length; n += 1) {
      const cell = piece[n] ?? 0;
      const x = cell % width;
      if (x > 0) reach(cell, cell - 1);
      if (x < width - 1) reach(cell, cell + 1);
      if (cell >= width) reach(cell, cell - width);
      if (cell + width < seen.length) reach(cell, cell + width);
    }
    visit(piece);
  }
}

/**
 * Removes isolated patches of height: pieces of less than `minCells` cells whose heights differ by more than
 * `jumpM` from everything beside them (the peak filter of Hirschmueller 2008, section 2.5). Changes
 * `elevationM` (NaN = no data) in place.
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
