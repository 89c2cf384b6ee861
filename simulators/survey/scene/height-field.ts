import { addOctave } from "../../randomness/noise.ts";
import { undulationShare } from "../site/ground.ts";
import { pileHeightM } from "../site/pile.ts";
import type { Site } from "../site/site.ts";
import { type Solid, solidReachM, solidTopM } from "../site/solid.ts";

/**
 * Nodes of a square grid over the site: node (column, row) lies at `extentM` times -1 plus
 * `column * cellM` east and `extentM - row * cellM` north, so the north row is first.
 */
export interface NodeFrame {
  readonly extentM: number;
  readonly cellM: number;
  /** Nodes along each edge. */
  readonly size: number;
}

/** Heights of the site at nodes, ENU up in metres, row-major, on shared memory. */
export interface HeightField extends NodeFrame {
  /** Bare ground: what lies there without piles. */
  readonly base: Float32Array;
  /** Ground and piles; between nodes bilinear. This is what is rendered. */
  readonly terrain: Float32Array;
  /** Terrain and the tops of everything that stands on it. */
  readonly surface: Float32Array;
}

/** Wavelengths of the ground's undulations (m) and their share of the amplitude: swells, and less of what is shorter. */
const UNDULATIONS = [
  { wavelength: 14, share: 1 },
  { wavelength: 5, share: 0.4 },
] as const;
/** Lumps that lie everywhere, on pads and piles too. */
const ROUGHNESS = [
  { wavelength: 0.5, share: 1 },
  { wavelength: 0.27, share: 0.6 },
] as const;

/** The frame that covers +-extentM with whole cells. */
export function nodeFrame(extentM: number, cellM: number): NodeFrame {
  const cells = Math.ceil((2 * extentM) / cellM);
  return { extentM: (cells * cellM) / 2, cellM, size: cells + 1 };
}

/** Array of floats that worker threads share. */
export function sharedFloats(length: number): Float32Array {
  return new Float32Array(new SharedArrayBuffer(4 * length));
}

/** Works out the heights of a site. */
export function createHeightField(site: Site, frame: NodeFrame): HeightField {
  const { size, cellM, extentM } = frame;
  const { ground } = site;
  const base = sharedFloats(size * size);
  const lumps = new Float32Array(size * size);
  // The noise's y runs south, like the rows.
  const window = { firstX: -extentM, firstY: -extentM, step: cellM, width: size, height: size };
  for (const [i, { wavelength, share }] of UNDULATIONS.entries()) {
    addOctave(base, window, {
      wavelength,
      amplitude: ground.undulationM * share,
      seed: ground.seed + i,
    });
  }
  for (const [i, { wavelength, share }] of ROUGHNESS.entries()) {
    // A wave needs four nodes, or its tops would fall between them.
    if (wavelength < 2.5 * cellM) continue;
    addOctave(lumps, window, {
      wavelength,
      amplitude: ground.roughnessM * share,
      seed: ground.seed + 10 + i,
    });
  }
  for (let row = 0; row < size; row += 1) {
    const northM = extentM - row * cellM;
    for (let column = 0; column < size; column += 1) {
      const eastM = column * cellM - extentM;
      const i = row * size + column;
      base[i] =
        (base[i] ?? 0) * undulationShare(ground, eastM, northM) +
        (lumps[i] ?? 0) +
        ground.tiltEast * eastM +
        ground.tiltNorth * northM;
    }
  }
  const terrain = sharedFloats(size * size);
  terrain.set(base);
  for (const pile of site.piles) {
    forNodesWithin(frame, pile.centre, pile.reachM, (i, eastM, northM) => {
      terrain[i] = (base[i] ?? 0) + pileHeightM(pile, site.epoch, eastM, northM);
    });
  }
  return { ...frame, base, terrain, surface: withSolids(frame, terrain, site.solids) };
}

/** Heights of the terrain and of what stands on it. */
export function withSolids(
  frame: NodeFrame,
  terrain: Float32Array,
  solids: readonly Solid[],
): Float32Array {
  const surface = sharedFloats(terrain.length);
  surface.set(terrain);
  for (const solid of solids) {
    forNodesWithin(frame, solid.centre, solidReachM(solid), (i, eastM, northM) => {
      surface[i] = Math.max(surface[i] ?? 0, solidTopM(solid, eastM, northM));
    });
  }
  return surface;
}

/** Visits the nodes of the square about a place. */
export function forNodesWithin(
  { size, cellM, extentM }: NodeFrame,
  centre: { readonly eastM: number; readonly northM: number },
  reachM: number,
  visit: (node: number, eastM: number, northM: number) => void,
): void {
  const clamp = (node: number) => Math.min(size - 1, Math.max(0, node));
  const lastColumn = clamp(Math.ceil((centre.eastM + reachM + extentM) / cellM));
  const lastRow = clamp(Math.ceil((extentM - centre.northM + reachM) / cellM));
  const firstColumn = clamp(Math.floor((centre.eastM - reachM + extentM) / cellM));
  for (
    let row = clamp(Math.floor((extentM - centre.northM - reachM) / cellM));
    row <= lastRow;
    row += 1
  ) {
    for (let column = firstColumn; column <= lastColumn; column += 1) {
      visit(row * size + column, column * cellM - extentM, extentM - row * cellM);
    }
  }
}

/** Height between nodes (bilinear); `undefined` off the grid. */
export function heightAtM(
  { size, cellM, extentM }: NodeFrame,
  heights: Float32Array,
  eastM: number,
  northM: number,
): number | undefined {
  const x = (eastM + extentM) / cellM;
  const y = (extentM - northM) / cellM;
  const column = Math.min(size - 2, Math.floor(x));
  const row = Math.min(size - 2, Math.floor(y));
  if (!(x >= 0 && y >= 0 && x <= size - 1 && y <= size - 1)) return undefined;
  const i = row * size + column;
  const a = x - column;
  const upper = (heights[i] ?? 0) * (1 - a) + (heights[i + 1] ?? 0) * a;
  const lower = (heights[i + size] ?? 0) * (1 - a) + (heights[i + size + 1] ?? 0) * a;
  return upper + (y - row) * (lower - upper);
}
