import { valueNoise } from "../../randomness/noise.ts";
import { pileHeightM } from "../site/pile.ts";
import type { Site } from "../site/site.ts";
import type { HeightField } from "./height-field.ts";
import { isShaded, type Light, type ShadowCaster, type SkyView, skyShare } from "./light.ts";
import { blend, MATERIALS, type Material, type MaterialName } from "./material.ts";

/** What the texture is made from, by node of the height field, on shared memory. */
export interface GroundPaint {
  /** Lit colour, three numbers a node: square root of linear light, 1 = full scale. */
  readonly lit: Float32Array;
  /** Contrast of the grain, and stones per square metre. */
  readonly grain: Float32Array;
  readonly stonesPerM2: Float32Array;
  /** Epoch in which the material came to lie as it does; 0 = always. */
  readonly version: Uint8Array;
}

/** Everything that painting a node needs. */
export interface PaintInput {
  readonly paint: GroundPaint;
  readonly site: PaintedSite;
  readonly heights: HeightField;
  readonly caster: ShadowCaster;
  readonly sky: SkyView;
  readonly light: Light;
  readonly tracks: Float32Array;
  readonly isSnow: boolean;
  /** Of all texture, 0 to 1. */
  readonly contrast: number;
  /** Ground that was made or dug, over what the site has there; absent: none. */
  readonly cover?: GroundCover;
}

/** Made ground by node of the height field, on shared memory. */
export interface GroundCover {
  readonly palette: readonly MaterialName[];
  /** 0 = none, else 1 + index in the palette. */
  readonly material: Uint8Array;
  /** See `GroundPaint.version`. */
  readonly version: Uint8Array;
}

/** The part of a site that has no functions in it, so that it can cross to a worker thread. */
export type PaintedSite = Pick<Site, "epoch" | "ground" | "piles" | "road" | "yards">;

/** Below this height above the ground (m) a pile does not show; heights are single precision. */
const SHOWS_M = 0.01;
/** A change of height that counts as moved material, metres. */
const MOVED_M = 0.02;
/** Width of the worn seam between concrete or road and soil, metres. */
const SEAM_M = 0.6;

/** Allocates the paint of a height field. */
export function createGroundPaint(size: number): GroundPaint {
  const floats = (count: number) => new Float32Array(new SharedArrayBuffer(4 * count));
  return {
    lit: floats(3 * size * size),
    grain: floats(size * size),
    stonesPerM2: floats(size * size),
    version: new Uint8Array(new SharedArrayBuffer(size * size)),
  };
}

/** Paints the rows `[firstRow, endRow)` of the nodes. */
export function paintRows(input: PaintInput, firstRow: number, endRow: number): void {
  const { paint, heights, light, caster, sky } = input;
  const { size, cellM, extentM, terrain } = heights;
  for (let row = firstRow; row < endRow; row += 1) {
    const northM = extentM - row * cellM;
    const above = Math.max(0, row - 1) * size;
    const below = Math.min(size - 1, row + 1) * size;
    for (let column = 0; column < size; column += 1) {
      const eastM = column * cellM - extentM;
      const i = row * size + column;
      const upM = terrain[i] ?? 0;
      const west = terrain[row * size + Math.max(0, column - 1)] ?? 0;
      const east = terrain[row * size + Math.min(size - 1, column + 1)] ?? 0;
      const slopeEast = (east - west) / (2 * cellM);
      const slopeNorth =
        ((terrain[above + column] ?? 0) - (terrain[below + column] ?? 0)) / (2 * cellM);
      const facing =
        (light.sun[2] - slopeEast * light.sun[0] - slopeNorth * light.sun[1]) /
        Math.sqrt(1 + slopeEast * slopeEast + slopeNorth * slopeNorth);
      const isSunny = facing > 0 && !isShaded(caster, light.sun, eastM, northM, upM);
      const sunShare = isSunny ? facing : 0;
      const open = skyShare(sky, column, row);
      const { colour, grain, stonesPerM2, version } = materialAt(input, i, eastM, northM);
      for (let c = 0; c < 3; c += 1) {
        const lightOfChannel =
          (light.sunColour[c] ?? 0) * sunShare + (light.skyColour[c] ?? 0) * open;
        paint.lit[3 * i + c] = Math.sqrt((colour[c] ?? 0) * lightOfChannel);
      }
      paint.grain[i] = grain;
      paint.stonesPerM2[i] = stonesPerM2;
      paint.version[i] = version;
    }
  }
}

