import { createEnuFrame, type SurveyOrigin } from "../../../geometry/enu.ts";
import { betweenFrames } from "../../../geometry/similarity.ts";
import { coarser } from "../../../grid/coarser-surface.ts";
import { elevationAt } from "../../../grid/elevation-at.ts";
import type { HeightField } from "../../../grid/elevation-grid.ts";
import { heightThrough } from "../../../volume/alignment/height-through.ts";
import type { TinSurface } from "../../landxml/tin-file.ts";

/** Heights by place in plan of the datum's frame, metres; NaN = not known there. */
export type HeightAt = (x: number, y: number) => number;

/** Mean radius of curvature of WGS 84, metres; its change with latitude is 0.3 % of centimetres here. */
const EARTH_M = 6_371_000;

/** One height above whatever the survey's heights are above: the ellipsoid falls away from the tangent plane. */
export const levelAt =
  (heightM: number, origin: SurveyOrigin): HeightAt =>
  (x, y) =>
    heightM - origin.heightM - (x * x + y * y) / (2 * EARTH_M);

/** A surface on a grid of the datum. */
export const gridAt =
  (surface: HeightField): HeightAt =>
  (x, y) =>
    elevationAt(surface, x, y);

/** A raster in a frame of its own. @param cellM of what is asked for: smaller cells are gathered */
export function rasterAt(
  dsm: HeightField,
  from: SurveyOrigin,
  to: SurveyOrigin,
  cellM: number,
): HeightAt {
  const surface = dsm.cellM * 2 <= cellM ? coarser(dsm, cellM / 2) : dsm;
  const heightAt = heightThrough(surface, betweenFrames(from, to));
  return (x, y) => heightAt(x, y, Number.NaN);
}

/**
 * Squares of the index of a triangulated surface, along one side at most. More cost memory where triangles are
 * large, fewer make each look-up try more triangles.
 */
const MOST_SQUARES = 512;
/** Barycentric coordinates below it lie outside: rounding along shared edges. */
const INSIDE = -1e-9;

/**
 * A triangulated surface in the frame of a datum; not known beyond its rim. Triangles are found by the
 * squares that their boxes touch.
 */
export function tinAt(tin: TinSurface, origin: SurveyOrigin): HeightAt {
  const triangles = tin.faces;
  const vertices = enuVertices(tin, origin);
  const count = Math.floor(triangles.length / 3);
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let v = 0; v < vertices.length; v += 3) {
    west = Math.min(west, vertices[v] ?? 0);
    east = Math.max(east, vertices[v] ?? 0);
    south = Math.min(south, vertices[v + 1] ?? 0);
    north = Math.max(north, vertices[v + 1] ?? 0);
  }
  const side = Math.max(1, Math.min(MOST_SQUARES, Math.ceil(Math.sqrt(count))));
  const columnOf = (x: number) => squareOf((x - west) / (east - west), side);
  const rowOf = (y: number) => squareOf((y - south) / (north - south), side);
  const squares = new Map<number, number[]>();
  for (let t = 0; t < count; t += 1) {
    const corners = [0, 1, 2].map((k) => 3 * (triangles[3 * t + k] ?? 0));
    const xs = corners.map((at) => vertices[at] ?? 0);
    const ys = corners.map((at) => vertices[at + 1] ?? 0);
    const lastRow = rowOf(Math.max(...ys));
    const lastColumn = columnOf(Math.max(...xs));
    for (let row = rowOf(Math.min(...ys)); row <= lastRow; row += 1) {
      for (let column = columnOf(Math.min(...xs)); column <= lastColumn; column += 1) {
        const square = row * side + column;
        const listed = squares.get(square);
        if (listed === undefined) squares.set(square, [t]);
        else listed.push(t);
      }
    }
  }
  const heightIn = (triangle: number, x: number, y: number): number => {
    const corner = (k: number) => 3 * (triangles[3 * triangle + k] ?? 0);
    const [a, b, c] = [corner(0), corner(1), corner(2)];
    const [ax, ay] = [(vertices[a] ?? 0) - x, (vertices[a + 1] ?? 0) - y];
    const [bx, by] = [(vertices[b] ?? 0) - x, (vertices[b + 1] ?? 0) - y];
    const [cx, cy] = [(vertices[c] ?? 0) - x, (vertices[c + 1] ?? 0) - y];
    const wa = bx * cy - by * cx;
    const wb = cx * ay - cy * ax;
    const wc = ax * by - ay * bx;
    const sum = wa + wb + wc;
    if (!(Math.min(wa / sum, wb / sum, wc / sum) >= INSIDE)) return Number.NaN;
    const [za, zb, zc] = [vertices[a + 2] ?? 0, vertices[b + 2] ?? 0, vertices[c + 2] ?? 0];
    return (wa * za + wb * zb + wc * zc) / sum;
  };
  return (x, y) => {
    if (!(x >= west && x <= east && y >= south && y <= north)) return Number.NaN;
    for (const triangle of squares.get(rowOf(y) * side + columnOf(x)) ?? []) {
      const z = heightIn(triangle, x, y);
      if (!Number.isNaN(z)) return z;
    }
    return Number.NaN;
  };
}

/** x, y, z of each vertex in turn. */
function enuVertices({ lonDeg, latDeg, heightM }: TinSurface, origin: SurveyOrigin): Float64Array {
  const frame = createEnuFrame(origin);
  const vertices = new Float64Array(lonDeg.length * 3);
  for (let v = 0; v < lonDeg.length; v += 1) {
    const [lon, lat, height] = [lonDeg[v] ?? 0, latDeg[v] ?? 0, heightM[v] ?? 0];
    vertices.set(frame.toEnu({ lonDeg: lon, latDeg: lat, heightM: height }), v * 3);
  }
  return vertices;
}

function squareOf(share: number, side: number): number {
  // A surface without extent along an axis has one row of squares.
  return Number.isFinite(share) ? Math.min(side - 1, Math.max(0, Math.floor(share * side))) : 0;
}
