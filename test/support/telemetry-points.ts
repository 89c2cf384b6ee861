import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { Series, SeriesQuery, TelemetryPoint } from "../../storage/ports/telemetry-store.ts";

/** 2026-01-05 00:00 UTC, a Monday. */
export const NOON_MS = Date.UTC(2026, 0, 5, 12);

export const truck = "truck-1" as AssetId;
export const crane = "crane-1" as AssetId;

/** A point of `truck` without sequence number unless said otherwise. */
export function point(
  fixTimeMs: number,
  fields: Readonly<Record<string, number>>,
  rest: Partial<Omit<TelemetryPoint, "fixTimeMs" | "fields">> = {},
): TelemetryPoint {
  return {
    assetId: truck,
    projectId: "site-1" as ProjectId,
    seq: -1,
    payloadHash: 0,
    ...rest,
    fixTimeMs,
    fields,
  };
}

/** Everything there is of an asset. */
export const all = (assetId: AssetId = truck): SeriesQuery => ({
  assetId,
  fromMs: 0,
  toMs: Number.MAX_SAFE_INTEGER,
});

/** One row of a series: `t` is the fix time, the fields that it carries beside it. */
export type Row = Readonly<Record<string, number>>;

export function rowsOf({ timesMs, columns }: Series): Row[] {
  return [...timesMs].map((t, i) => {
    const carried = [...columns]
      .map(([name, values]): [string, number] => [name, values[i] ?? Number.NaN])
      .filter(([, value]) => !Number.isNaN(value));
    return Object.fromEntries([["t", t], ...carried.sort(([a], [b]) => (a < b ? -1 : 1))]);
  });
}

/** What a series must be, by the plainest reading of the port: every candidate of every field, one by one. */
export function expectedRows(points: readonly TelemetryPoint[], query: SeriesQuery): Row[] {
  const mine = points.filter(
    ({ assetId, fixTimeMs: t }) => assetId === query.assetId && t >= query.fromMs && t < query.toMs,
  );
  const times = [...new Set(mine.map(({ fixTimeMs }) => fixTimeMs))].sort((a, b) => a - b);
  return times.flatMap((t) => {
    const here = mine.filter(({ fixTimeMs }) => fixTimeMs === t);
    const names = [...new Set(here.flatMap(({ fields }) => Object.keys(fields)))].sort();
    const row = names
      .filter((name) => query.fields?.includes(name) ?? true)
      .flatMap((name) => {
        const candidates = here
          .filter(({ fields }) => Number.isFinite(fields[name]))
          .sort(
            (a, b) =>
              b.seq - a.seq ||
              b.payloadHash - a.payloadHash ||
              (b.fields[name] ?? 0) - (a.fields[name] ?? 0),
          );
        return candidates
          .slice(0, 1)
          .map((best): [string, number] => [name, best.fields[name] ?? 0]);
      });
    return row.length === 0 ? [] : [Object.fromEntries([["t", t], ...row])];
  });
}
