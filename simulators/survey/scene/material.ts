import type { PileMaterial } from "../site/pile.ts";
import type { Colour } from "../site/solid.ts";

/** What the ground is made of, as far as a picture shows it. */
export interface Material {
  readonly colour: Colour;
  /**
   * Contrast of its grain: standard deviation of reflectance over its mean. By eye: less leaves nothing to match,
   * more makes matching easier than it is.
   */
  readonly grain: number;
  /** Stones that lie on it, per square metre. */
  readonly stonesPerM2: number;
}

export const MATERIALS = {
  soil: { colour: [0.3, 0.232, 0.16], grain: 0.24, stonesPerM2: 14 },
  gravelRoad: { colour: [0.4, 0.375, 0.335], grain: 0.2, stonesPerM2: 26 },
  grass: { colour: [0.135, 0.17, 0.062], grain: 0.42, stonesPerM2: 2 },
  concrete: { colour: [0.43, 0.42, 0.4], grain: 0.09, stonesPerM2: 3 },
  gravel: { colour: [0.34, 0.335, 0.325], grain: 0.3, stonesPerM2: 40 },
  sand: { colour: [0.5, 0.4, 0.245], grain: 0.15, stonesPerM2: 5 },
  topsoil: { colour: [0.15, 0.105, 0.07], grain: 0.32, stonesPerM2: 10 },
  rubble: { colour: [0.37, 0.31, 0.26], grain: 0.34, stonesPerM2: 40 },
  /** Made ground of a project: compacted fill, dug subsoil, asphalt. */
  fill: { colour: [0.36, 0.27, 0.17], grain: 0.28, stonesPerM2: 30 },
  subsoil: { colour: [0.31, 0.19, 0.11], grain: 0.3, stonesPerM2: 12 },
  asphalt: { colour: [0.06, 0.06, 0.062], grain: 0.22, stonesPerM2: 6 },
  /** Fresh snow over everything: nothing to match (grain of 0.4 % is below the sensor's noise). */
  snow: { colour: [0.72, 0.73, 0.75], grain: 0.004, stonesPerM2: 0 },
} as const satisfies Record<
  | PileMaterial
  | "soil"
  | "gravelRoad"
  | "grass"
  | "concrete"
  | "fill"
  | "subsoil"
  | "asphalt"
  | "snow",
  Material
>;
export type MaterialName = keyof typeof MATERIALS;

/** Blends `share` of `over` into `under`. */
export function blend(under: Material, over: Material, share: number): Material {
  // Written out: a node calls this several times, and closures would be made for each.
  const rest = 1 - share;
  return {
    colour: [
      rest * under.colour[0] + share * over.colour[0],
      rest * under.colour[1] + share * over.colour[1],
      rest * under.colour[2] + share * over.colour[2],
    ],
    grain: rest * under.grain + share * over.grain,
    stonesPerM2: rest * under.stonesPerM2 + share * over.stonesPerM2,
  };
}
