import { firstAtOrAfter } from "../../time/ascending.ts";

/** A value at a time; `null` is a time at which the value is known to be unknown, and ends the line. */
export interface Sample {
  /** ms since the Unix epoch. */
  readonly ms: number;
  readonly value: number | null;
}

/** One line of a chart. */
export interface ChartSeries {
  readonly key: string;
  readonly name: string;
  /** As the axis has it, `km/h`; lines of one unit share an axis. */
  readonly unit: string;
  /** Ascending. Values are in the unit that is shown: the caller converts. */
  readonly samples: readonly Sample[];
  /** A value with its unit, in the person's language. */
  readonly format: (value: number) => string;
}

/** Lines on one axis of times, as uPlot takes them: `null` breaks a line, `undefined` is another line's time. */
interface AlignedSeries {
  /** ms since the Unix epoch, ascending. */
  readonly timesMs: readonly number[];
  readonly values: readonly (readonly (number | null | undefined)[])[];
  /** Place on the axis of a time of a sample. */
  readonly placeByMs: ReadonlyMap<number, number>;
  /** By line: places of samples with a break on either side, which a line alone would not show. */
  readonly alone: readonly (readonly number[])[];
}

/** Puts lines on one axis of times. Samples further apart than `gapMs` are not joined. */
export function alignSeries(
  series: readonly Pick<ChartSeries, "samples">[],
  gapMs: number,
): AlignedSeries {
  const broken = series.map(({ samples }) => withBreaks(samples, gapMs));
  const timesMs = [...new Set(broken.flatMap((samples) => samples.map(({ ms }) => ms)))].sort(
    (a, b) => a - b,
  );
  const placeByMs = new Map(timesMs.map((ms, place) => [ms, place]));
  const values = broken.map((samples) => {
    const line = new Array<number | null | undefined>(timesMs.length).fill(undefined);
    for (const { ms, value } of samples) line[placeByMs.get(ms) ?? 0] = value;
    return line;
  });
  const alone = broken.map((samples) =>
    samples.flatMap(({ ms, value }, i) => {
      const hasNeighbour =
        (samples[i - 1]?.value ?? null) !== null || (samples[i + 1]?.value ?? null) !== null;
      return value === null || hasNeighbour ? [] : [placeByMs.get(ms) ?? 0];
    }),
  );
  return { timesMs, values, placeByMs, alone };
}

/** A break 1 ms after the last sample before a gap: no other time of the axis comes between. */
function withBreaks(samples: readonly Sample[], gapMs: number): readonly Sample[] {
  return samples.flatMap((sample, i) => {
    const next = samples[i + 1];
    const isGap = next !== undefined && next.ms - sample.ms > gapMs;
    return isGap ? [sample, { ms: sample.ms + 1, value: null }] : [sample];
  });
}

/**
 * The sample that a line has at a time: the nearer of the two around it. `undefined` before the first, after the last,
 * and where no line joins the two.
 */
export function sampleAt(
  samples: readonly Sample[],
  ms: number,
  gapMs: number,
): Sample | undefined {
  const after = firstAtOrAfter(samples, ms);
  const next = samples[after];
  if (next?.ms === ms) return next.value === null ? undefined : next;
  const last = samples[after - 1];
  if (next === undefined || last === undefined || next.ms - last.ms > gapMs) return undefined;
  if (last.value === null || next.value === null) return undefined;
  return ms - last.ms < next.ms - ms ? last : next;
}

/** Share of an axis that stays empty above and below a line: less, and a line touches the frame. */
const ROOM = 0.06;

/** Ends of an axis for values from `min` to `max`. It begins at 0 where that costs at most half of its height. */
export function axisRange(min: number | null, max: number | null): [min: number, max: number] {
  if (min === null || max === null) return [0, 1];
  const low = min >= 0 && min <= max / 2 ? 0 : min;
  const high = max <= 0 && max >= min / 2 ? 0 : max;
  // All values are the same: a unit of room, so that the line is in the middle, or at the foot if it is 0.
  if (low === high) return low === 0 ? [0, 1] : [low - 1, high + 1];
  const room = (high - low) * ROOM;
  return [low === 0 ? 0 : low - room, high === 0 ? 0 : high + room];
}

/** Rows of a table of lines: times with the value of each line, `null` and `undefined` as in the lines. */
interface TableRow {
  readonly ms: number;
  readonly values: readonly (number | null | undefined)[];
}

/** At most `most` of the times that have a value, evenly over all of them, and how many there are. */
export function tableRows(
  series: readonly Pick<ChartSeries, "samples">[],
  most: number,
): { readonly rows: readonly TableRow[]; readonly total: number } {
  const { timesMs, values } = alignSeries(series, Number.POSITIVE_INFINITY);
  const total = timesMs.length;
  const count = Math.min(most, total);
  const rows = Array.from({ length: count }, (_, row) => {
    const place = count === 1 ? 0 : Math.round((row * (total - 1)) / (count - 1));
    return { ms: timesMs[place] ?? 0, values: values.map((line) => line[place]) };
  });
  return { rows, total };
}
