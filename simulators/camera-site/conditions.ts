import type { Random } from "../randomness/random.ts";
import type { Colour } from "./canvas.ts";
import { type Hardship, MOVED_SHARE, SHIFT_PX, TURN_DEG } from "./options.ts";

/** Sun, sky and air of one picture. Colours are factors, not bytes. */
export interface Light {
  /** What reaches a surface from the sun straight on; 0 under clouds. */
  readonly sun: Colour;
  readonly sky: Colour;
  /** Where the sun is: -1 far left, 0 behind the camera, 1 far right. */
  readonly side: number;
  /** Length of a shadow by the height of what casts it. */
  readonly shadowLength: number;
  /** Colour of the air, bytes, and how much of what is seen it is at depth 1. */
  readonly haze: Colour;
  readonly hazeShare: number;
}

/** Everything about a picture but what is built. */
export interface Conditions {
  readonly light: Light;
  readonly clouds: { readonly seed: number; readonly cover: number };
  /** Of the ground: 1 dry, below it wet. */
  readonly wetness: number;
  readonly shiftX: number;
  readonly shiftY: number;
  readonly turnRad: number;
  /** How far the camera points off its reference view, pixels. */
  readonly panX: number;
  readonly panY: number;
  readonly gains: Colour;
  readonly gamma: number;
  /** Standard deviation of the sensor's noise, bytes. */
  readonly noise: number;
  readonly jpegQuality: number;
  readonly hardships: readonly Hardship[];
  /** For what stands, drives and hangs before the buildings that day. */
  readonly seed: string;
}

/** Conditions of the reference view: a bright day, the camera where it was set up. */
export function referenceConditions(random: Random): Conditions {
  const usual = drawConditions(random, {});
  return { ...usual, shiftX: 0, shiftY: 0, turnRad: 0, panX: 0, panY: 0 };
}

/** Draws the weather and the camera's day. */
export function drawConditions(
  random: Random,
  {
    hardships = [],
    movedShare = 0,
    widthPx = 960,
  }: {
    readonly hardships?: readonly Hardship[];
    /** Share of the width by which the camera points off; 0: it was not knocked. */
    readonly movedShare?: number;
    readonly widthPx?: number;
  },
): Conditions {
  const isOvercast = random.chance(0.4);
  const isNight = hardships.includes("night");
  const power = (isOvercast ? 0 : random.uniform(0.35, 0.85)) * (isNight ? 0 : 1);
  const warmth = random.uniform(-0.08, 0.18);
  const sky =
    (isOvercast ? random.uniform(0.55, 0.95) : random.uniform(0.35, 0.6)) * (isNight ? 0.07 : 1);
  const grey = isNight ? 8 : random.uniform(150, 225);
  const angle = random.uniform(0, 2 * Math.PI);
  return {
    light: {
      sun: [power * (1 + warmth), power, power * (1 - 1.3 * warmth)],
      sky: [sky * 0.95, sky, sky * random.uniform(1, 1.12)],
      side: random.uniform(-1, 1),
      shadowLength: random.uniform(0.3, 1.6),
      haze: [grey * 0.97, grey, Math.min(255, grey * 1.05)],
      hazeShare: hardships.includes("fog") ? random.uniform(0.6, 0.95) : random.uniform(0, 0.3),
    },
    clouds: { seed: random.integer(1, 1e6), cover: isOvercast ? 1 : random.uniform(0, 0.7) },
    wetness: random.chance(0.3) ? random.uniform(0.6, 0.85) : random.uniform(0.9, 1.1),
    shiftX: random.uniform(-SHIFT_PX, SHIFT_PX),
    shiftY: random.uniform(-SHIFT_PX, SHIFT_PX),
    turnRad: (random.uniform(-TURN_DEG, TURN_DEG) * Math.PI) / 180,
    panX: movedShare * widthPx * (random.chance(0.5) ? 1 : -1),
    panY: movedShare === 0 ? 0 : random.uniform(-0.25, 0.25) * movedShare * widthPx,
    gains: [random.uniform(0.88, 1.13), random.uniform(0.96, 1.04), random.uniform(0.87, 1.13)],
    gamma: random.uniform(0.88, 1.15),
    noise: random.uniform(1.5, 5) * (isNight ? 2 : 1),
    jpegQuality: random.integer(62, 90),
    hardships,
    seed: `${angle}`,
  };
}

/** Share of the width by default where the camera is to have moved. */
export const movedConditions = (random: Random, widthPx: number, share = MOVED_SHARE): Conditions =>
  drawConditions(random, { movedShare: share, widthPx });

/** What a surface looks like: its own colour, how much sun it gets, how far it is; bytes. */
export function lit(colour: Colour, sunShare: number, depth: number, light: Light): Colour {
  const haze = light.hazeShare * (0.25 + 0.75 * depth);
  const one = (c: 0 | 1 | 2): number =>
    colour[c] * (light.sky[c] + sunShare * light.sun[c]) * (1 - haze) + light.haze[c] * haze;
  return [one(0), one(1), one(2)];
}
