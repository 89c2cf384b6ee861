import type { components } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { type Outcome, outcomeOf } from "../../api/outcome.ts";
import type { Span } from "../../time/span.ts";
import { fileTime } from "../../time/zone.ts";
import { MOST_ROWS, rowSeconds } from "../../track/readings.ts";
import { type Track, trackOf } from "../../track/track.ts";
import { isoTime } from "./address.ts";

type Row = components["schemas"]["Telemetry"]["data"][number];

/** Fields beside the positions: the engine for the summary, the others for a chart. */
const READ_FIELDS = ["engine_on", "fuel_level_percent", "load_percent"] as const;

/** Points of one track: all that a screen has room for, and 154 KB. */
const MOST_POINTS = 2_000;
/** Points of all machines together in one answer of the service. */
const MOST_POINTS_IN_ALL = 40_000;

interface Wanted {
  readonly ids: readonly string[];
  readonly span: Span;
}

const queryOf = ({ ids, span }: Wanted, most: number) => ({
  asset_id: [...ids],
  from: isoTime(span.fromMs),
  to: isoTime(span.toMs),
  max_points: Math.min(most, Math.floor(MOST_POINTS_IN_ALL / ids.length)),
});

/** Reads where machines were, thinned to what can be drawn. */
export const readTracks = (
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Outcome<readonly Track[]>> =>
  outcomeOf(
    api.GET("/api/v1/equipment/tracks", {
      params: { query: queryOf(wanted, MOST_POINTS) },
      signal,
    }),
    ({ data, late_known_from }) => data.map((track) => trackOf(track, late_known_from)),
  );

/** What the engine and the tank said, as means of rows. */
export interface Readings {
  readonly rows: readonly Row[];
  /** Length of a row, ms. */
  readonly rowMs: number;
}

/** Reads them; a track without them is still a track, so a failure is none. */
export async function readReadings(
  id: string,
  span: Span,
  signal: AbortSignal,
): Promise<Readings | undefined> {
  const seconds = rowSeconds(span);
  const outcome = await outcomeOf(
    api.GET("/api/v1/equipment/assets/{asset_id}/telemetry", {
      params: {
        path: { asset_id: id },
        query: {
          from: isoTime(span.fromMs),
          to: isoTime(span.toMs),
          fields: [...READ_FIELDS],
          interval_s: seconds,
          limit: MOST_ROWS,
        },
      },
      signal,
    }),
  );
  return "value" in outcome ? { rows: outcome.value.data, rowMs: seconds * 1_000 } : undefined;
}

/** Formats that tracks are given out in: type of the answer, and ending of the file. */
export const EXPORTS = {
  GeoJSON: { accept: "application/geo+json", ending: "geojson" },
  GPX: { accept: "application/gpx+xml", ending: "gpx" },
  CSV: { accept: "text/csv", ending: "csv" },
} as const;
export type ExportFormat = keyof typeof EXPORTS;

/** Reads tracks as a file, with as many points as the service gives. */
export const readExport = (wanted: Wanted, format: ExportFormat): Promise<Outcome<Blob>> =>
  outcomeOf<Blob>(
    api.GET("/api/v1/equipment/tracks", {
      params: { query: queryOf(wanted, MOST_POINTS_IN_ALL) },
      headers: { accept: EXPORTS[format].accept },
      parseAs: "blob",
    }),
  );

/** Name of the file of an export, with its begin in a zone: `track digger-7 2026-03-05T11-00-00+0100.gpx`. */
export function exportName({ ids, span }: Wanted, format: ExportFormat, zone: string): string {
  const [first = "", ...others] = ids;
  const machines = others.length === 0 ? first : `${first} and ${others.length} more`;
  return `track ${machines} ${fileTime(span.fromMs, zone)}.${EXPORTS[format].ending}`;
}
