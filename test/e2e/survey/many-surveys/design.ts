import { createRandom } from "../../../../simulators/randomness/random.ts";
import type { GpsMode, SurveyOptions } from "../../../../simulators/survey/options/options.ts";

/** What the place and the scale of a survey rest on. */
export const POSITIONS = [
  "rtk",
  "control",
  "white",
  "drift",
  "plan-drift",
  "barometer",
  "altitude-drift",
] as const;
export type Positions = (typeof POSITIONS)[number];

/** Classes of texture by the share of its contrast, and of the ground sample distance, cm: from, up to. */
type Span = readonly [from: number, upTo: number];
export type Texture = "full" | "half" | "low";
const TEXTURES: Readonly<Record<Texture, Span>> = {
  full: [0.6, 1],
  half: [0.3, 0.6],
  low: [0.1, 0.3],
};
export type SampleDistance = "fine" | "middle" | "coarse";
const SAMPLE_DISTANCES: Readonly<Record<SampleDistance, Span>> = {
  fine: [2, 4],
  middle: [4, 6.5],
  coarse: [6.5, 9],
};

/** One survey of the series: its classes, and what the simulator needs. */
export interface SurveyDesign {
  readonly seed: number;
  readonly positions: Positions;
  readonly texture: Texture;
  readonly sampleDistance: SampleDistance;
  readonly options: Partial<SurveyOptions>;
}

const GPS: Readonly<Record<Positions, GpsMode>> = {
  ...{ rtk: "rtk", control: "bias", white: "white", drift: "ar1" },
  ...{ "plan-drift": "plan-drift", barometer: "barometer", "altitude-drift": "altitude-drift" },
};

/**
 * By how much lenses are off the focal length of their tags, percent, either way. Of 13 real cameras whose calibration
 * is public ten are 0.4 to 4.2 % off (docs/surveys.md). The other three, 7 to 9 % off, are left out.
 */
const FOCAL_OFF_PERCENT = [0.4, 4.2] as const;
/** Control points of a survey that has them, and which of them is held back. */
const CONTROL_POINTS = 6;
/** Ground sample distance of images of this width from this height, cm: the simulator's lens. */
const REFERENCE = { gsdCm: 4.55, altitudeM: 38, widthPx: 1_200 } as const;

const nth = <T>(of: readonly T[], i: number): T => of[i % of.length] as T;

/**
 * The survey of a seed, whichever the first of a run. Every combination of the three classes comes once in 63 seeds
 * in a row. Values within the classes, the site, its fall and the overlap are drawn by the seed.
 * @param seed from 1
 */
export function surveyDesign(seed: number): SurveyDesign {
  const i = seed - 1;
  const random = createRandom(`coverage-${seed}`);
  const positions = nth(POSITIONS, i);
  const textures = Object.keys(TEXTURES) as Texture[];
  const distances = Object.keys(SAMPLE_DISTANCES) as SampleDistance[];
  const texture = nth(textures, Math.floor(i / POSITIONS.length));
  const sampleDistance = nth(distances, Math.floor(i / POSITIONS.length / textures.length));
  const gsdCm = random.uniform(...SAMPLE_DISTANCES[sampleDistance]);
  // From lower down the same site needs more images; wide images make it fewer.
  const widthPx = gsdCm < 4 ? 1_200 : gsdCm < 6.5 ? 800 : 640;
  // Of its own, so that all else of a seed is as it was before lenses were drawn.
  const lens = createRandom(`coverage-lens-${seed}`);
  const altitudeM = (REFERENCE.altitudeM * gsdCm * widthPx) / (REFERENCE.gsdCm * REFERENCE.widthPx);
  return {
    ...{ seed, positions, texture, sampleDistance },
    options: {
      ...{ seed, widthPx, altitudeM, gps: GPS[positions] },
      images: gsdCm < 4 ? 24 : 18,
      obliques: random.chance(0.3) ? 0 : 4,
      overlap: { forward: random.uniform(74, 82), side: random.uniform(62, 72) },
      slopePercent: random.uniform(0, 6),
      contrast: random.uniform(...TEXTURES[texture]),
      focalOffPercent: (lens.chance(0.5) ? 1 : -1) * lens.uniform(...FOCAL_OFF_PERCENT),
      controlPoints: positions === "control" ? CONTROL_POINTS : 0,
    },
  };
}
