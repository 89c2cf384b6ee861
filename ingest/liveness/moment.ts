/**
 * A moment on the server's clock, and how long the service had not been watching until then. Our own
 * downtime is not an asset's silence, so spans of liveness are measured with {@link watchedMs} only.
 */
export interface Moment {
  /** ms since the Unix epoch. */
  readonly atMs: number;
  /** Sum of all downtime before, ms; it also takes up jumps of the server's clock. */
  readonly pausedMs: number;
}

/** Time from one moment to a later one in which the service was watching, ms. */
export const watchedMs = (from: Moment, to: Moment): number =>
  to.atMs - to.pausedMs - (from.atMs - from.pausedMs);

/** What is stored of a moment. */
export type PackedMoment = readonly [atMs: number, pausedMs: number] | null;

export const packMoment = (moment: Moment | undefined): PackedMoment =>
  moment === undefined ? null : [moment.atMs, moment.pausedMs];

export const unpackMoment = (packed: PackedMoment): Moment | undefined =>
  packed === null ? undefined : { atMs: packed[0], pausedMs: packed[1] };
