import type { Keypoints } from "../features/keypoints.ts";
import type { VerifiedPair } from "./verified-pair.ts";

/** Where an image's keypoints lie; descriptors are of no use any more. */
export type ImagePoints = Pick<Keypoints, "count" | "x" | "y">;

/**
 * Keypoints of several images that show one point of the ground. Track t is made of the entries
 * `start[t]` up to `start[t + 1]`, sorted by image, no image twice.
 */
export interface Tracks {
  readonly count: number;
  readonly start: Int32Array;
  readonly image: Int32Array;
  readonly keypoint: Int32Array;
}

export interface LinkedTracks {
  readonly tracks: Tracks;
  /** Tracks that were dropped because they hold two keypoints of one image. */
  readonly conflicting: number;
}

/**
 * Links matches to tracks by union-find. One wrong match joins two points of the ground and shows as
 * two keypoints of one image; which match was wrong is not known, so the whole track is dropped.
 */
export function linkTracks(
  keypoints: readonly ImagePoints[],
  pairs: readonly VerifiedPair[],
): LinkedTracks {
  const offsets = new Int32Array(keypoints.length + 1);
  keypoints.forEach(({ count }, i) => {
    offsets[i + 1] = (offsets[i] ?? 0) + count;
  });
  const roots = joinMatches(offsets, pairs);
  const members = new Int32Array(roots.length);
  for (const root of roots) members[root] = (members[root] ?? 0) + 1;
  // Entries of one root are laid out one after the other; ascending nodes are ascending images.
  const cursor = new Int32Array(roots.length);
  let entries = 0;
  for (let node = 0; node < roots.length; node += 1) {
    cursor[node] = entries;
    if ((members[node] ?? 0) > 1) entries += members[node] ?? 0;
  }
  const image = new Int32Array(entries);
  const keypoint = new Int32Array(entries);
  for (let i = 0; i < keypoints.length; i += 1) {
    const first = offsets[i] ?? 0;
    for (let node = first; node < (offsets[i + 1] ?? 0); node += 1) {
      const root = roots[node] ?? 0;
      if ((members[root] ?? 0) < 2) continue;
      const at = cursor[root] ?? 0;
      cursor[root] = at + 1;
      image[at] = i;
      keypoint[at] = node - first;
    }
  }
  return dropConflicts(members, image, keypoint);
}

/** The smallest node of each node's component; a node is a keypoint, counted over all images. */
function joinMatches(offsets: Int32Array, pairs: readonly VerifiedPair[]): Int32Array {
  const parent = Int32Array.from({ length: offsets.at(-1) ?? 0 }, (_, node) => node);
  const find = (node: number) => {
    let at = node;
    while ((parent[at] ?? 0) !== at) {
      parent[at] = parent[parent[at] ?? 0] ?? 0;
      at = parent[at] ?? 0;
    }
    return at;
  };
  for (const { first, second, matches } of pairs) {
    for (let m = 0; m + 1 < matches.length; m += 2) {
      const a = find((offsets[first] ?? 0) + (matches[m] ?? 0));
      const b = find((offsets[second] ?? 0) + (matches[m + 1] ?? 0));
      parent[Math.max(a, b)] = Math.min(a, b);
    }
  }
  for (let node = 0; node < parent.length; node += 1) parent[node] = find(node);
  return parent;
}

function dropConflicts(members: Int32Array, image: Int32Array, keypoint: Int32Array): LinkedTracks {
  const kept: number[] = [];
  const starts = [0];
  let conflicting = 0;
  let from = 0;
  for (const size of members) {
    if (size < 2) continue;
    let isClean = true;
    for (let e = from + 1; e < from + size; e += 1) isClean &&= image[e] !== image[e - 1];
    if (isClean) {
      for (let e = from; e < from + size; e += 1) kept.push(e);
      starts.push(kept.length);
    } else conflicting += 1;
    from += size;
  }
  const tracks = {
    count: starts.length - 1,
    start: Int32Array.from(starts),
    image: Int32Array.from(kept, (e) => image[e] ?? 0),
    keypoint: Int32Array.from(kept, (e) => keypoint[e] ?? 0),
  };
  return { tracks, conflicting };
}

/** Cells of the grid that thins tracks out in each image (docs/photogrammetry.md#stages). */
const GRID = { columns: 16, rows: 12 } as const;

/**
 * Chooses tracks so that every cell of every image holds about `perCell` of them. Long tracks come
 * first, for they tie more cameras together; a track is taken while one of its images has room.
 * @returns Indices of tracks in the order of choice: any beginning of the list is a fair choice too.
 */
export function selectTracks(
  tracks: Tracks,
  keypoints: readonly ImagePoints[],
  sizes: readonly { readonly widthPx: number; readonly heightPx: number }[],
  perCell: number,
): Int32Array {
  const { start, image, keypoint } = tracks;
  const length = (t: number) => (start[t + 1] ?? 0) - (start[t] ?? 0);
  const order = Int32Array.from({ length: tracks.count }, (_, t) => t);
  order.sort((a, b) => length(b) - length(a) || a - b);
  const filled = new Uint16Array(keypoints.length * GRID.columns * GRID.rows);
  const cells: number[] = [];
  const chosen: number[] = [];
  for (const track of order) {
    cells.length = 0;
    for (let e = start[track] ?? 0; e < (start[track + 1] ?? 0); e += 1) {
      const i = image[e] ?? 0;
      const size = sizes[i];
      if (!size) continue;
      const column = cellOf(keypoints[i]?.x[keypoint[e] ?? 0] ?? 0, size.widthPx, GRID.columns);
      const row = cellOf(keypoints[i]?.y[keypoint[e] ?? 0] ?? 0, size.heightPx, GRID.rows);
      cells.push((i * GRID.rows + row) * GRID.columns + column);
    }
    if (!cells.some((cell) => (filled[cell] ?? 0) < perCell)) continue;
    for (const cell of cells) filled[cell] = (filled[cell] ?? 0) + 1;
    chosen.push(track);
  }
  return Int32Array.from(chosen);
}

function cellOf(px: number, sizePx: number, cells: number): number {
  return Math.max(0, Math.min(cells - 1, Math.floor((px / sizePx) * cells)));
}
