import type { Location } from "../../../domain/geodesy.ts";
import type { Track, TrackList, TrackPoint } from "./track-schemas.ts";

/** Tracks as a FeatureCollection (RFC 7946): `properties.kind` is piece, gap, stop or crossing. */
export function tracksGeoJson({ data, ...range }: TrackList): object {
  return { type: "FeatureCollection", ...range, features: data.flatMap(featuresOf) };
}

function featuresOf(track: Track): readonly object[] {
  const { asset_id, name } = track;
  const feature = (kind: string, geometry: object, properties: object) => ({
    type: "Feature",
    geometry,
    properties: { kind, asset_id, name, ...properties },
  });
  return [
    ...track.pieces.map(({ points }) =>
      feature("piece", lineOf(points), {
        timestamps: points.map(({ timestamp }) => timestamp),
        speeds_kmh: points.map(({ speed_kmh }) => speed_kmh),
        received_late_s: points.map(({ received_late_s }) => received_late_s ?? null),
      }),
    ),
    ...track.stops.map(({ location, ...stop }) => feature("stop", pointOf(location), stop)),
    ...track.crossings.map(({ location, ...crossing }) =>
      feature("crossing", pointOf(location), crossing),
    ),
    // A gap is not a way: it has no geometry.
    ...track.gaps.map((gap) => ({ ...feature("gap", {}, gap), geometry: null })),
  ];
}

const positionOf = ({ latitude, longitude }: Location) => [longitude, latitude];
const pointOf = (location: Location) => ({ type: "Point", coordinates: positionOf(location) });

/** A line needs two positions (section 3.1.4). */
function lineOf(points: readonly TrackPoint[]): object {
  const type = points.length < 2 ? "MultiPoint" : "LineString";
  return { type, coordinates: points.map(positionOf) };
}
