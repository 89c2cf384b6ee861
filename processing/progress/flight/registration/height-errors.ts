import type { CoRegistration } from "./co-registration.ts";

/** What the heights of a zone's end are measured in. */
export type HeightReference =
  /** A flight's surface, in the frame of the datum. */
  | "flight"
  /** A raster or a triangulated surface, in the heights of its provider. */
  | "given"
  /** One height in those of the surveys. */
  | "survey"
  /** So far above the baseline. */
  | "baseline";

/** What is known of how surfaces lie on each other. */
export interface HeightFacts {
  readonly baseline: Exclude<HeightReference, "baseline">;
  /** `undefined`: the zone has none; heights of levels are above the baseline. */
  readonly design: HeightReference;
  /** Of this flight against the zone's baseline; `undefined`: too little stable ground. */
  readonly own: CoRegistration | undefined;
  /** Of this flight against whatever was given for the project and reaches over stable ground. */
  readonly site: CoRegistration | undefined;
  /** Whether RTK, control points or the surface's provider place this flight, and the datum. */
  readonly isPlaced: boolean;
  readonly gsdM: number;
  /** How sure the flight lies in the frame of the datum, one standard deviation, metres. */
  readonly alignmentSigmaM: number;
}

/** How far heights of a zone may be off, metres: one standard deviation each. */
export interface HeightErrors {
  /** To be subtracted from the flight's heights, and to be added to the design's. */
  readonly biasM: number;
  readonly designOffsetM: number;
  readonly source: "stable_ground" | "assumed";
  readonly stableCells: number;
  /** Of the difference between flight and baseline: one cell, and the mean over an area. */
  readonly cellSigmaM: number;
  meanSigmaM(areaM2: number): number;
  /** Of the design against the baseline. */
  readonly designSigmaM: number;
}

/** A fixed RTK solution, or control points (docs/progress-method.md#surfaces: max(0.03 m, 2 GSD)). */
const PLACED_SIGMA_M = 0.03;
const PLACED_SIGMA_GSD = 2;
/** Two flights that consumer GPS placed and their images or ground tied (docs/progress-method.md#surfaces: without). */
const GPS_SIGMA_M = 0.3;
/**
 * Heights of consumer receivers against given ones: what they call the altitude differs by more from maker
 * to maker (docs/photogrammetry.md#traps-of-real-images).
 */
const GPS_HEIGHT_M = 3;
/**
 * No two surveys agree better, metres: heights are kept to the millimetre. Smaller would let a lucky fit promise
 * millimetres; larger hides good ones.
 */
const LEAST_SIGMA_M = 0.005;
/**
 * Mean height error that a zone shares, in ground sample distances: what matching rounds off (as of heaps:
 * volume/height-noise.ts).
 */
const SHARED_GSD = 0.15;

/** How far a zone's heights may be off (docs/progress-method.md#surfaces, co-registration). */
export function heightErrors(facts: HeightFacts): HeightErrors {
  const { baseline, own, site, isPlaced, gsdM, alignmentSigmaM } = facts;
  const placedM = Math.max(PLACED_SIGMA_M, PLACED_SIGMA_GSD * gsdM);
  const absoluteM = isPlaced ? placedM : GPS_HEIGHT_M;
  const known = own ?? (baseline === "given" ? site : undefined);
  const flights = baseline === "flight" ? 2 : 1;
  const sharedM = SHARED_GSD * gsdM * Math.sqrt(flights);
  const { designOffsetM, designSigmaM } = designErrors(facts, known);
  const common = { designOffsetM, designSigmaM };
  if (known !== undefined) {
    const leastM = Math.max(LEAST_SIGMA_M, alignmentSigmaM, sharedM);
    return {
      ...common,
      biasM: known.biasM,
      source: "stable_ground",
      stableCells: known.stableCells,
      cellSigmaM: Math.max(LEAST_SIGMA_M, known.nmadM),
      meanSigmaM: (areaM2) => Math.max(leastM, known.meanSigmaM(areaM2)),
    };
  }
  const eachM = baseline === "flight" ? (isPlaced ? placedM : GPS_SIGMA_M) : absoluteM;
  return {
    ...common,
    biasM: 0,
    source: "assumed",
    stableCells: 0,
    cellSigmaM: eachM * Math.sqrt(flights),
    meanSigmaM: () => Math.max(eachM, alignmentSigmaM),
  };
}

/** Where the design lies against the flight's heights less their bias. */
function designErrors(
  { baseline, design, site, isPlaced }: HeightFacts,
  known: CoRegistration | undefined,
): Pick<HeightErrors, "designOffsetM" | "designSigmaM"> {
  const biasM = known?.biasM ?? 0;
  if (design === "baseline" || design === baseline) return { designOffsetM: 0, designSigmaM: 0 };
  if (design === "given" && site !== undefined) {
    return {
      designOffsetM: site.biasM - biasM,
      designSigmaM: Math.max(LEAST_SIGMA_M, site.meanSigmaM(Number.POSITIVE_INFINITY)),
    };
  }
  // Heights of the surveys are those of the datum; a flight that was brought onto a given surface left them.
  const designOffsetM = baseline === "given" && design === "survey" ? -biasM : 0;
  return { designOffsetM, designSigmaM: isPlaced ? PLACED_SIGMA_M : GPS_HEIGHT_M };
}
