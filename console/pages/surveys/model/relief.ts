/** A raster of map tiles that together show a survey. */
export interface TileGrid {
  readonly zoom: number;
  readonly columns: readonly number[];
  readonly rows: readonly number[];
}

interface Edges {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Tiles along an edge at most: four of 256 pixels fill the place of a picture. */
const MOST = 4;

/** The deepest zoom at which a survey needs few tiles (web mercator), of those that it has. */
export function tileGrid(
  edges: Edges,
  zooms: { readonly min_zoom: number; readonly max_zoom: number },
): TileGrid {
  for (let zoom = zooms.max_zoom; ; zoom -= 1) {
    const columns = between(columnOf(edges.west, zoom), columnOf(edges.east, zoom));
    const rows = between(rowOf(edges.north, zoom), rowOf(edges.south, zoom));
    const isSmall = columns.length <= MOST && rows.length <= MOST;
    if (isSmall || zoom <= zooms.min_zoom) return { zoom, columns, rows };
  }
}

const columnOf = (lonDeg: number, zoom: number): number =>
  Math.floor(((lonDeg + 180) / 360) * 2 ** zoom);

function rowOf(latDeg: number, zoom: number): number {
  const lat = (latDeg * Math.PI) / 180;
  const share = (1 - Math.asinh(Math.tan(lat)) / Math.PI) / 2;
  return Math.floor(share * 2 ** zoom);
}

const between = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);
