import type { GridFrame, HeightField } from "../../../grid/elevation-grid.ts";
import { fillGaps } from "../../../grid/fill-gaps.ts";
import { upperMedian } from "../../../numeric/median.ts";
import { type ClothGround, climbSlopes, layCloth } from "./cloth.ts";

/** The ground without what stands on it. */
export interface Terrain extends HeightField {
  /** 1: the cell of the surface is ground; 0: it stands on the ground, or is not known. */
  readonly isGround: Uint8Array;
}

/** Distance of the cloth's nodes, metres: about half the width of what is to be spanned. */
const NODE_M = 0.5;
/** The distance in cells of the surface at least: the median of fewer cells keeps their noise. */
const NODE_CELLS = 3;
/**
 * Steepest ground, as a tangent: loose material lies at 30 to 40 degrees, so a pile's flank is climbed;
 * walls, cabs and trunks are steeper. A larger value lets cars in, a smaller one cuts off piles.
 */
const STEEPEST = 1;
/** A cell is ground up to this far from the cloth, metres, and in distances of its nodes. */
const GROUND_M = 0.2;
const GROUND_NODES = 0.4;
/** Rounds that even out the ground below what was taken off. */
const EVENING_ROUNDS = 60;

/**
 * The terrain of a surface by cloth simulation. **Piles are ground**: heaps, banks and pits of loose
 * material are what a site's terrain consists of, and their contours are wanted. What has walls is not:
 * buildings, containers, machines, most trees. Below it the terrain is filled in from around; cells that
 * the surface does not know stay unknown.
 */
export function terrainOf(surface: HeightField): Terrain {
  const { width, height, cellM, elevationM } = surface;
  const edge = Math.max(NODE_CELLS, Math.round(NODE_M / cellM));
  const ground = nodeHeights(surface, edge);
  const nodeM = edge * cellM;
  const isGround = new Uint8Array(width * height);
  if (ground === undefined)
    return { ...frameOf(surface), elevationM: elevationM.slice(), isGround };
  const cloth = layCloth(ground);
  climbSlopes(cloth, ground, STEEPEST * nodeM);
  const tolerance = Math.max(GROUND_M, GROUND_NODES * nodeM);
  const bare = new Float32Array(width * height).fill(Number.NaN);
  for (let row = 0; row < height; row += 1) {
    for (let col = 0; col < width; col += 1) {
      const i = row * width + col;
      const z = elevationM[i] ?? Number.NaN;
      const clothZ = between(cloth.heightM, ground, (col + 0.5) / edge, (row + 0.5) / edge);
      if (!(Math.abs(z - clothZ) <= tolerance)) continue;
      isGround[i] = 1;
      bare[i] = z;
    }
  }
  const filled = fillGaps(bare, width, height);
  evenOut(filled, elevationM, isGround, width, height);
  for (let i = 0; i < filled.length; i += 1) {
    if (Number.isNaN(elevationM[i] ?? Number.NaN)) filled[i] = Number.NaN;
  }
  return { ...frameOf(surface), elevationM: filled, isGround };
}

const frameOf = ({ westM, northM, cellM, width, height }: GridFrame): GridFrame => ({
  ...{ westM, northM, cellM, width, height },
});

/** Median height of the cells around each node; `undefined`: no cell is known. */
function nodeHeights(surface: HeightField, edge: number): ClothGround | undefined {
  const width = Math.ceil(surface.width / edge);
  const height = Math.ceil(surface.height / edge);
  const heightM = new Float32Array(width * height).fill(Number.NaN);
  const found: number[] = [];
  let known = 0;
  for (let row = 0; row < height; row += 1) {
    for (let col = 0; col < width; col += 1) {
      found.length = 0;
      for (let j = row * edge; j < Math.min(surface.height, (row + 1) * edge); j += 1) {
        for (let i = col * edge; i < Math.min(surface.width, (col + 1) * edge); i += 1) {
          const z = surface.elevationM[j * surface.width + i] ?? Number.NaN;
          if (!Number.isNaN(z)) found.push(z);
        }
      }
      if (found.length === 0) continue;
      known += 1;
      heightM[row * width + col] = upperMedian(found) ?? Number.NaN;
    }
  }
  if (known === 0) return undefined;
  return { heightM: fillGaps(heightM, width, height), width, height };
}

/** Bilinear between nodes; the middle of the first one is at (0.5, 0.5). */
function between(
  values: Float32Array,
  { width, height }: ClothGround,
  across: number,
  down: number,
): number {
  const left = Math.min(Math.max(0, width - 2), Math.max(0, Math.floor(across - 0.5)));
  const top = Math.min(Math.max(0, height - 2), Math.max(0, Math.floor(down - 0.5)));
  const right = Math.min(width - 1, left + 1);
  const bottom = Math.min(height - 1, top + 1);
  const fx = Math.min(1, Math.max(0, across - 0.5 - left));
  const fy = Math.min(1, Math.max(0, down - 0.5 - top));
  const at = (row: number, col: number) => values[row * width + col] ?? 0;
  const upper = at(top, left) * (1 - fx) + at(top, right) * fx;
  const lower = at(bottom, left) * (1 - fx) + at(bottom, right) * fx;
  return upper * (1 - fy) + lower * fy;
}

/** Takes the steps out of what was filled in: each such cell becomes the mean of its neighbours. */
function evenOut(
  heights: Float32Array,
  elevationM: Float32Array,
  isGround: Uint8Array,
  width: number,
  height: number,
): void {
  const cells: number[] = [];
  for (let i = 0; i < heights.length; i += 1) {
    if (isGround[i] === 0 && !Number.isNaN(elevationM[i] ?? Number.NaN)) cells.push(i);
  }
  for (let round = 0; round < EVENING_ROUNDS; round += 1) {
    for (const i of cells) {
      const col = i % width;
      const row = (i - col) / width;
      const left = heights[col > 0 ? i - 1 : i] ?? 0;
      const right = heights[col + 1 < width ? i + 1 : i] ?? 0;
      const above = heights[row > 0 ? i - width : i] ?? 0;
      const below = heights[row + 1 < height ? i + width : i] ?? 0;
      heights[i] = (left + right + above + below) / 4;
    }
  }
}
