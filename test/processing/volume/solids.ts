import type { HeightField } from "../../../processing/grid/elevation-grid.ts";
import type { PlanPolygon } from "../../../processing/grid/polygon-weights.ts";

/** A surface of 30 x 30 m about the origin, shifted against it by odd parts of a cell, from a formula. */
export function surfaceOf(cellM: number, height: (x: number, y: number) => number): HeightField {
  const width = Math.ceil(30 / cellM);
  const westM = -15 - 0.37 * cellM;
  const northM = 15 + 0.21 * cellM;
  const elevationM = Float32Array.from({ length: width * width }, (_, i) =>
    height(westM + ((i % width) + 0.5) * cellM, northM - (Math.floor(i / width) + 0.5) * cellM),
  );
  return { westM, northM, cellM, width, height: width, elevationM };
}

export function circle(radiusM: number, vertices = 90): PlanPolygon {
  return Array.from({ length: vertices }, (_, i) => {
    const angle = (i / vertices) * 2 * Math.PI;
    return [radiusM * Math.cos(angle), radiusM * Math.sin(angle)] as const;
  });
}

/** Slope of a pile's flank: 36 degrees, gravel. */
const FLANK = Math.tan((36 * Math.PI) / 180);

/** Cone 5 m high. */
export const CONE = {
  radiusM: 5 / FLANK,
  volumeM3: (Math.PI * (5 / FLANK) ** 2 * 5) / 3,
  height: (x: number, y: number) => Math.max(0, 5 - FLANK * Math.hypot(x, y)),
};

/** Cone cut off at 3 m: V = pi h (R2 + R r + r2) / 3. */
export const FRUSTUM = {
  radiusM: 5 / FLANK,
  volumeM3: (Math.PI * 3 * ((5 / FLANK) ** 2 + (5 / FLANK) * (2 / FLANK) + (2 / FLANK) ** 2)) / 3,
  height: (x: number, y: number) => Math.min(3, CONE.height(x, y)),
};

/** Ridge 8 m long and 4 m high with conical ends, turned by 0.5 rad: V = pi r2 h / 3 + L r h. */
export const RIDGE = {
  radiusM: 4 + 4 / FLANK,
  volumeM3: (Math.PI * (4 / FLANK) ** 2 * 4) / 3 + 8 * (4 / FLANK) * 4,
  height: (x: number, y: number) => {
    const along = x * Math.cos(0.5) + y * Math.sin(0.5);
    const across = y * Math.cos(0.5) - x * Math.sin(0.5);
    return Math.max(0, 4 - FLANK * Math.hypot(Math.max(0, Math.abs(along) - 4), across));
  },
};
