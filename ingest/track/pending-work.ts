/** Work on one day that waits for the hour meter: of time in which the engine was not seen. Whole ms. */
export interface PendingWork {
  readonly dayStartMs: number;
  /** Time inside the shift and outside. */
  readonly shiftMs: number;
  readonly overMs: number;
  /** Time in which the machine said nothing of speed or load. */
  readonly plainMs: number;
  /** Time whose work was estimated, and time of which nothing is known. */
  readonly bridgedMs: number;
  readonly unknownMs: number;
  /** What was estimated as work inside the shift and outside. */
  readonly shiftWorkMs: number;
  readonly overWorkMs: number;
  /** Work that was seen although the engine was not: the machine moved. */
  readonly seenWorkMs: number;
  /** The part of it carried on from earlier readings of the meter. */
  readonly carriedMs: number;
  /** Time before the last reading of the meter without credited work, which it may still count. */
  readonly freeMs: number;
}

/** In stored order. */
export const PENDING_KEYS = [
  ...(["dayStartMs", "shiftMs", "overMs", "plainMs", "bridgedMs", "unknownMs"] as const),
  ...(["shiftWorkMs", "overWorkMs", "seenWorkMs"] as const),
  // Absent from what an older program stored.
  ...(["carriedMs", "freeMs"] as const),
];

/** Nothing that waits, of one day. */
export const noPendingWork = (dayStartMs: number): PendingWork => ({
  dayStartMs,
  shiftMs: 0,
  overMs: 0,
  plainMs: 0,
  bridgedMs: 0,
  unknownMs: 0,
  shiftWorkMs: 0,
  overWorkMs: 0,
  seenWorkMs: 0,
  carriedMs: 0,
  freeMs: 0,
});

/** Adds the parts of one day, in time order. */
export function addPendingWork(
  list: readonly PendingWork[],
  added: PendingWork,
): readonly PendingWork[] {
  const last = list.at(-1);
  if (last === undefined || last.dayStartMs !== added.dayStartMs) return [...list, added];
  const sum: Record<string, number> = { ...last };
  for (const key of PENDING_KEYS) if (key !== "dayStartMs") sum[key] = last[key] + added[key];
  return [...list.slice(0, -1), { ...last, ...sum }];
}

/** Adds work that was seen to the newest day that began before `beforeMs`, if anything of it waits. */
export function addSeenWork(
  list: readonly PendingWork[],
  beforeMs: number,
  seenMs: number,
): readonly PendingWork[] {
  // Nearly always: this runs for each reading without the engine's state.
  if (seenMs === 0) return list;
  const at = list.findLastIndex(({ dayStartMs }) => dayStartMs < beforeMs);
  const day = list[at];
  if (day === undefined) return list;
  return list.with(at, { ...day, seenWorkMs: day.seenWorkMs + seenMs });
}