function materialAt(
  { site, heights, tracks, isSnow, contrast, cover }: PaintInput,
  node: number,
  eastM: number,
  northM: number,
): Material & { readonly version: number } {
  if (isSnow) return { ...MATERIALS.snow, version: 0 };
  const { seed } = site.ground;
  let material = groundMaterial(site, eastM, northM);
  let tone = tracks[node] ?? 1;
  let version = 0;
  for (const pile of site.piles) {
    const e = eastM - pile.centre.eastM;
    const n = northM - pile.centre.northM;
    if (e * e + n * n > pile.reachM ** 2) continue;
    version = lastMove(pile, site.epoch, eastM, northM);
    const heightM = (heights.terrain[node] ?? 0) - (heights.base[node] ?? 0);
    if (heightM > SHOWS_M) {
      material = MATERIALS[pile.material];
      tone = 1;
    }
  }
  const made = cover?.palette[(cover.material[node] ?? 0) - 1];
  if (cover !== undefined && made !== undefined) {
    material = MATERIALS[made];
    tone = 1;
    version = cover.version[node] ?? 0;
  }
  // Damp and dusty patches of a few metres; moved material shows others.
  const patches =
    0.13 * valueNoise(eastM / 7, northM / 7, seed + 31 + 977 * version) +
    0.1 * valueNoise(eastM / 2.1, northM / 2.1, seed + 32 + 977 * version);
  const k = (1 + contrast * (tone - 1)) * (1 + contrast * patches);
  const [red, green, blue] = material.colour;
  return {
    colour: [red * k, green * k, blue * k],
    grain: contrast * material.grain,
    stonesPerM2: contrast * material.stonesPerM2,
    version,
  };
}

function groundMaterial(site: PaintedSite, eastM: number, northM: number): Material {
  const { seed, extentM } = site.ground;
  const patch =
    valueNoise(eastM / 11, northM / 11, seed + 33) +
    0.6 * valueNoise(eastM / 3.3, northM / 3.3, seed + 34) +
    0.3 * valueNoise(eastM / 0.9, northM / 0.9, seed + 35);
  // Grass takes over towards the edge of the ground, in patches.
  const outwards = Math.hypot(eastM, northM) / extentM;
  let material = blend(MATERIALS.soil, MATERIALS.grass, step((outwards - 0.78) * 3 + patch * 0.7));
  for (const yard of site.yards) {
    const insideM =
      yard.radiusM - Math.hypot(eastM - yard.centre.eastM, northM - yard.centre.northM);
    const share = step((insideM + patch * 0.8) / SEAM_M);
    if (share > 0) material = blend(material, MATERIALS.gravelRoad, share * 0.85);
  }
  const { from, to, widthM } = site.road;
  const azimuth = Math.atan2(to.eastM - from.eastM, to.northM - from.northM);
  const across = Math.abs(
    (eastM - from.eastM) * Math.cos(azimuth) - (northM - from.northM) * Math.sin(azimuth),
  );
  const onRoad = step((widthM / 2 - across + patch * 0.5) / SEAM_M);
  if (onRoad === 0) return material;
  const gravel = MATERIALS.gravelRoad.colour;
  const worn = 0.8 + 0.2 * Math.min(1, Math.abs(Math.abs(across - 1.5) - 0.95) / 0.3);
  const road: Material = {
    ...MATERIALS.gravelRoad,
    colour: [gravel[0] * worn, gravel[1] * worn, gravel[2] * worn],
  };
  return blend(material, road, onRoad);
}

/** 0 below -0.5, 1 above 0.5, smooth between. */
function step(t: number): number {
  const c = Math.min(1, Math.max(0, t + 0.5));
  return c * c * (3 - 2 * c);
}

/** The last epoch up to this one in which a place of a pile changed; 0 = none. */
function lastMove(
  pile: Site["piles"][number],
  epoch: number,
  eastM: number,
  northM: number,
): number {
  for (let e = epoch; e > 1; e -= 1) {
    if (!pile.events.some((event) => event.epoch === e)) continue;
    const change = pileHeightM(pile, e, eastM, northM) - pileHeightM(pile, e - 1, eastM, northM);
    if (Math.abs(change) > MOVED_M) return e;
  }
  return 0;
}
