import type { HeightField } from "../photogrammetry/ortho/depth-buffer.ts";
import { type PlanPolygon, polygonWeights } from "./polygon-weights.ts";

/** Width of the ring around the footprint that is to be free of material, metres. Chosen. */
const RING_M = 1.5;

/** A footprint on a grid, and the ring around it that is to be free of material. */
export interface FootprintCells {
  readonly areaM2: number;
  /** Row and column of every cell inside with its share, and of every cell of the ring. */
  readonly inside: readonly (readonly [row: number, col: number, share: number])[];
  readonly ring: readonly (readonly [row: number, col: number])[];
}

export function footprintCells(field: HeightField, polygon: PlanPolygon): FootprintCells {
  const weights = polygonWeights(field, polygon);
  const inside: [number, number, number][] = [];
  const isInside = new Set<string>();
  const ring = new Map<string, readonly [number, number]>();
  const reach = Math.ceil(RING_M / field.cellM);
  let area = 0;
  for (let r = 0; r < weights.height; r += 1) {
    for (let c = 0; c < weights.width; c += 1) {
      const share = weights.share[r * weights.width + c] ?? 0;
      if (share === 0) continue;
      const [row, col] = [weights.firstRow + r, weights.firstCol + c];
      area += share;
      inside.push([row, col, share]);
      isInside.add(`${row},${col}`);
      // Cells that the line cuts: the ring is what lies around them.
      if (share === 1) continue;
      for (let down = -reach; down <= reach; down += 1) {
        for (let right = -reach; right <= reach; right += 1) {
          if (down * down + right * right > reach * reach) continue;
          ring.set(`${row + down},${col + right}`, [row + down, col + right]);
        }
      }
    }
  }
  for (const key of isInside) ring.delete(key);
  return { areaM2: area * field.cellM ** 2, inside, ring: [...ring.values()] };
}

/** Height that a shifted footprint holds less the height in its ring, summed over cells. */
export function heldBy(
  above: Float32Array,
  { width, height }: HeightField,
  { inside, ring }: FootprintCells,
  down: number,
  right: number,
): number {
  const heightAt = (row: number, col: number) =>
    row >= 0 && col >= 0 && row < height && col < width ? (above[row * width + col] ?? 0) : 0;
  let held = 0;
  for (const [row, col, share] of inside) held += share * heightAt(row + down, col + right);
  for (const [row, col] of ring) held -= heightAt(row + down, col + right);
  return held;
}
