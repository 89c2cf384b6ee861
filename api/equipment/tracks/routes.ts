import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { AssetId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import { DAY_MS } from "../../../domain/time.ts";
import type { AssetDirectory, AssetEntry } from "../../../ingest/directories/asset-directory.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import type { TelemetryStore } from "../../../storage/ports/telemetry-store.ts";
import { visibleAsset, visibleProjects } from "../../access/asset-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { createWorkSlots } from "../../long-requests/work-slots.ts";
import { jsonOrGeo } from "../../representations/media-types.ts";
import { CSV_TYPE, GEOJSON_TYPE, preferredType } from "../../representations/negotiation.ts";
import { type CsvColumns, sendCsv } from "../../representations/send-list.ts";
import { readTimeRange } from "../../schemas/time-range.ts";
import { invalidParameter } from "../../validation/validation.ts";
import { readFixes, type TimeSpan } from "./read-fixes.ts";
import { readCrossings } from "./track-crossings.ts";
import { tracksGeoJson } from "./track-geojson.ts";
import { GPX_TYPE, tracksGpx } from "./track-gpx.ts";
import { type Track, TrackList, type TrackPoint } from "./track-schemas.ts";
import { drawTrack } from "./track-view.ts";

export interface TracksOptions {
  readonly records: Pick<RecordStore, "assets" | "visits" | "lateness">;
  readonly telemetry: Pick<TelemetryStore, "read">;
  readonly directory: AssetDirectory;
  readonly now: () => number;
}

/** Longest range, days; a week is what people look back at, and 600,000 positions at 1 Hz. */
const MOST_DAYS = 7;
const MOST_ASSETS = 20;
/** Most positions that one answer reads: each takes 57 bytes of memory and about a microsecond. */
const MOST_POSITIONS = 1_000_000;
/** Most points of one answer, all assets together: 6 MB of JSON. */
const MOST_POINTS = 40_000;
const DEFAULT_POINTS = 2_000;
/** Under way at a time; each reads the store, holds up to 50 MB and takes a part of a core. */
const READS = { what: "reads of tracks", perOwner: 2, inAll: 4, retryAfterS: 1 };
const JSON_UTF8 = "application/json; charset=utf-8";

const { description, content } = jsonOrGeo("The tracks, in the order asked for", TrackList);
const TRACKS_200 = {
  description,
  content: {
    ...content,
    [GPX_TYPE]: { schema: Type.String({ title: "Gpx", description: "GPX 1.1" }) },
  },
};

/** A point as a line of a table. */
interface TrackRow extends TrackPoint {
  readonly asset_id: AssetId;
  /** Number of its piece, from 1 on. */
  readonly piece: number;
}

const COLUMNS: CsvColumns<TrackRow> = {
  asset_id: (row) => row.asset_id,
  piece: (row) => row.piece,
  timestamp: (row) => row.timestamp,
  latitude: (row) => row.latitude,
  longitude: (row) => row.longitude,
  speed_kmh: (row) => row.speed_kmh ?? undefined,
  heading: (row) => row.heading ?? undefined,
  accuracy_meters: (row) => row.accuracy_meters ?? undefined,
  flags: (row) => row.flags?.join(" "),
  received_late_s: (row) => row.received_late_s,
};

/** Where assets were; mounted at `/api/v1/equipment`. */
const tracks: FastifyPluginAsyncTypebox<TracksOptions> = async (app, options) => {
  const { records, telemetry, directory, now } = options;
  const slots = createWorkSlots(READS);

  app.get(
    "/tracks",
    {
      config: { access: "equipment:read" },
      schema: {
        operationId: "getTracks",
        tags: ["equipment"],
        summary: "Where assets were in [from, to): pieces, stops, gaps and crossings of fences",
        description: `At most ${MOST_DAYS} days, and ${MOST_POSITIONS} positions of all assets. Longer tracks are thinned: ends of pieces, stops and late stretches, extremes and the shape stay.`,
        querystring: Type.Object({
          asset_id: Type.Array(AssetId, {
            minItems: 1,
            maxItems: MOST_ASSETS,
            uniqueItems: true,
            explode: false,
            description: "Separated by commas",
          }),
          from: Type.Optional(
            Type.String({ format: "date-time", description: "Inclusive; absent: 24 h before to" }),
          ),
          to: Type.Optional(
            Type.String({ format: "date-time", description: "Exclusive; absent: now" }),
          ),
          max_points: Type.Integer({
            minimum: 10,
            maximum: MOST_POINTS,
            default: DEFAULT_POINTS,
            description: `Points of each asset; with all assets ${MOST_POINTS} at most`,
          }),
        }),
        response: { 200: TRACKS_200, ...FAILURES },
      },
    },
    async (request, reply) => {
      const { asset_id: ids, max_points: maxPoints } = request.query;
      const range = rangeOf(request.query, now());
      if (maxPoints * ids.length > MOST_POINTS) {
        const most = Math.floor(MOST_POINTS / ids.length);
        throw invalidParameter("max_points", `must be at most ${most} for ${ids.length} assets`);
      }
      const entries = ids.map((id) => visibleAsset(directory, request, id));
      const seen = visibleProjects(directory, request, undefined);
      const leave = slots.enter(request, reply);
      try {
        const knownFromMs = await records.lateness.knownFromMs();
        const data: Track[] = [];
        let left = MOST_POSITIONS;
        for (const entry of entries) {
          const track = await trackOf(entry, range, { maxPoints, most: left, knownFromMs }, seen);
          left -= track.positions;
          data.push(track);
        }
        const known = knownFromMs > range.fromMs ? { late_known_from: isoTime(knownFromMs) } : {};
        const list = { from: isoTime(range.fromMs), to: isoTime(range.toMs), ...known, data };
        const { accept } = request.headers;
        switch (preferredType(accept, [GEOJSON_TYPE, GPX_TYPE, CSV_TYPE])) {
          case GEOJSON_TYPE:
            return reply.type(GEOJSON_TYPE).send(JSON.stringify(tracksGeoJson(list)));
          case GPX_TYPE:
            return reply.type(GPX_TYPE).send(tracksGpx(list));
          case CSV_TYPE:
            return sendCsv(reply, data.flatMap(rowsOf), COLUMNS);
          default:
            return reply.type(JSON_UTF8).send(JSON.stringify(list));
        }
      } finally {
        leave();
      }
    },
  );

  async function trackOf(
    { asset }: AssetEntry,
    range: TimeSpan,
    { maxPoints, most, knownFromMs }: { maxPoints: number; most: number; knownFromMs: number },
    seen: ReturnType<typeof visibleProjects>,
  ): Promise<Track> {
    const spans = await spansOf(asset.id, range, seen);
    const read = await readFixes(telemetry, asset.id, spans, most);
    if (read === undefined) {
      const message = `and to hold more than ${MOST_POSITIONS} positions: ask for a shorter range or fewer assets`;
      throw invalidParameter("from", message);
    }
    const { positions, is_thinned, pieces, gaps, stops, late, summary } = await drawTrack(
      read.fixes,
      maxPoints,
      knownFromMs,
    );
    const crossings = await readCrossings(records.visits, asset.id, range, seen);
    return {
      ...{ asset_id: asset.id, name: asset.name, project_id: asset.project_id },
      ...{ positions, mocked: read.mocked, is_thinned, pieces, gaps, stops, late },
      ...crossings,
      summary,
    };
  }

  /** The parts of a range in which the asset was in a project that the key may see. */
  async function spansOf(
    assetId: AssetId,
    range: TimeSpan,
    { projectIds }: ReturnType<typeof visibleProjects>,
  ): Promise<readonly TimeSpan[]> {
    if (projectIds === undefined) return [range];
    const { fromMs, toMs } = range;
    const assignments = await records.assets.assignments([assetId]);
    return assignments.flatMap(({ projectId, validFromMs, validToMs = toMs }, place) => {
      if (!projectIds.includes(projectId)) return [];
      // Readings of before its registration are of the project that it was registered in.
      const span = {
        fromMs: place === 0 ? fromMs : Math.max(fromMs, validFromMs),
        toMs: Math.min(toMs, validToMs),
      };
      return span.fromMs < span.toMs ? [span] : [];
    });
  }
};

/** @throws ParameterError for a range that is empty or too long. */
function rangeOf(query: Parameters<typeof readTimeRange>[0], nowMs: number): TimeSpan {
  const read = readTimeRange(query);
  const toMs = read.toMs ?? Math.max(nowMs, (read.fromMs ?? 0) + 1);
  const fromMs = read.fromMs ?? Math.max(0, toMs - DAY_MS);
  if (fromMs >= toMs) throw invalidParameter("from", "must be before to");
  if (toMs - fromMs > MOST_DAYS * DAY_MS) {
    throw invalidParameter("from", `must be at most ${MOST_DAYS} days before to`);
  }
  return { fromMs, toMs };
}

const rowsOf = ({ asset_id, pieces }: Track): readonly TrackRow[] =>
  pieces.flatMap(({ points }, i) => points.map((point) => ({ ...point, asset_id, piece: i + 1 })));

export default tracks;
