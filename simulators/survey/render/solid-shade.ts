import { valueNoise } from "../../randomness/noise.ts";
import { isShaded, type Light, type ShadowCaster } from "../scene/light.ts";
import type { Solid } from "../site/solid.ts";
import type { Hit, Ray } from "./solid-hit.ts";

/** Share of the sky that solids see; they stand free. */
const OPEN_SKY = 0.9;
/** Roughness of a solid's surface: waves (m) of this amplitude, relative to its brightness. */
const WAVES_M = [1.6, 0.8, 0.4, 0.2, 0.1] as const;
const LEAF_AMPLITUDE = 0.17;
const WALL_AMPLITUDE = 0.05;

/** Writes the colour of a hit to `out` from `at` on: 255 times the square root of light. */
export function shadeSolid(
  solid: Solid,
  ray: Ray,
  hit: Hit,
  light: Light,
  caster: ShadowCaster,
  focalPx: number,
  out: Float32Array,
  at: number,
): void {
  const e = ray.fe + hit.depthM * ray.te;
  const n = ray.fn + hit.depthM * ray.tn;
  const u = ray.fu + hit.depthM * ray.tu;
  const facing = hit.ne * light.sun[0] + hit.nn * light.sun[1] + hit.nu * light.sun[2];
  const isSunny =
    facing > 0 && !isShaded(caster, light.sun, e + 0.3 * hit.ne, n + 0.3 * hit.nn, u + 0.05);
  let sunShare = isSunny ? facing : 0;
  // Leaves let light through, and shade each other at random rather than with an edge.
  if (solid.kind === "crown") sunShare = (isSunny ? 1 : 0.25) * Math.max(0, 0.25 + 0.75 * facing);
  const open = OPEN_SKY * (0.5 + 0.5 * hit.nu) + 0.1;
  const k = 255 * pattern(solid, hit, hit.depthM / focalPx);
  for (let c = 0; c < 3; c += 1) {
    const lit = (light.sunColour[c] ?? 0) * sunShare + (light.skyColour[c] ?? 0) * open;
    out[at + c] = k * Math.sqrt(Math.max(0, (solid.colour[c] ?? 0) * lit));
  }
}

/** Relative brightness of a place on a face; details smaller than two pixels are left out. */
function pattern(solid: Solid, { across, up, face }: Hit, pixelM: number): number {
  const amplitude = solid.kind === "crown" ? LEAF_AMPLITUDE : WALL_AMPLITUDE;
  let k = 1;
  for (const wave of WAVES_M) {
    if (wave < 2 * pixelM) break;
    k += amplitude * valueNoise(across / wave, up / wave, solid.seed);
  }
  if (solid.kind === "crown" || face === 2 || solid.sides === "plain") return Math.max(0.3, k);
  if (solid.sides === "ribs") return k * (Math.floor(across / 0.14) % 2 === 0 ? 1 : 0.9);
  const bay = across / 2.4 - Math.floor(across / 2.4);
  const storey = up / 3 - Math.floor(up / 3);
  return bay > 0.28 && bay < 0.72 && storey > 0.3 && storey < 0.78 ? 0.3 : k;
}
