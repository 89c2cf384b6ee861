import type { PlanePoint } from "./local-plane.ts";

/** The place of a line that is nearest to a point, and how far it is, metres. */
export interface Nearest {
  readonly at: PlanePoint;
  readonly distanceM: number;
}

/** The nearest place of a line of straight pieces; of one point, that point. Linear in its points. */
export function nearestOnLine(line: readonly PlanePoint[], [x, y]: PlanePoint): Nearest {
  let best2 = Number.POSITIVE_INFINITY;
  let at: PlanePoint = [Number.NaN, Number.NaN];
  let [ax, ay] = line[0] ?? at;
  for (const [bx, by] of line) {
    const [dx, dy] = [bx - ax, by - ay];
    const length2 = dx * dx + dy * dy;
    const share = length2 > 0 ? ((x - ax) * dx + (y - ay) * dy) / length2 : 0;
    const u = Math.min(1, Math.max(0, share));
    const [px, py] = [ax + u * dx, ay + u * dy];
    const distance2 = (x - px) ** 2 + (y - py) ** 2;
    if (distance2 < best2) {
      best2 = distance2;
      at = [px, py];
    }
    [ax, ay] = [bx, by];
  }
  return { at, distanceM: Math.sqrt(best2) };
}
