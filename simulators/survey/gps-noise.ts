import type { Random } from "../random.ts";
import type { GpsMode } from "./options.ts";

/** Errors of one position: east, north, up, metres. */
export type GpsError = readonly [east: number, north: number, up: number];

/** Standard deviations by axis, and of the offset that a flight has in common, metres. */
interface GpsErrors {
  readonly horizontalM: number;
  readonly verticalM: number;
  readonly biasHorizontalM: number;
  readonly biasVerticalM: number;
  /** Correlation of two positions in a row, 0 to 1. */
  readonly correlation: number;
  /** By which heights are further off with each image, metres. */
  readonly climbM?: number;
}

const CONSUMER = {
  horizontalM: 0.8,
  verticalM: 1.2,
  biasHorizontalM: 0,
  biasVerticalM: 0,
  correlation: 0,
};

/**
 * By mode: `white` independent errors; `bias` the same and a common offset; `ar1` errors that drift
 * (first-order autoregressive, as those of satellites and atmosphere do) and a common offset; `rtk`
 * what a fixed solution states of itself; `barometer` white ones whose heights begin tens of metres off and
 * drift with the weather; `altitude-drift` those of one real flight, 117 m over 36 images; `exact` none. Sizes of PHOTOGRAMMETRY.md 3.1.
 */
const ERRORS: Record<GpsMode, GpsErrors> = {
  white: CONSUMER,
  bias: { ...CONSUMER, biasHorizontalM: 1.2, biasVerticalM: 2.5 },
  ar1: { ...CONSUMER, biasHorizontalM: 1.2, biasVerticalM: 2.5, correlation: 0.9 },
  barometer: { ...CONSUMER, biasHorizontalM: 1.2, biasVerticalM: 60, climbM: 0.33 },
  "altitude-drift": { ...CONSUMER, biasHorizontalM: 1.2, biasVerticalM: 2.5, climbM: 3.25 },
  rtk: { horizontalM: 0.02, verticalM: 0.03, biasHorizontalM: 0, biasVerticalM: 0, correlation: 0 },
  exact: { horizontalM: 0, verticalM: 0, biasHorizontalM: 0, biasVerticalM: 0, correlation: 0 },
};

/** What a receiver of this mode states as its standard deviations; `undefined`: it says nothing. */
export function statedSigmaM(mode: GpsMode): { horizontal: number; vertical: number } | undefined {
  if (mode !== "rtk") return undefined;
  return { horizontal: ERRORS.rtk.horizontalM, vertical: ERRORS.rtk.verticalM };
}

/** Errors of one flight's positions, in the order of the images. */
export function createGpsNoise(
  mode: GpsMode,
  sigmaM: number | undefined,
  random: Random,
): () => GpsError {
  const errors = ERRORS[mode];
  const scale = sigmaM === undefined || errors.horizontalM === 0 ? 1 : sigmaM / errors.horizontalM;
  const bias = [
    errors.biasHorizontalM * random.gaussian(),
    errors.biasHorizontalM * random.gaussian(),
    errors.biasVerticalM * random.gaussian(),
  ];
  const sigmas = [errors.horizontalM, errors.horizontalM, errors.verticalM];
  const { correlation } = errors;
  let state = sigmas.map((sigma) => scale * sigma * random.gaussian());
  const fresh = Math.sqrt(1 - correlation * correlation);
  let climbM = 0;
  return () => {
    const [east = 0, north = 0, up = 0] = state.map((value, k) => value + (bias[k] ?? 0));
    state = state.map(
      (value, k) => correlation * value + fresh * scale * (sigmas[k] ?? 0) * random.gaussian(),
    );
    const off = up + climbM;
    climbM += errors.climbM ?? 0;
    return [east, north, off];
  };
}
