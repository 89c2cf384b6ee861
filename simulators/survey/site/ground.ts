import type { Place } from "../coordinates/place.ts";

/** Ground that was levelled by machines: a stockpile's pad or the yard of a building. */
export interface Pad {
  readonly centre: Place;
  /** Level (but for the site's tilt) within this distance of the centre, metres. */
  readonly radiusM: number;
}

/** Shape of the ground without anything on it. */
export interface Ground {
  /** Rise per metre to the east and to the north. */
  readonly tiltEast: number;
  readonly tiltNorth: number;
  /** Amplitude of undulations of 14 m and 5 m, metres; pads have none. */
  readonly undulationM: number;
  /** Amplitude of lumps of 0.5 m and less that lie everywhere, metres. */
  readonly roughnessM: number;
  /** Beyond this distance from the origin, east or north, the ground is the plain tilted plane. */
  readonly extentM: number;
  readonly pads: readonly Pad[];
  readonly seed: number;
}

/**
 * Width of the slope from a pad to undulating ground, metres. Narrower is a step beside a heap, wider leaves
 * little undulation between pads.
 */
const PAD_EDGE_M = 4;
/**
 * Width of the margin in which all relief fades, metres. Narrower is a wall around the site, wider flattens it.
 */
const MARGIN_M = 6;

/** Share of the undulations that a place has, 0 (pad) to 1. */
export function undulationShare(ground: Ground, eastM: number, northM: number): number {
  let share = fade((ground.extentM - Math.max(Math.abs(eastM), Math.abs(northM))) / MARGIN_M);
  for (const pad of ground.pads) {
    const beyondM = Math.hypot(eastM - pad.centre.eastM, northM - pad.centre.northM) - pad.radiusM;
    if (beyondM < PAD_EDGE_M) share *= fade(beyondM / PAD_EDGE_M);
  }
  return share;
}

function fade(t: number): number {
  const c = Math.min(1, Math.max(0, t));
  return c * c * (3 - 2 * c);
}
