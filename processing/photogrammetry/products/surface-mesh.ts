import { resampleElevation } from "../../grid/elevation-at.ts";
import type { GridFrame, HeightField } from "../../grid/elevation-grid.ts";

/** A surface as a net of triangles. */
export interface SurfaceMesh {
  /** Three numbers a vertex: east, up, south, metres. */
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** Two numbers a vertex, from the picture's upper left corner, 0 to 1. */
  readonly texcoords: Float32Array;
  /** Three vertices a triangle, counter-clockwise seen from above. */
  readonly indices: Uint32Array;
}

/**
 * The net of a surface, each edge at most `maxNodes` cells long: wider ones are resampled. Cells without data are
 * left out, not closed.
 * @param picture the ground that the texture covers
 */
export function surfaceMesh(
  surface: HeightField,
  picture: GridFrame,
  maxNodes: number,
): SurfaceMesh {
  const stride = Math.max(1, Math.ceil(Math.max(surface.width, surface.height) / maxNodes));
  const frame: GridFrame = {
    westM: surface.westM,
    northM: surface.northM,
    cellM: surface.cellM * stride,
    width: Math.max(1, Math.floor(surface.width / stride)),
    height: Math.max(1, Math.floor(surface.height / stride)),
  };
  const heights = stride === 1 ? surface.elevationM : resampleElevation(surface, frame);
  const { vertexOf, indices } = triangulate(heights, frame);
  const count = vertexOf.count;
  const positions = new Float32Array(count * 3);
  const normals = new Float32Array(count * 3);
  const texcoords = new Float32Array(count * 2);
  const pictureWidthM = picture.width * picture.cellM;
  const pictureHeightM = picture.height * picture.cellM;
  for (const [cell, vertex] of vertexOf.byCell.entries()) {
    if (vertex < 0) continue;
    const x = frame.westM + ((cell % frame.width) + 0.5) * frame.cellM;
    const y = frame.northM - (Math.floor(cell / frame.width) + 0.5) * frame.cellM;
    positions.set([x, heights[cell] ?? 0, -y], vertex * 3);
    normals.set(normalAt(heights, frame, cell), vertex * 3);
    const u = (x - picture.westM) / pictureWidthM;
    texcoords.set([u, (picture.northM - y) / pictureHeightM], vertex * 2);
  }
  return { positions, normals, texcoords, indices };
}

/** Two triangles between every four cells with data, one between three; cells in none get no vertex. */
function triangulate(
  heights: Float32Array,
  { width, height }: GridFrame,
): { vertexOf: { byCell: Int32Array; count: number }; indices: Uint32Array } {
  const indices: number[] = [];
  const byCell = new Int32Array(width * height).fill(-1);
  let count = 0;
  const vertex = (cell: number) => {
    const known = byCell[cell] ?? -1;
    if (known >= 0) return known;
    byCell[cell] = count;
    count += 1;
    return count - 1;
  };
  const triangle = (a: number, b: number, c: number) => {
    if (Number.isNaN((heights[a] ?? 0) + (heights[b] ?? 0) + (heights[c] ?? 0))) return;
    indices.push(vertex(a), vertex(b), vertex(c));
  };
  for (let row = 1; row < height; row += 1) {
    for (let col = 1; col < width; col += 1) {
      const se = row * width + col;
      const [sw, ne, nw] = [se - 1, se - width, se - width - 1];
      // The diagonal goes between the more alike heights: edges of blocks stay straight.
      const falling = Math.abs((heights[nw] ?? 0) - (heights[se] ?? 0));
      const rising = Math.abs((heights[ne] ?? 0) - (heights[sw] ?? 0));
      if (falling < rising || Number.isNaN(rising)) {
        triangle(nw, sw, se);
        triangle(nw, se, ne);
      } else {
        triangle(nw, sw, ne);
        triangle(ne, sw, se);
      }
    }
  }
  return { vertexOf: { byCell, count }, indices: Uint32Array.from(indices) };
}

/** Unit normal from the neighbours with data: east, up, south. */
function normalAt(
  heights: Float32Array,
  { width, height, cellM }: GridFrame,
  cell: number,
): number[] {
  const col = cell % width;
  const row = Math.floor(cell / width);
  const slope = (before: number | undefined, after: number | undefined) => {
    const z = heights[cell] ?? 0;
    const from = before === undefined ? Number.NaN : (heights[before] ?? Number.NaN);
    const to = after === undefined ? Number.NaN : (heights[after] ?? Number.NaN);
    if (Number.isNaN(from)) return Number.isNaN(to) ? 0 : (to - z) / cellM;
    return Number.isNaN(to) ? (z - from) / cellM : (to - from) / (2 * cellM);
  };
  const toEast = slope(col > 0 ? cell - 1 : undefined, col + 1 < width ? cell + 1 : undefined);
  const toSouth = slope(
    row > 0 ? cell - width : undefined,
    row + 1 < height ? cell + width : undefined,
  );
  const length = Math.hypot(toEast, 1, toSouth);
  return [-toEast / length, 1 / length, -toSouth / length];
}
