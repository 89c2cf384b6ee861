import { lowerBound } from "./order.ts";
import { concatPoints, type Points, slicePoints, unionOfNames } from "./points.ts";

/**
 * Cells (rows x names) of a window if nothing else is asked for; bounds the memory, 16 MiB; smaller windows
 * are more merges.
 */
const WINDOW_CELLS = 2 * 1024 * 1024;

/** One sorted stream: the piece that is being read and the one after it. */
interface Cursor {
  readonly pieces: Iterator<Points>;
  current: Points;
  start: number;
  next: Points | undefined;
}

/**
 * Reads sorted streams side by side and yields their rows in windows of rising keys, the slices of a
 * window laid end to end. All rows of one key are in one window, which is why a window may have more
 * than `maxCells` cells. Streams are read no further than one piece ahead.
 */
export function* keyWindows(
  streams: Iterable<Iterator<Points>>,
  maxCells = WINDOW_CELLS,
): Generator<Points> {
  let cursors: Cursor[] = [];
  for (const pieces of streams) {
    const current = pull(pieces);
    if (current !== undefined) cursors.push({ pieces, current, start: 0, next: pull(pieces) });
  }
  while (cursors.length > 0) {
    const limit = completeBelow(cursors);
    let ends = endsBelow(cursors, limit);
    if (cursors.every((cursor, i) => ends[i] === cursor.start)) {
      // One key fills the rest of a piece and goes on in the next.
      for (const cursor of cursors) if (cursor.next?.keys[0] === limit) extend(cursor, cursor.next);
      continue;
    }
    ends = shrink(cursors, ends, maxCells);
    const slices: Points[] = [];
    for (const [i, cursor] of cursors.entries()) {
      const end = ends[i] ?? cursor.start;
      if (end > cursor.start) slices.push(slicePoints(cursor.current, cursor.start, end));
      cursor.start = end;
    }
    cursors = cursors.filter(advance);
    yield concatPoints(slices);
  }
}

function pull(pieces: Iterator<Points>): Points | undefined {
  for (;;) {
    const result = pieces.next();
    if (result.done === true) return undefined;
    if (result.value.count > 0) return result.value;
  }
}

/** Rows below this key are all in the current pieces. */
function completeBelow(cursors: readonly Cursor[]): number {
  let limit = Number.POSITIVE_INFINITY;
  for (const { next } of cursors) limit = Math.min(limit, next?.keys[0] ?? limit);
  return limit;
}

function endsBelow(cursors: readonly Cursor[], limit: number): number[] {
  return cursors.map(({ current, start }) =>
    limit === Number.POSITIVE_INFINITY
      ? current.count
      : lowerBound(current.keys, limit, start, current.count),
  );
}

function extend(cursor: Cursor, next: Points): void {
  cursor.current = concatPoints([
    slicePoints(cursor.current, cursor.start, cursor.current.count),
    next,
  ]);
  cursor.start = 0;
  cursor.next = pull(cursor.pieces);
}

/** Moves on to the next piece where one is used up; false when the stream has ended. */
function advance(cursor: Cursor): boolean {
  if (cursor.start < cursor.current.count) return true;
  if (cursor.next === undefined) return false;
  cursor.current = cursor.next;
  cursor.start = 0;
  cursor.next = pull(cursor.pieces);
  return true;
}

/** Lowers the ends until the window is small enough, or holds a single key. */
function shrink(cursors: readonly Cursor[], ends: number[], maxCells: number): number[] {
  for (;;) {
    let rows = 0;
    let lowest = Number.POSITIVE_INFINITY;
    const middles: number[] = [];
    const parts: Points[] = [];
    for (const [i, { current, start }] of cursors.entries()) {
      const length = (ends[i] ?? start) - start;
      if (length === 0) continue;
      rows += length;
      parts.push(current);
      lowest = Math.min(lowest, current.keys[start] as number);
      middles.push(current.keys[start + (length >> 1)] as number);
    }
    if (rows * unionOfNames(parts).length <= maxCells) return ends;
    const pivot = middles.sort((a, b) => a - b)[middles.length >> 1] as number;
    const smaller = endsBelow(cursors, Math.max(pivot, lowest + 1));
    if (smaller.every((end, i) => end === ends[i])) return ends;
    ends = smaller;
  }
}
