import type { PointRaster } from "./point-raster.ts";

/** Cells of the raster along the edge of the root's share: readers expect some ten thousand points a node. */
const ROOT_CELLS = 128;

/** A cube that is halved along each axis, and again. */
export interface Octree {
  /** Lower corner and edge of the root, units of the map and metres. */
  readonly corner: readonly [number, number, number];
  readonly edge: number;
  /** Distance of the root's points, units of the map. */
  readonly spacing: number;
  readonly nodes: readonly OctreeNode[];
}

/** A cube of the tree with the cells whose points it holds; those of its children lie between them. */
export interface OctreeNode {
  readonly level: number;
  readonly key: readonly [x: number, y: number, z: number];
  /** Indices of cells, in the raster's order; none where only deeper nodes have points. */
  readonly cells: readonly number[];
}

/**
 * Puts the points of a raster into an octree: the root has every 2^n-th cell of every 2^n-th row, and each
 * level below has those between. A reader that stops at any level has read the whole site evenly.
 * @returns `undefined` when the raster has no point
 */
export function buildOctree({ frame, heightM }: PointRaster): Octree | undefined {
  const { westM, northM, cellM, width, height } = frame;
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const z of heightM) {
    if (Number.isNaN(z)) continue;
    lowest = Math.min(lowest, z);
    highest = Math.max(highest, z);
  }
  if (lowest > highest) return undefined;
  const edge = Math.max(width * cellM, height * cellM, highest - lowest + 1);
  const corner = [westM, northM - height * cellM, Math.floor(lowest)] as const;
  const depth = Math.max(0, Math.ceil(Math.log2(Math.max(width, height) / ROOT_CELLS)));
  const nodes: OctreeNode[] = [];
  const known = new Set<string>();
  for (let level = 0; level <= depth; level += 1) {
    const cube = edge / 2 ** level;
    const last = 2 ** level - 1;
    const place = (value: number) => Math.min(last, Math.max(0, Math.floor(value / cube)));
    const found = new Map<number, { readonly key: OctreeNode["key"]; readonly cells: number[] }>();
    for (const cell of cellsOfLevel(width, height, depth - level, level === 0)) {
      const z = heightM[cell] ?? Number.NaN;
      if (Number.isNaN(z)) continue;
      const col = cell % width;
      const row = (cell - col) / width;
      const kx = place((col + 0.5) * cellM);
      const ky = place((height - row - 0.5) * cellM);
      const kz = place(z - corner[2]);
      const number = (kz * (last + 1) + ky) * (last + 1) + kx;
      const node = found.get(number);
      if (node === undefined) found.set(number, { key: [kx, ky, kz], cells: [cell] });
      else node.cells.push(cell);
    }
    for (const { key, cells } of found.values()) {
      addAncestors(nodes, known, level, key);
      known.add(nameOf(level, key));
      nodes.push({ level, key, cells });
    }
  }
  return { corner, edge, spacing: cellM * 2 ** depth, nodes };
}

/** Cells at multiples of 2^`power` along both axes; unless all, without those at multiples of 2^(power + 1). */
function* cellsOfLevel(
  width: number,
  height: number,
  power: number,
  isAll: boolean,
): Generator<number> {
  const stride = 2 ** power;
  for (let row = 0; row < height; row += stride) {
    const isCoarseRow = !isAll && row % (2 * stride) === 0;
    const first = isCoarseRow ? stride : 0;
    const step = isCoarseRow ? 2 * stride : stride;
    for (let col = first; col < width; col += step) yield row * width + col;
  }
}

/** A node's parents are listed too, without points of their own where they have none. */
function addAncestors(
  nodes: OctreeNode[],
  known: Set<string>,
  level: number,
  key: OctreeNode["key"],
): void {
  for (let above = level - 1; above >= 0; above -= 1) {
    const shift = level - above;
    const parent = [key[0] >> shift, key[1] >> shift, key[2] >> shift] as const;
    const name = nameOf(above, parent);
    if (known.has(name)) return;
    known.add(name);
    nodes.push({ level: above, key: parent, cells: [] });
  }
}

const nameOf = (level: number, key: OctreeNode["key"]): string => `${level}-${key.join("-")}`;
