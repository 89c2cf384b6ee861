import { HOUR_MS } from "../../domain/time.ts";

/** How fast a meter can run, and how far a reading of it may be off. */
interface MeterKind {
  readonly fastestPerHour: number;
  /**
   * In the meter's unit; some devices report whole units, or lag behind. More takes another
   * meter for the same one; less takes rounding for another meter.
   */
  readonly slack: number;
}

/** Engine hours: no engine runs longer than the clock. */
export const HOUR_METER: MeterKind = { fastestPerHour: 1, slack: 1 };
/** Kilometres: no machine on a site is faster than 150 km/h (docs/rules.md#working-time). */
export const ODOMETER: MeterKind = { fastestPerHour: 150, slack: 10 };

/** A machine's own cumulative meter, and what was on the ones before it. */
export interface UsageMeter {
  /** What it shows. */
  readonly shown: number;
  /** Fix time of that, ms since the Unix epoch. */
  readonly atMs: number;
  /** What has to be added for the usage; 0 until the meter was replaced. */
  readonly offset: number;
}

/** Usage that goes on where a meter was replaced; equal to what the first meter shows. */
export const usageOf = ({ shown, offset }: UsageMeter): number => shown + offset;

/**
 * Reads a meter again. One that went back, or on faster than possible, is another meter (a replaced
 * device, a reset, a glitch). The usage goes on from where it was, and nothing falls due by the jump.
 */
export function readMeter(
  before: UsageMeter | undefined,
  { shown, atMs }: Omit<UsageMeter, "offset">,
  { fastestPerHour, slack }: MeterKind,
): UsageMeter {
  if (before === undefined) return { shown, atMs, offset: 0 };
  const gone = shown - before.shown;
  const possible = ((atMs - before.atMs) / HOUR_MS) * fastestPerHour + slack;
  const isSameMeter = gone >= -slack && gone <= possible;
  return { shown, atMs, offset: isSameMeter ? before.offset : before.offset - gone };
}

/** Engine hours and kilometres that add up over all readings of an asset; late readings may change them. */
export interface UsageTotals {
  readonly hours: number;
  readonly km: number;
  /**
   * Whether any of the engine's time was known, and any of the distance: else the 0 beside it was never
   * measured.
   */
  readonly knowsHours: boolean;
  readonly knowsKm: boolean;
}
