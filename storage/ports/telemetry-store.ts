import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { JournalPosition } from "./journal.ts";

/** One reading of one asset on its time line. */
export interface TelemetryPoint {
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  /** ms since the Unix epoch, UTC. */
  readonly fixTimeMs: number;
  /** Precedence of two points at one fix time: higher `seq` (-1 = none), then larger `payloadHash` (uint32). */
  readonly seq: number;
  readonly payloadHash: number;
  readonly fields: Readonly<Record<string, number>>;
}

/**
 * One point as stores take it: its fields are the places `[start, end)` of `names` and `values`. The same object may
 * be another point after it was taken, so that no object is made for each point.
 */
export interface PointColumns extends Omit<TelemetryPoint, "fields"> {
  readonly names: readonly string[];
  readonly values: ArrayLike<number>;
  readonly start: number;
  readonly end: number;
}

/** Points, one after the other. */
export interface PointRun {
  /** The point that it is at; `undefined` behind the last. */
  readonly point: PointColumns | undefined;
  /** Moves to the point behind it. */
  next(): void;
}

export interface SeriesQuery {
  readonly assetId: AssetId;
  /** Half-open interval `[fromMs, toMs)`, ms since the Unix epoch, UTC. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Fields to return; absent: all. Rows that carry none of them are left out. */
  readonly fields?: readonly string[];
}

/** A range of one asset's time line as columns of equal length, ascending, one row per fix time. */
export interface Series {
  /** ms since the Unix epoch. */
  readonly timesMs: Float64Array;
  /** Values by field name; `NaN` where a row does not carry the field. */
  readonly columns: ReadonlyMap<string, Float64Array>;
}

/** Time series of readings. Every adapter passes `test/contracts/telemetry-store.ts`. */
export interface TelemetryStore {
  /**
   * Takes a batch: visible to `read` when the promise resolves, on disk later (see
   * `durablePosition`). Writing points again is harmless: rows of one asset and fix time are merged
   * field by field, the point of higher precedence winning. `position` is the journal record up to
   * which the batch is complete. Resolves late when the store is behind (back pressure).
   * @throws DomainError `STORE_UNAVAILABLE` when nothing was taken and the batch may be retried.
   */
  write(points: readonly TelemetryPoint[], position: JournalPosition): Promise<void>;
  /** The same with points that are read as they are taken; after a refusal the run is at any of them. */
  writeRun(points: PointRun, position: JournalPosition): Promise<void>;
  /** The journal position up to which every point is on disk; `undefined` for an empty store. */
  readonly durablePosition: JournalPosition | undefined;
  /** Called whenever `durablePosition` has moved. */
  onDurable(listener: (position: JournalPosition) => void): void;
  /** An unknown asset yields an empty series. */
  read(query: SeriesQuery): Promise<Series>;
  /** Makes everything taken so far durable. */
  flush(): Promise<void>;
  /** Deletes whole periods that end at or before `beforeMs`. */
  expire(beforeMs: number): Promise<void>;
  close(): Promise<void>;
}
