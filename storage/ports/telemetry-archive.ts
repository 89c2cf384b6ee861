import type { Series, SeriesQuery, TelemetryPoint } from "../ports.ts";

/** The journal's cursor of the way to the archive. */
export const ARCHIVE_CURSOR = "influx";

/** Why a batch has not arrived. */
export interface ArchiveFailure {
  /** `hold`: nothing goes until somebody mends something. `retry`: it may pass by itself. */
  readonly kind: "hold" | "retry";
  readonly reason: string;
  /** What the server asks to wait, ms. */
  readonly retryAfterMs?: number;
}

/** Takes points in batches, one batch at a time; two lanes may send at the same time. */
export interface ArchiveLane {
  /**
   * Resolves when the server has every point but those that it will never take, which come back with
   * the reason. Sending points again is harmless.
   * @throws ArchiveUnavailable when the server has not said so: the whole batch is to be sent again.
   */
  send(points: readonly TelemetryPoint[]): Promise<ArchiveReceipt>;
  close(): void;
}

/** A point that the server refuses, alone too. */
export interface RefusedPoint {
  readonly point: TelemetryPoint;
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
