import { LATE_FIELD } from "../../domain/equipment/lateness.ts";
import { DomainError } from "../../domain/errors.ts";
import type { JournalPosition } from "../../storage/ports/journal.ts";
import type {
  Series,
  SeriesQuery,
  TelemetryPoint,
  TelemetryStore,
} from "../../storage/ports/telemetry-store.ts";
import { pointsOfRun } from "./points-of-run.ts";

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
    async writeRun(points, position) {
      await this.write(pointsOfRun(points), position);
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
  // Ascending precedence, so that the last value of a row and field is the winner.
  const ordered = withFirstReceipts(points)
    .filter(({ fixTimeMs }) => fixTimeMs >= query.fromMs && fixTimeMs < query.toMs)
    .toSorted(
      (a, b) => a.fixTimeMs - b.fixTimeMs || a.seq - b.seq || a.payloadHash - b.payloadHash,
    );
  const timesMs: number[] = [];
  const valuesByName = new Map<string, number[]>();
  /** Whose values the newest row has so far. */
  const givers = new Map<string, TelemetryPoint>();
  for (const point of ordered) {
    for (const [name, value] of Object.entries(point.fields)) {
      if (!Number.isFinite(value) || !isWanted(query, name)) continue;
      if (timesMs.at(-1) !== point.fixTimeMs) {
        timesMs.push(point.fixTimeMs);
        givers.clear();
      }
      const row = timesMs.length - 1;
      const values = valuesByName.get(name) ?? [];
      valuesByName.set(name, values);
      const giver = givers.get(name);
      const isTie = giver?.seq === point.seq && giver.payloadHash === point.payloadHash;
      if (isTie && (values[row] ?? value) > value) continue;
      values[row] = value;
      givers.set(name, point);
    }
  }
  const columns = [...valuesByName].map(([name, values]): [string, Float64Array] => [
    name,
    Float64Array.from(timesMs, (_, row) => values[row] ?? Number.NaN),
  ]);
  return { timesMs: Float64Array.from(timesMs), columns: new Map(columns) };
}

/** Of positions of one time, all say how late the first was received; nothing, where that was in time. */
function withFirstReceipts(points: readonly TelemetryPoint[]): readonly TelemetryPoint[] {
  const firstByTime = new Map<number, number>();
  for (const { fixTimeMs, fields } of points) {
    if (fields["latitude"] === undefined) continue;
    const first = firstByTime.get(fixTimeMs) ?? Number.POSITIVE_INFINITY;
    firstByTime.set(fixTimeMs, Math.min(first, fields[LATE_FIELD] ?? 0));
  }
  return points.map((point) => {
    const { [LATE_FIELD]: _, ...fields } = point.fields;
    const first = firstByTime.get(point.fixTimeMs) ?? 0;
    const isLate = first > 0 && fields["latitude"] !== undefined;
    return { ...point, fields: isLate ? { ...fields, [LATE_FIELD]: first } : fields };
  });
}

const isWanted = ({ fields }: SeriesQuery, name: string): boolean => fields?.includes(name) ?? true;
