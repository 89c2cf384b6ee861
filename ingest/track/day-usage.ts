/** The parts of a figure by source, and its bounds; whole ms, or whole cm of distance. */
export interface FigureParts {
  /** What the machine's own meter says of time that was not seen. */
  meter: number;
  /** What was estimated for time that was not seen. */
  bridged: number;
  /** Bounds of the whole figure, what was observed included. */
  lower: number;
  upper: number;
}

/** How much time of a day a figure knows, and from what; whole ms. */
export interface Coverage {
  seenMs: number;
  meterMs: number;
  bridgedMs: number;
  /** Nothing is known of the figure in this time. */
  unknownMs: number;
}

/** Time of which a figure is known, ms. */
export const knownMs = ({ seenMs, meterMs, bridgedMs }: Coverage): number =>
  seenMs + meterMs + bridgedMs;

/**
 * How many readings of a day had the values a figure needs; -1: stored by a program that did not count
 * them.
 */
export interface Said {
  /** Engine state or hour meter. */
  engine: number;
  /** Of work: engine, speed, position, or one of the meters. */
  work: number;
  /** Position, odometer or trip counter. */
  distance: number;
}

/** How the figures of a day came about. Time of the day in no coverage lies before the first or after the last reading. */
export interface DayUsage {
  readonly engine: FigureParts;
  /** Work inside the shift. */
  readonly work: FigureParts;
  readonly overtime: FigureParts;
  readonly distance: FigureParts;
  readonly engineCover: Coverage;
  /** Of work, inside the shift and outside. */
  readonly workCover: Coverage;
  readonly distanceCover: Coverage;
  /** Time in which the machine said nothing of speed or load: it worked as long as its engine ran. */
  readonly plain: { ms: number };
  readonly said: Said;
}

export function newDayUsage(): DayUsage {
  return {
    engine: noParts(),
    work: noParts(),
    overtime: noParts(),
    distance: noParts(),
    engineCover: noCoverage(),
    workCover: noCoverage(),
    distanceCover: noCoverage(),
    plain: { ms: 0 },
    said: { engine: 0, work: 0, distance: 0 },
  };
}

const noParts = (): FigureParts => ({ meter: 0, bridged: 0, lower: 0, upper: 0 });
const noCoverage = (): Coverage => ({ seenMs: 0, meterMs: 0, bridgedMs: 0, unknownMs: 0 });

/** All numbers of a day in stored order; part of the layout of tracks and of stored days. */
export type PackedUsage = readonly number[];

export function packUsage(usage: DayUsage): PackedUsage {
  const packed: number[] = [];
  // Twice for each asset of a commit: flatMap took five times as long.
  for (const group of Object.values(usage)) {
    for (const value of Object.values(group as Record<string, number>)) packed.push(value);
  }
  return packed;
}

/** What {@link packUsage} made; `undefined` for what an older program stored. */
export function unpackUsage(packed: PackedUsage | undefined): DayUsage | undefined {
  if (packed === undefined) return undefined;
  const usage = newDayUsage();
  let at = 0;
  for (const group of Object.values(usage) as Record<string, number>[]) {
    for (const name of Object.keys(group)) {
      // Only `said` may be unknown, of a day that was stored before it was counted.
      group[name] = packed[at] ?? -1;
      at += 1;
    }
  }
  return usage;
}

/** A copy that does not change when the day goes on. */
export const copyUsage = (usage: DayUsage): DayUsage =>
  unpackUsage(packUsage(usage)) ?? newDayUsage();
