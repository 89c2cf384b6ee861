import { nearestOnLine } from "./distance-to-line.ts";
import type { PlanePoint } from "./local-plane.ts";

/** A piece of a line between two of its points, and how sharply the line turns at its end, 0 to 1. */
interface Piece {
  readonly from: PlanePoint;
  readonly to: PlanePoint;
  readonly turn: number;
}

/** What two pieces that cross count for: their sides meet four times, wherever the line turns. */
const CROSSING_SHARE = 0.1;

/**
 * How much the sides of a corridor get in each other's way: for every two pieces of the line less than the
 * width apart, neighbours left out, the product of their turns, 1 for a turn straight back. Each 1 costs the
 * buffer 1 to 2.5 ms, because the arcs round all sharp turns that are near each other cross. A winding road
 * has less than 10; the fixes of a stationary machine have 0.25 for every two of them.
 */
export function crowdingOf(line: readonly PlanePoint[], widthM: number): number {
  const pieces = piecesOf(line);
  let crowding = 0;
  for (const [i, piece] of pieces.entries()) {
    for (let j = i + 2; j < pieces.length; j += 1) {
      const other = pieces[j];
      if (other === undefined || isClearOf(piece, other, widthM)) continue;
      const turns = piece.turn * other.turn;
      if (crosses(piece, other)) crowding += Math.max(CROSSING_SHARE, turns);
      else if (turns > 0 && gapM(piece, other) < widthM) crowding += turns;
    }
  }
  return crowding;
}

function piecesOf(line: readonly PlanePoint[]): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const [i, to] of line.entries()) {
    const from = line[i - 1];
    if (from === undefined) continue;
    const after = line[i + 1];
    const turn = after === undefined ? 1 : turnAt(from, to, after);
    pieces.push({ from, to, turn });
  }
  return pieces;
}

/** The change of direction at `b`, as a share of a turn straight back. */
function turnAt(a: PlanePoint, b: PlanePoint, c: PlanePoint): number {
  const before = Math.atan2(b[1] - a[1], b[0] - a[0]);
  const after = Math.atan2(c[1] - b[1], c[0] - b[0]);
  const change = Math.abs(after - before);
  return Math.min(change, 2 * Math.PI - change) / Math.PI;
}

/** Whether the boxes around two pieces are farther apart than the width: nearly all pairs of a long line. */
function isClearOf(a: Piece, b: Piece, widthM: number): boolean {
  return [0, 1].some((axis) => {
    const [aFrom, aTo] = [a.from[axis] ?? 0, a.to[axis] ?? 0];
    const [bFrom, bTo] = [b.from[axis] ?? 0, b.to[axis] ?? 0];
    return (
      Math.min(aFrom, aTo) - Math.max(bFrom, bTo) > widthM ||
      Math.min(bFrom, bTo) - Math.max(aFrom, aTo) > widthM
    );
  });
}

/** The distance of two pieces that do not cross, metres. */
function gapM(a: Piece, b: Piece): number {
  const [lineA, lineB] = [
    [a.from, a.to],
    [b.from, b.to],
  ];
  return Math.min(
    nearestOnLine(lineA, b.from).distanceM,
    nearestOnLine(lineA, b.to).distanceM,
    nearestOnLine(lineB, a.from).distanceM,
    nearestOnLine(lineB, a.to).distanceM,
  );
}

function crosses(a: Piece, b: Piece): boolean {
  return isLeft(a, b.from) !== isLeft(a, b.to) && isLeft(b, a.from) !== isLeft(b, a.to);
}

const isLeft = ({ from, to }: Piece, [x, y]: PlanePoint): boolean =>
  (to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]) > 0;
