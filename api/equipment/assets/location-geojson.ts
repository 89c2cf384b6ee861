import type { AssetLocation } from "./asset-schemas.ts";
import { type Track, trackPositions, trackTimes } from "./track.ts";

/**
 * An asset's location as a Feature; with its history a FeatureCollection of the current point and the
 * way there, whose times are in `properties.timestamps`. A line needs two positions (RFC 7946 section
 * 3.1.4), so that a shorter history is a MultiPoint.
 */
export function* locationGeoJson(
  view: AssetLocation,
  track: Track | undefined,
): Generator<string | Buffer> {
  const point = JSON.stringify(pointFeature(view));
  if (track === undefined) {
    yield point;
    return;
  }
  const geometry = track.timesMs.length < 2 ? "MultiPoint" : "LineString";
  yield `{"type":"FeatureCollection","features":[${point},`;
  yield `{"type":"Feature","geometry":{"type":"${geometry}","coordinates":[`;
  yield* trackPositions(track);
  yield `]},"properties":{"asset_id":${JSON.stringify(view.asset_id)},"timestamps":[`;
  yield* trackTimes(track);
  yield "]}}]}";
}

function pointFeature({ asset_id, current, zone }: AssetLocation): object {
  const { latitude, longitude, ...rest } = current;
  return {
    type: "Feature",
    id: asset_id,
    geometry: { type: "Point", coordinates: [longitude, latitude] },
    properties: { asset_id, ...rest, zone },
  };
}
