import type { PointColumns, Series, SeriesQuery, TelemetryPoint } from "./telemetry-store.ts";

/** The journal's cursor of the transfer to the archive. */
export const ARCHIVE_CURSOR = "influx";

/** Why a batch has not arrived. */
export interface ArchiveFailure {
  /** `hold`: nothing goes until somebody mends something. `retry`: it may pass by itself. */
  readonly kind: "hold" | "retry";
  readonly reason: string;
  /** What the server asks to wait, ms. */
  readonly retryAfterMs?: number;
}

/** Points of one request, in the order in which they came, as the server wants them. */
export interface ArchiveBatch {
  /** Points that have a finite value; the others are left out. */
  readonly points: number;
  /** Memory that its points take. */
  readonly bytes: number;
  /** No more is to be added. */
  readonly isFull: boolean;
  add(point: PointColumns): void;
  /** Makes it empty, to be filled again. */
  clear(): void;
}

/** Takes points in batches, one batch at a time; two lanes may send at the same time. */
export interface ArchiveLane {
  openBatch(): ArchiveBatch;
  /**
   * Resolves when the server has every point but those that it will never take, which come back with
   * the reason. Sending a batch of this lane's again is harmless.
   * @throws ArchiveUnavailable when the server has not said so: the whole batch is to be sent again.
   */
  send(batch: ArchiveBatch): Promise<ArchiveReceipt>;
  close(): void;
}

/** A point that the server refuses, alone too. */
export interface RefusedPoint extends Pick<TelemetryPoint, "assetId" | "projectId" | "fixTimeMs"> {
  /** As it was sent. */
  readonly line: string;
  readonly reason: string;
}

/** What became of a batch. */
export interface ArchiveReceipt {
  readonly written: number;
  readonly refused: readonly RefusedPoint[];
  /** Points older than what the server keeps. */
  readonly expired: number;
}

/** The server that keeps all telemetry, beside the local store that keeps the newest. */
export interface TelemetryArchive {
  /** For logs: where it is, without secrets. */
  readonly name: string;
  /**
   * Creates what is missing on the server: database or bucket, retention, mapping.
   * @throws DomainError `STORE_UNAVAILABLE`, or `SETTINGS_INVALID` with an instruction.
   */
  prepare(): Promise<void>;
  /** The newest fix time at or after `sinceMs` on the server, ms; `undefined`: none. @throws as `read`. */
  newestFixTime(sinceMs: number): Promise<number | undefined>;
  openLane(): ArchiveLane;
  /** @throws DomainError `STORE_UNAVAILABLE`. */
  read(query: SeriesQuery): Promise<Series>;
}

/** The archive has not confirmed a batch; see `failure` for what to do about it. */
export class ArchiveUnavailable extends Error {
  override readonly name = "ArchiveUnavailable";
  readonly failure: ArchiveFailure;

  constructor(failure: ArchiveFailure, options?: ErrorOptions) {
    super(failure.reason, options);
    this.failure = failure;
  }
}

/** A point as columns, for a batch. */
export function columnsOf({ fields, ...point }: TelemetryPoint): PointColumns {
  const names = Object.keys(fields);
  const values = Object.values(fields);
  return { ...point, names, values, start: 0, end: names.length };
}

/** Sends points as one batch. @throws as `ArchiveLane.send`. */
export function sendPoints(
  lane: ArchiveLane,
  points: readonly TelemetryPoint[],
): Promise<ArchiveReceipt> {
  const batch = lane.openBatch();
  for (const point of points) batch.add(columnsOf(point));
  return lane.send(batch);
}
