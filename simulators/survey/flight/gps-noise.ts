import type { Random } from "../../randomness/random.ts";
import type { GpsMode } from "../options/options.ts";

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
  /** Distance in plan, in one direction, that positions drift from the first image to the last: from, up to, metres. */
  readonly planDriftM?: readonly [from: number, upTo: number];
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
 * (first-order autoregressive, as those of satellites and atmosphere do) and a common offset; `plan-drift` those of
 * `bias` that also drift in plan, by as much with each image and 8 to 14 m in all; `rtk` what a fixed solution states of
 * itself; `barometer` white ones whose heights begin tens of metres off and drift with the weather;
 * `altitude-drift` those of one real flight, 117 m over 36 images; `exact` none. Sizes of docs/photogrammetry.md#simulated-flights.
 */
const ERRORS: Record<GpsMode, GpsErrors> = {
  white: CONSUMER,
  bias: { ...CONSUMER, biasHorizontalM: 1.2, biasVerticalM: 2.5 },
  ar1: { ...CONSUMER, biasHorizontalM: 1.2, biasVerticalM: 2.5, correlation: 0.9 },
  "plan-drift": { ...CONSUMER, biasHorizontalM: 1.2, biasVerticalM: 2.5, planDriftM: [8, 14] },
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

/** Errors of one flight's positions, in the order of its images. */
export function createGpsNoise(
  mode: GpsMode,
  { sigmaM, images }: { readonly sigmaM: number | undefined; readonly images: number },
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
  const stepM = planStepM(errors, images, random);
  let image = 0;
  return () => {
    const [east = 0, north = 0, up = 0] = state.map((value, k) => value + (bias[k] ?? 0));
    state = state.map(
      (value, k) => correlation * value + fresh * scale * (sigmas[k] ?? 0) * random.gaussian(),
    );
    const drift = [stepM[0] * image, stepM[1] * image, (errors.climbM ?? 0) * image] as const;
    image += 1;
    return [east + drift[0], north + drift[1], up + drift[2]];
  };
}

/** By which positions are further off in plan with each image, east and north, metres. */
function planStepM(
  { planDriftM }: GpsErrors,
  images: number,
  random: Random,
): readonly [east: number, north: number] {
  if (planDriftM === undefined) return [0, 0];
  const stepM = random.uniform(...planDriftM) / Math.max(1, images - 1);
  const direction = random.uniform(0, 2 * Math.PI);
  return [stepM * Math.cos(direction), stepM * Math.sin(direction)];
}
