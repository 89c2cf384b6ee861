import { valueNoise } from "../../randomness/noise.ts";
import type { Place } from "../../survey/coordinates/place.ts";
import { builtRect, directionOf, groundChangeM, type ProjectZone } from "./project-zone.ts";
import { type GridPoint, insideM, type SiteGrid } from "./site-grid.ts";

/** Natural ground of the site. */
export interface SiteGround {
  readonly grid: SiteGrid;
  readonly tiltEast: number;
  readonly tiltNorth: number;
  readonly zones: readonly ProjectZone[];
  readonly seed: number;
}

/** Undulations: wavelength and amplitude, metres. */
const UNDULATIONS = [
  [14, 0.12],
  [5, 0.05],
] as const;
/** Lumps that lie everywhere. */
const LUMPS = [
  [0.9, 0.012],
  [0.5, 0.008],
] as const;
/** Zones were levelled roughly before; for slabs, buildings and layers thinner than this (m), wholly. */
const LEVELLED_SHARE = 0.25;
const THIN_M = 0.5;
/** Width of the transition from a zone to undulating ground, metres. */
const EDGE_M = 4;

/** The tilted plane that the site is designed on, metres above its origin. */
export const planeM = ({ tiltEast, tiltNorth }: SiteGround, { eastM, northM }: Place): number =>
  tiltEast * eastM + tiltNorth * northM;

/** Height of the ground before any work, metres above the origin. */
export function naturalGroundM(ground: SiteGround, place: Place): number {
  const at = ground.grid.fromSite(place);
  let share = 1;
  for (const { plan } of ground.zones) {
    const outsideM = -insideM(builtRect(plan), at);
    if (outsideM > EDGE_M) continue;
    const { work } = plan;
    const isRough = (work.kind === "fill" || work.kind === "cut") && work.heightM >= THIN_M;
    const inner = isRough ? LEVELLED_SHARE : 0;
    const t = Math.max(0, outsideM / EDGE_M);
    share = Math.min(share, inner + (1 - inner) * t * t * (3 - 2 * t));
  }
  let upM = planeM(ground, place);
  for (const [k, [wave, amplitude]] of UNDULATIONS.entries()) {
    upM += share * amplitude * noiseAt(place, wave, ground.seed + k);
  }
  return upM + lumpsM(ground, place);
}

function lumpsM(ground: SiteGround, place: Place): number {
  let upM = 0;
  for (const [k, [wave, amplitude]] of LUMPS.entries()) {
    upM += amplitude * noiseAt(place, wave, ground.seed + 10 + k);
  }
  return upM;
}

const noiseAt = ({ eastM, northM }: Place, wave: number, seed: number): number =>
  valueNoise(eastM / wave, northM / wave, seed);

/**
 * Height of the ground in a zone when a share of its work is done: fills and slabs never go below the natural
 * ground (`naturalM`), cuts never above it.
 */
export function builtGroundM(
  ground: SiteGround,
  zone: ProjectZone,
  at: GridPoint,
  place: Place,
  done: number,
  naturalM: number,
): number {
  const changeM = groundChangeM(zone, at, done);
  if (changeM === 0) return naturalM;
  const builtM = planeM(ground, place) + changeM;
  return directionOf(zone.plan) > 0 ? Math.max(naturalM, builtM) : Math.min(naturalM, builtM);
}
