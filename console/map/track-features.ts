import type { Feature, FeatureCollection, LineString, Point, Position } from "geojson";
import { momentAt } from "../track/moment.ts";
import { segmentSpeed, speedClass } from "../track/speed.ts";
import type { Track, TrackCrossing, TrackPoint } from "../track/track.ts";

/** A part of a track in which the class of speed is the same. */
interface RunProperties {
  /** Place of the track among those that are shown. */
  readonly track: number;
  readonly speed: number;
}
/** A stop or a crossing, with the time that it shows. */
interface PlaceProperties {
  readonly track: number;
  readonly kind: "stop" | "crossing";
  readonly ms: number;
  readonly label: string;
}

/** What words a place on the map has. */
interface PlaceWords {
  readonly duration: (ms: number) => string;
  readonly late: (mostMs: number) => string;
  readonly crossing: (crossing: TrackCrossing) => string;
}

const collection = <F extends Feature>(features: readonly F[]) => ({
  type: "FeatureCollection" as const,
  features: [...features],
});

/** Lines of tracks, cut where the class of speed changes and where positions are missing. */
export function runFeatures(
  tracks: readonly Track[],
): FeatureCollection<LineString, RunProperties> {
  return collection(tracks.flatMap(({ points }, track) => runsOf(points, track)));
}

function runsOf(
  points: readonly TrackPoint[],
  track: number,
): readonly Feature<LineString, RunProperties>[] {
  const runs: Feature<LineString, RunProperties>[] = [];
  let run: Feature<LineString, RunProperties> | undefined;
  let before: TrackPoint | undefined;
  for (const point of points) {
    if (before === undefined || before.piece !== point.piece) {
      run = undefined;
    } else {
      const speed = speedClass(segmentSpeed(before, point).kmh);
      if (run?.properties.speed !== speed) {
        const geometry: LineString = { type: "LineString", coordinates: [positionOf(before)] };
        run = { type: "Feature", properties: { track, speed }, geometry };
        runs.push(run);
      }
      const last = run.geometry.coordinates.at(-1);
      run.geometry.coordinates.push(positionOf(point, last));
    }
    before = point;
  }
  return runs;
}

/** Longitude and latitude; next to `beside` also across the antimeridian, where a line would go round the Earth. */
function positionOf(
  { longitude, latitude }: Pick<TrackPoint, "longitude" | "latitude">,
  beside?: Position,
): Position {
  const turns = beside?.[0] === undefined ? 0 : Math.round((beside[0] - longitude) / 360);
  return [longitude + 360 * turns, latitude];
}

/** Straight lines over the times without positions, which are drawn dashed: nobody knows the way between. */
export function gapFeatures(
  tracks: readonly Track[],
  words: Pick<PlaceWords, "duration">,
): FeatureCollection<LineString, { readonly track: number; readonly label: string }> {
  const lines = tracks.flatMap(({ points }, track) =>
    points.flatMap((point, i) => {
      const next = points[i + 1];
      if (next === undefined || next.piece === point.piece) return [];
      const from = positionOf(point);
      return {
        type: "Feature" as const,
        properties: { track, label: words.duration(next.ms - point.ms) },
        geometry: { type: "LineString" as const, coordinates: [from, positionOf(next, from)] },
      };
    }),
  );
  return collection(lines);
}

/** Where positions were received late: a line for each stretch, and a mark with a label at either end. */
export function lateFeatures(
  tracks: readonly Track[],
  words: Pick<PlaceWords, "late">,
): FeatureCollection<LineString | Point, { readonly ms: number; readonly label: string }> {
  return collection(
    tracks.flatMap((track) =>
      track.lateStretches.flatMap(({ fromMs, toMs, mostMs }) => {
        const within = track.points.filter(({ ms }) => ms > fromMs && ms < toMs);
        // Thinned tracks may lack the ends.
        const [from, to] = [fromMs, toMs].map((ms) => momentAt(track, ms));
        if (from?.kind !== "known" || to?.kind !== "known") return [];
        const coordinates: Position[] = [];
        for (const place of [from, ...within, to]) {
          coordinates.push(positionOf(place, coordinates.at(-1)));
        }
        const mark = (ms: number, label: string, at: Position) => ({
          type: "Feature" as const,
          properties: { ms, label },
          geometry: { type: "Point" as const, coordinates: at },
        });
        const [first = [], last = []] = [coordinates[0], coordinates.at(-1)];
        return [
          {
            type: "Feature" as const,
            properties: { ms: fromMs, label: "" },
            geometry: { type: "LineString" as const, coordinates },
          },
          mark(fromMs, words.late(mostMs), first),
          ...(toMs === fromMs ? [] : [mark(toMs, "", last)]),
        ];
      }),
    ),
  );
}

/** Stops with their lengths and crossings of fences with what they are, as points. */
export function placeFeatures(
  tracks: readonly Track[],
  words: Pick<PlaceWords, "duration" | "crossing">,
): FeatureCollection<Point, PlaceProperties> {
  return collection(
    tracks.flatMap(({ stops, crossings }, track) => [
      ...stops.map(({ fromMs, toMs, place }) =>
        pointFeature(place, {
          ...{ track, kind: "stop", ms: fromMs, label: words.duration(toMs - fromMs) },
        }),
      ),
      ...crossings.map((crossing) => {
        const { ms, place } = crossing;
        return pointFeature(place, {
          track,
          kind: "crossing",
          ms,
          label: words.crossing(crossing),
        });
      }),
    ]),
  );
}

const pointFeature = (
  { longitude, latitude }: Pick<TrackPoint, "longitude" | "latitude">,
  properties: PlaceProperties,
): Feature<Point, PlaceProperties> => ({
  type: "Feature",
  properties,
  geometry: { type: "Point", coordinates: [longitude, latitude] },
});
