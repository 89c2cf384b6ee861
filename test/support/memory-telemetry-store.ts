import { DomainError } from "../../domain/errors.ts";
import type { JournalPosition } from "../../storage/ports/journal.ts";
import type {
  Series,
  SeriesQuery,
  TelemetryPoint,
  TelemetryStore,
} from "../../storage/ports/telemetry-store.ts";

/** The plainest TelemetryStore: a list per asset, merged at read. Passes the contract suite; forgets at exit. */
export function openMemoryTelemetryStore(): TelemetryStore {
  const pointsByAsset = new Map<string, TelemetryPoint[]>();
  const listeners: ((position: JournalPosition) => void)[] = [];
  let durablePosition: JournalPosition | undefined;
  let isClosed = false;
  return {
    get durablePosition() {
      return durablePosition;
    },
    async write(points, position) {
      if (isClosed) throw new DomainError("STORE_UNAVAILABLE", "the store is closed");
      for (const point of points) {
        const series = pointsByAsset.get(point.assetId) ?? [];
        series.push(point);
        pointsByAsset.set(point.assetId, series);
      }
      if (isOlder(position, durablePosition)) return;
      durablePosition = position;
      for (const listener of listeners) listener(position);
    },
    onDurable: (listener) => {
      listeners.push(listener);
    },
    async read(query) {
      return mergedSeries(pointsByAsset.get(query.assetId) ?? [], query);
    },
    async flush() {},
    async expire(beforeMs) {
      for (const [asset, points] of pointsByAsset) {
        pointsByAsset.set(
          asset,
          points.filter((point) => point.fixTimeMs >= beforeMs),
        );
      }
    },
    async close() {
      isClosed = true;
    },
  };
}

/** Whether a position lies before another one of the same journal. */
function isOlder(position: JournalPosition, than: JournalPosition | undefined): boolean {
  return than?.journalId === position.journalId && position.sequence < than.sequence;
}

/** Rows of one fix time become one; for each field the point of higher precedence wins. */
function mergedSeries(points: readonly TelemetryPoint[], query: SeriesQuery): Series {
  const rows = new Map<number, Record<string, number>>();
  // Ascending precedence, so that the last assignment is the winner.
  const ordered = points
    .filter((point) => point.fixTimeMs >= query.fromMs && point.fixTimeMs < query.toMs)
    .flatMap((point) =>
      Object.entries(point.fields)
        .filter(([name, value]) => Number.isFinite(value) && isWanted(query, name))
        .map(([name, value]) => ({ ...point, name, value })),
    )
    .toSorted(
      (a, b) =>
        a.fixTimeMs - b.fixTimeMs ||
        a.seq - b.seq ||
        a.payloadHash - b.payloadHash ||
        a.value - b.value,
    );
  for (const { fixTimeMs, name, value } of ordered) {
    const row = rows.get(fixTimeMs) ?? {};
    row[name] = value;
    rows.set(fixTimeMs, row);
  }
  const names = [...new Set([...rows.values()].flatMap((row) => Object.keys(row)))];
  const columns = names.map((name): [string, Float64Array] => [
    name,
    Float64Array.from([...rows.values()].map((row) => row[name] ?? Number.NaN)),
  ]);
  return { timesMs: Float64Array.from(rows.keys()), columns: new Map(columns) };
}

const isWanted = ({ fields }: SeriesQuery, name: string): boolean => fields?.includes(name) ?? true;
