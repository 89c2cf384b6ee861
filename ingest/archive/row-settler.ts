import { DomainError } from "../../domain/errors.ts";
import type { AssetId } from "../../domain/ids.ts";
import type {
  Series,
  TelemetryPoint,
  TelemetryStore,
} from "../../storage/ports/telemetry-store.ts";
import { byAssetAndTime, timeRanges } from "./asset-times.ts";

const EMPTY: Series = { timesMs: new Float64Array(), columns: new Map() };

/**
 * Decides what is written where readings meet at one fix time. A server overwrites field by field
 * with what comes last and knows neither `seq` nor payload hash; the local store does. So a fix time
 * that may be on the server already is written as the local store has settled it, with all its
 * fields. A fix time newer than any before, as nearly all are, is written as it came.
 */
export class RowSettler {
  readonly #local: Pick<TelemetryStore, "read">;

  constructor(local: Pick<TelemetryStore, "read">) {
    this.#local = local;
  }

  /**
   * The rows to write, after all before them, for points of rising journal order that are not the
   * newest; one per asset and fix time. The local store must have all of them.
   */
  async settle(points: readonly TelemetryPoint[]): Promise<readonly TelemetryPoint[]> {
    const settled: TelemetryPoint[] = [];
    for (const [assetId, byTime] of byAssetAndTime(points)) {
      for (const times of timeRanges(byTime.keys())) {
        const rows = await this.#rows(assetId, times);
        for (const time of times) {
          const point = byTime.get(time)?.at(-1);
          if (point !== undefined) settled.push({ ...point, ...rows.get(time) });
        }
      }
    }
    return settled;
  }

  /** The local store's rows of these rising times. What it does not keep any more is left out. */
  async #rows(
    assetId: AssetId,
    times: readonly number[],
  ): Promise<ReadonlyMap<number, Pick<TelemetryPoint, "fields">>> {
    const fromMs = times[0] ?? 0;
    const toMs = (times.at(-1) ?? fromMs) + 1;
    const series = await this.#local.read({ assetId, fromMs, toMs }).catch((error: unknown) => {
      // What waits to be archived is in the journal: it must not wait for a repair.
      if (error instanceof DomainError && error.code === "STORE_DAMAGED") return EMPTY;
      throw error;
    });
    const wanted = new Set(times);
    const rows = new Map<number, Pick<TelemetryPoint, "fields">>();
    for (const [row, time] of series.timesMs.entries()) {
      if (wanted.has(time)) rows.set(time, { fields: fieldsOf(series, row) });
    }
    return rows;
  }
}

function fieldsOf(series: Series, row: number): Readonly<Record<string, number>> {
  const fields: Record<string, number> = {};
  for (const [name, column] of series.columns) {
    const value = column[row];
    if (value !== undefined && !Number.isNaN(value)) fields[name] = value;
  }
  return fields;
}
