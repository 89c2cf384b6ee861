import type { NewEvent } from "../../../domain/events/events.ts";
import type { JobId, MeasurementId, ProjectId, StockpileId } from "../../../domain/ids.ts";
import type { StockpileMeasurement } from "../../../domain/sites/measurement.ts";
import type { Stockpile } from "../../../domain/sites/stockpile.ts";

/** What one measurement changes; stored in one transaction. */
export interface MeasuredStockpile {
  readonly stockpile: Stockpile;
  readonly measurement: StockpileMeasurement;
  readonly events: readonly NewEvent[];
}

/** A stockpile as in lists: its datum may be long, and is for measurements alone. */
export interface ListedStockpile extends Omit<Stockpile, "datum"> {
  readonly has_datum: boolean;
}

export const listedStockpile = ({ datum, ...listed }: Stockpile): ListedStockpile => ({
  ...listed,
  has_datum: datum !== undefined,
});

/** Stockpiles, and every measurement of them. */
export interface StockpileRecords {
  /** @throws DomainError `ID_CONFLICT` (ids of deleted ones stay taken), `PROJECT_NOT_FOUND`. */
  insert(stockpile: Stockpile): Promise<void>;
  find(id: StockpileId): Promise<Stockpile | undefined>;
  /**
   * Oldest first. `projectIds` absent: all projects. `material` compares as `materialKey` does.
   * `limit` absent: all of them.
   */
  list(filter: {
    readonly projectIds?: readonly ProjectId[];
    readonly material?: string;
    readonly limit?: number;
    readonly offset: number;
  }): Promise<{ readonly stockpiles: readonly ListedStockpile[]; readonly total: number }>;
  /**
   * Replaces a stockpile by what `change` makes of it, and yields that. Changes of one stockpile run
   * one after the other; what `change` throws leaves all as it was.
   * @throws DomainError `STOCKPILE_NOT_FOUND`.
   */
  update(id: StockpileId, change: (before: Stockpile) => Stockpile): Promise<Stockpile>;
  /** Its measurements go with it. @throws DomainError `STOCKPILE_NOT_FOUND`. */
  delete(id: StockpileId): Promise<void>;
  /**
   * Stores what `measure` makes of the stockpile as it is now: its new state, the measurement and the
   * events, all or nothing. A measurement of this job that is there already is yielded instead.
   * @throws DomainError `STOCKPILE_NOT_FOUND`.
   */
  addMeasurement(
    id: StockpileId,
    jobId: JobId,
    measure: (before: Stockpile) => MeasuredStockpile,
  ): Promise<StockpileMeasurement>;
  findMeasurement(
    id: StockpileId,
    measurementId: MeasurementId,
  ): Promise<StockpileMeasurement | undefined>;
  /** Latest `measured_at` first. */
  measurements(
    id: StockpileId,
    page: {
      /** From its other end. */
      readonly isReversed?: boolean;
      readonly limit: number;
      readonly offset: number;
    },
  ): Promise<{ readonly measurements: readonly StockpileMeasurement[]; readonly total: number }>;
}
