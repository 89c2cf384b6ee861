import type { Stockpile } from "../../../state/site-places.ts";
import type { ListedMeasurement } from "./requests.ts";

/** A volume at a time, as the chart and its table show it. */
export interface HistoryPoint {
  /** ms since the Unix epoch. */
  readonly ms: number;
  /** Cubic metres. */
  readonly m3: number;
  /** Half of the 95 % interval, m³; absent: a person declared it. */
  readonly interval95M3?: number;
  /** The measurement; absent: a declared volume. */
  readonly measurement?: ListedMeasurement;
  /** Whether it is comparable with the point before, so that a line may lead here. */
  readonly isJoined: boolean;
}

/** What the volume before a measurement was. */
export type ComparedWith = "measured" | "other" | "declared" | "none";

/** A change without an uncertainty is one of another footprint or base, unless a person declared the volume before. */
export function comparedWith(measurement: ListedMeasurement): ComparedWith {
  const { change_basis, change_uncertainty_95_m3 } = measurement;
  if (change_basis !== "measured") return change_basis;
  return change_uncertainty_95_m3 === undefined ? "other" : "measured";
}

/**
 * Volumes of a stockpile, oldest first: its measurements, and the current volume where a person declared it. Of earlier
 * declared volumes the service keeps no time, so they are in the table alone, as what a measurement was compared with.
 */
export function historyOf(
  pile: Pick<Stockpile, "volume_basis" | "current_volume_m3" | "last_measured">,
  measurements: readonly ListedMeasurement[],
): readonly HistoryPoint[] {
  const ordered = measurements.toSorted(
    (a, b) => Date.parse(a.measured_at) - Date.parse(b.measured_at),
  );
  const points = ordered.map((measurement, i): HistoryPoint => {
    const before = ordered[i - 1];
    return {
      ms: Date.parse(measurement.measured_at),
      m3: measurement.current_volume_m3,
      interval95M3: measurement.uncertainty_95_m3,
      measurement,
      isJoined:
        before !== undefined &&
        before.measurement_id === measurement.previous_measurement_id &&
        comparedWith(measurement) === "measured",
    };
  });
  if (pile.volume_basis !== "declared") return points;
  const declared = {
    ms: Date.parse(pile.last_measured),
    m3: pile.current_volume_m3,
    isJoined: false,
  };
  return [...points, declared].sort((a, b) => a.ms - b.ms);
}

/** Top of an axis of volumes from 0, m³: the highest end of an interval, rounded up to 1, 2 or 5 of its power of ten. */
export function axisTop(points: readonly HistoryPoint[]): number {
  const most = Math.max(1, ...points.map(({ m3, interval95M3 = 0 }) => m3 + interval95M3));
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5, 10].find((step) => step * power >= most) ?? 10) * power;
}
