import type { HeightField } from "../../processing/grid/elevation-grid.ts";
import type { PlanPolygon } from "../../processing/grid/polygon-weights.ts";

/** Ground, and what is measured on it. */
export interface BaseSite {
  readonly name: string;
  /** Height of the ground, metres. */
  readonly ground: (x: number, y: number) => number;
  /** Standard deviation of each cell's height, metres. */
  readonly noiseM: number;
  /** Whether a lorry 3 m high stands beside the toe on a quarter of the ring. */
  readonly hasLorry?: boolean;
}

/** A cone of docs/stockpiles.md: pi r2 h / 3. */
const RADIUS_M = 10;
const HEIGHT_M = 5;
export const CONE_M3 = (Math.PI * RADIUS_M ** 2 * HEIGHT_M) / 3;
/** Half a metre outside of the toe: with it `lowest` on a slope of 2 % is 13.9 % off. */
const LINE_M = 10.5;
const VERTICES = 36;

/** The grounds of docs/stockpiles.md, and three on which the methods part. */
export const BASE_SITES: readonly BaseSite[] = [
  { name: "flat", ground: () => 0, noiseM: 0 },
  { name: "2 % slope", ground: (x) => 0.02 * x, noiseM: 0 },
  { name: "5 % slope", ground: (x) => 0.05 * x, noiseM: 0 },
  { name: "flat, 3 cm noise", ground: () => 0, noiseM: 0.03 },
  { name: "5 % slope + noise", ground: (x) => 0.05 * x, noiseM: 0.03 },
  {
    name: "5 % slope + noise, lorry",
    ground: (x) => 0.05 * x,
    noiseM: 0.03,
    hasLorry: true,
  },
  // Bends by 0.5 m over the footprint as a saddle does, turned against the grid.
  { name: "saddle", ground: (x, y) => 0.0045 * x * y, noiseM: 0.03 },
  // A bank: level, and from 3 m east of the middle on rising by 12 %.
  { name: "foot of a bank", ground: (x) => 0.12 * Math.max(0, x - 3), noiseM: 0.03 },
];

/** The cone on a site, and the site without it, in cells of `cellM` over 30 x 30 m. */
export function siteSurfaces(
  { ground, noiseM, hasLorry = false }: BaseSite,
  cellM: number,
): { readonly surface: HeightField; readonly empty: HeightField } {
  const width = Math.round(30 / cellM);
  const frame = { westM: -15, northM: 15, cellM, width, height: width };
  const normal = gaussian();
  const make = (above: (x: number, y: number) => number): HeightField => ({
    ...frame,
    elevationM: Float32Array.from({ length: width * width }, (_, i) => {
      const x = -15 + ((i % width) + 0.5) * cellM;
      const y = 15 - (Math.floor(i / width) + 0.5) * cellM;
      return ground(x, y) + above(x, y) + (noiseM === 0 ? 0 : noiseM * normal());
    }),
  });
  const lorry = (x: number, y: number) => {
    const isThere = Math.hypot(x, y) > LINE_M + 0.1 && Math.abs(Math.atan2(y, x)) < Math.PI / 4;
    return hasLorry && isThere ? 3 : 0;
  };
  return {
    surface: make(
      (x, y) => Math.max(0, HEIGHT_M * (1 - Math.hypot(x, y) / RADIUS_M)) + lorry(x, y),
    ),
    empty: make(() => 0),
  };
}

export const SITE_LINE: PlanPolygon = Array.from({ length: VERTICES }, (_, i) => {
  const angle = (2 * Math.PI * i) / VERTICES;
  return [LINE_M * Math.cos(angle), LINE_M * Math.sin(angle)] as const;
});

/** Normal numbers by Box & Muller from Park & Miller's generator: the same every time. */
function gaussian(): () => number {
  let state = 20_26;
  const uniform = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
