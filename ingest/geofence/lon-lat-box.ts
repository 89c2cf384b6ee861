import { type Position, shortestDeltaDeg } from "./planar.ts";

/** A box in degrees; X is longitude and may run on past 180 or -180 over the antimeridian, Y is latitude. */
export interface LonLatBox {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

type GrowingBox = { -readonly [side in keyof LonLatBox]: number };

/** The box that holds one position. */
export const boxAt = ({ lonDeg, latDeg }: Position): GrowingBox => ({
  minX: lonDeg,
  minY: latDeg,
  maxX: lonDeg,
  maxY: latDeg,
});

/** Makes the box hold another position near it; longitudes go on in the shorter direction. */
export function stretch(box: GrowingBox, { lonDeg, latDeg }: Position): void {
  const x = box.minX + shortestDeltaDeg(lonDeg - box.minX);
  if (x < box.minX) box.minX = x;
  if (x > box.maxX) box.maxX = x;
  if (latDeg < box.minY) box.minY = latDeg;
  if (latDeg > box.maxY) box.maxY = latDeg;
}

export const union = (a: LonLatBox, b: LonLatBox): LonLatBox => ({
  minX: Math.min(a.minX, b.minX),
  minY: Math.min(a.minY, b.minY),
  maxX: Math.max(a.maxX, b.maxX),
  maxY: Math.max(a.maxY, b.maxY),
});

/** The same box counted a turn further. */
export const shifted = ({ minX, minY, maxX, maxY }: LonLatBox, byDeg: number): LonLatBox => ({
  minX: minX + byDeg,
  minY,
  maxX: maxX + byDeg,
  maxY,
});

/** Whether two boxes touch, also when one is counted a turn away. */
export function touches(a: LonLatBox, b: LonLatBox): boolean {
  if (a.minY > b.maxY || a.maxY < b.minY) return false;
  return (
    (a.minX <= b.maxX && a.maxX >= b.minX) ||
    (a.minX + 360 <= b.maxX && a.maxX + 360 >= b.minX) ||
    (a.minX - 360 <= b.maxX && a.maxX - 360 >= b.minX)
  );
}
