/** Cells of a raster that belong to something: 1 or 0 each, row-major, `width` a row. */
export interface CellMask {
  readonly width: number;
  readonly height: number;
  readonly cells: Uint8Array;
}

/** Adds every cell within so many cells of one that belongs, by distance. */
export function grown(mask: CellMask, byCells: number): CellMask {
  return { ...mask, cells: spread(mask, byCells, 1) };
}

/** Takes every cell within so many cells of one that does not belong; beyond the raster nothing does not. */
export function shrunk(mask: CellMask, byCells: number): CellMask {
  return { ...mask, cells: spread(mask, byCells, 0) };
}

function spread({ width, height, cells }: CellMask, byCells: number, value: number): Uint8Array {
  const reach = Math.floor(byCells);
  const steps: (readonly [number, number])[] = [];
  for (let r = -reach; r <= reach; r += 1) {
    for (let c = -reach; c <= reach; c += 1) {
      if (r * r + c * c <= byCells * byCells) steps.push([r, c]);
    }
  }
  const out = cells.slice();
  for (let row = 0; row < height; row += 1) {
    for (let col = 0; col < width; col += 1) {
      // Only the rim spreads: cells within have nothing to add.
      if (cells[row * width + col] !== value || !isRim(cells, width, height, row, col)) continue;
      for (const [down, right] of steps) {
        const [r, c] = [row + down, col + right];
        if (r >= 0 && c >= 0 && r < height && c < width) out[r * width + c] = value;
      }
    }
  }
  return out;
}

function isRim(cells: Uint8Array, width: number, height: number, row: number, col: number) {
  const at = row * width + col;
  const value = cells[at];
  return (
    (col > 0 && cells[at - 1] !== value) ||
    (col + 1 < width && cells[at + 1] !== value) ||
    (row > 0 && cells[at - width] !== value) ||
    (row + 1 < height && cells[at + width] !== value)
  );
}

/** Sets of belonging cells that share edges, in the order of their first cells. */
export function regionsOf({ width, cells }: CellMask): number[][] {
  const left = cells.slice();
  const regions: number[][] = [];
  for (let first = 0; first < left.length; first += 1) {
    if (left[first] !== 1) continue;
    left[first] = 0;
    const region = [first];
    for (let i = 0; i < region.length; i += 1) {
      const cell = region[i] ?? 0;
      for (const other of besides(cell, width, left.length)) {
        if (left[other] !== 1) continue;
        left[other] = 0;
        region.push(other);
      }
    }
    regions.push(region);
  }
  return regions;
}

/** The cells that share an edge with one. */
export function besides(cell: number, width: number, count: number): number[] {
  const col = cell % width;
  return [
    ...(col > 0 ? [cell - 1] : []),
    ...(col + 1 < width ? [cell + 1] : []),
    ...(cell >= width ? [cell - width] : []),
    ...(cell + width < count ? [cell + width] : []),
  ];
}

/** Closes holes: what does not belong and does not reach the raster's edge. */
export function withoutHoles(mask: CellMask): CellMask {
  const { width, height } = mask;
  const outside = { width, height, cells: mask.cells.map((cell) => 1 - cell) };
  const cells = mask.cells.slice();
  for (const region of regionsOf(outside)) {
    const touchesEdge = region.some((cell) => {
      const col = cell % width;
      return col === 0 || col === width - 1 || cell < width || cell >= width * (height - 1);
    });
    if (!touchesEdge) for (const cell of region) cells[cell] = 1;
  }
  return { width, height, cells };
}
