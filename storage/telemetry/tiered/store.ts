import { DAY_MS } from "../../../domain/time.ts";
import type { TelemetryArchive } from "../../ports/telemetry-archive.ts";
import type { Series, SeriesQuery, TelemetryStore } from "../../ports/telemetry-store.ts";

/** What is always answered from here: the 72 h of the contract, and a day for clocks and late expiry. */
const LOCAL_SPAN_MS = 4 * DAY_MS;

/** A store whose older part is in the archive alone. */
export interface TieredTelemetryStore extends TelemetryStore {
  /** Says that everything received up to this server time is in the archive, ms. */
  archivedThrough(timeMs: number): void;
}

/**
 * The newest days in the local store, all of it in the archive. A range of the last four days never
 * waits for the archive; an older one is read from it, and what the local store has on top of that is
 * laid over it: late readings may be here and not there yet. Nothing leaves the local store before it
 * is in the archive.
 * `keepAllUntilMs`: until then nothing leaves by age alone; see `readTierStart`.
 */
export function createTieredStore(
  local: TelemetryStore,
  archive: Pick<TelemetryArchive, "read">,
  options: { readonly keepAllUntilMs: number; readonly now: () => number },
): TieredTelemetryStore {
  const { keepAllUntilMs, now } = options;
  let archivedMs: number | undefined;

  /** The fix time from which on everything is here, ms. */
  function horizon(): number {
    const nowMs = now();
    return nowMs < keepAllUntilMs ? Number.NEGATIVE_INFINITY : nowMs - LOCAL_SPAN_MS;
  }

  async function read(query: SeriesQuery): Promise<Series> {
    const horizonMs = horizon();
    if (query.fromMs >= horizonMs || !(query.fromMs < query.toMs)) return local.read(query);
    const [older, newer] = await Promise.all([
      archive.read({ ...query, toMs: Math.min(query.toMs, horizonMs) }),
      local.read(query),
    ]);
    return mergeSeries(older, newer);
  }

  return {
    write: (points, position) => local.write(points, position),
    writeRun: (points, position) => local.writeRun(points, position),
    get durablePosition() {
      return local.durablePosition;
    },
    onDurable: (listener) => local.onDurable(listener),
    read,
    flush: () => local.flush(),
    archivedThrough(timeMs) {
      archivedMs = Math.max(archivedMs ?? timeMs, timeMs);
    },
    async expire(beforeMs) {
      const nowMs = now();
      if (nowMs < keepAllUntilMs) return local.expire(beforeMs);
      if (archivedMs === undefined) return;
      await local.expire(Math.max(beforeMs, Math.min(nowMs, archivedMs) - LOCAL_SPAN_MS));
    },
    close: () => local.close(),
  };
}

/** Both series as one; where both have a value for one time and field, `over`'s is kept. */
function mergeSeries(under: Series, over: Series): Series {
  if (over.timesMs.length === 0) return under;
  if (under.timesMs.length === 0) return over;
  const timesMs = mergeTimes(under.timesMs, over.timesMs);
  const columns = new Map<string, Float64Array>();
  for (const series of [under, over]) {
    const rows = rowsOf(series.timesMs, timesMs);
    for (const [name, values] of series.columns) {
      const column = columns.get(name) ?? new Float64Array(timesMs.length).fill(Number.NaN);
      columns.set(name, column);
      for (const [i, value] of values.entries()) {
        if (!Number.isNaN(value)) column[rows[i] ?? 0] = value;
      }
    }
  }
  return { timesMs, columns };
}

/** Two rising lists as one, each time once. */
function mergeTimes(a: Float64Array, b: Float64Array): Float64Array {
  const merged = new Float64Array(a.length + b.length);
  let count = 0;
  for (let i = 0, k = 0; i < a.length || k < b.length; ) {
    const left = a[i] ?? Number.POSITIVE_INFINITY;
    const right = b[k] ?? Number.POSITIVE_INFINITY;
    merged[count++] = Math.min(left, right);
    if (left <= right) i += 1;
    if (right <= left) k += 1;
  }
  return merged.slice(0, count);
}

/** Where each of the rising times lies among the merged ones. */
function rowsOf(times: Float64Array, merged: Float64Array): Uint32Array {
  const rows = new Uint32Array(times.length);
  let row = 0;
  for (const [i, time] of times.entries()) {
    while (merged[row] !== time) row += 1;
    rows[i] = row;
  }
  return rows;
}
