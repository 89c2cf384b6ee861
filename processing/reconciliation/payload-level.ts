import { lowerBound } from "../numeric/bisection.ts";
import { MAD_TO_SIGMA, meanMedian } from "../numeric/median.ts";
import type { WeighingErrors } from "./weighing-errors.ts";

/** Where the payload is read: within `[fromMs, toMs)`, as near to `atMs` as there are readings. */
export interface PayloadWindow {
  readonly fromMs: number;
  readonly toMs: number;
  /** The crossing; one of the window's ends. */
  readonly atMs: number;
}

/** Readings of one machine, ascending in time. Times in ms since the Unix epoch; kilograms, `NaN` = none. */
export interface PayloadReadings {
  readonly timesMs: Float64Array;
  readonly payloadKg: Float64Array;
}

/** What a machine carried when it crossed the fence. */
export interface PayloadLevel {
  readonly kg: number;
  /** Readings that it is the median of, and how far the nearest of them is from the crossing. */
  readonly readings: number;
  readonly distanceMs: number;
  /** Robust standard deviation of the readings (1.4826 MAD), kilograms; 0 of one. */
  readonly spreadKg: number;
  /** Whether the readings stayed at one level; else the part nearest to the crossing was taken. */
  readonly isSteady: boolean;
}

/**
 * Readings this near to the crossing are weighed together: a minute of driving smooths the bouncing, and is short
 * against a haul. Shorter averages less of it, longer takes in the next load.
 */
const SPAN_MS = 60_000;
/**
 * Shortest span that an unsteady one is cut down to, ms. Shorter trusts single readings, longer mixes a load with
 * the next.
 */
const LEAST_SPAN_MS = 7_500;
/** Standard error of a median of normal values, times the root of their number: root of pi / 2. */
export const MEDIAN_ERROR = Math.sqrt(Math.PI / 2);

/** A reading, and how far from the crossing it was taken. */
interface Weighed {
  readonly kg: number;
  readonly distanceMs: number;
}

/**
 * The payload at one end of a window: the median of the readings within a minute of the crossing, or, with
 * none so near, the nearest one. Where the half nearer to the crossing differs from the farther one (a
 * machine that is still being loaded beside the fence), the nearer half is taken, and halved again.
 * `undefined`: no reading within the window.
 */
export function payloadLevel(
  { timesMs, payloadKg }: PayloadReadings,
  { fromMs, toMs, atMs }: PayloadWindow,
  errors: WeighingErrors,
): PayloadLevel | undefined {
  const found: Weighed[] = [];
  for (let i = lowerBound(timesMs, fromMs); i < timesMs.length; i += 1) {
    const timeMs = timesMs[i] ?? Number.NaN;
    if (!(timeMs < toMs)) break;
    const kg = payloadKg[i] ?? Number.NaN;
    if (Number.isFinite(kg)) found.push({ kg, distanceMs: Math.abs(timeMs - atMs) });
  }
  const [nearest, ...others] = found.toSorted((a, b) => a.distanceMs - b.distanceMs);
  if (nearest === undefined) return undefined;
  let near = [nearest, ...others.filter(({ distanceMs }) => distanceMs <= SPAN_MS)];
  let isSteady = true;
  for (let spanMs = SPAN_MS / 2; spanMs >= LEAST_SPAN_MS; spanMs /= 2) {
    const nearer = near.filter(({ distanceMs }) => distanceMs <= spanMs);
    const farther = near.filter(({ distanceMs }) => distanceMs > spanMs);
    if (nearer.length === 0 || farther.length === 0 || isOneLevel(nearer, farther, errors))
      continue;
    isSteady = false;
    near = nearer;
  }
  const kg = medianOf(near);
  return {
    kg,
    readings: near.length,
    distanceMs: nearest.distanceMs,
    spreadKg: spreadOf(near.map((one) => one.kg - kg)),
    isSteady,
  };
}

const medianOf = (readings: readonly Weighed[]): number => median(readings.map(({ kg }) => kg));
/** Robust standard deviation of deviations from a median. */
const spreadOf = (deviations: readonly number[]): number =>
  MAD_TO_SIGMA * median(deviations.map(Math.abs));

/** Whether two groups of readings differ by less than three standard deviations of weighing and scatter. */
function isOneLevel(
  a: readonly Weighed[],
  b: readonly Weighed[],
  { loadShare, leastLoadKg }: WeighingErrors,
): boolean {
  const [kgA, kgB] = [medianOf(a), medianOf(b)];
  const scatterKg = spreadOf([...a.map(({ kg }) => kg - kgA), ...b.map(({ kg }) => kg - kgB)]);
  const medianSigmaKg = MEDIAN_ERROR * scatterKg * Math.sqrt(1 / a.length + 1 / b.length);
  const sigmaKg = Math.hypot(loadShare * Math.max(kgA, kgB), medianSigmaKg);
  return Math.abs(kgA - kgB) <= Math.max(leastLoadKg, 3 * sigmaKg);
}

/**
 * The upper of two in the middle would add 0.2 standard deviations to each of six readings (+0.9 % of all
 * loads in 24 shifts of test/support/simulated-haul.ts).
 */
function median(values: readonly number[]): number {
  return meanMedian(values) ?? Number.NaN;
}
