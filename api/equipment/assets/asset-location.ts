import { Readable } from "node:stream";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { AssetId } from "../../../domain/ids.ts";
import type { LiveAssets } from "../../../ingest/asset-state/asset-state.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { TelemetryStore } from "../../../storage/ports/telemetry-store.ts";
import { visibleAsset } from "../../access/asset-access.ts";
import type { ApiDependencies, Zone } from "../../dependencies/dependencies.ts";
import { FAILURES } from "../../errors/error.ts";
import { Refusal } from "../../errors/refusal.ts";
import { jsonOrGeo } from "../../representations/media-types.ts";
import { CSV_TYPE, GEOJSON_TYPE, preferredType } from "../../representations/negotiation.ts";
import { AssetLocation, AssetPath } from "./asset-schemas.ts";
import { locationView } from "./asset-view.ts";
import { type Track, trackCsv, trackJson, trackPositions, trackTimes } from "./track.ts";
import { readTrack } from "./track-history.ts";

export interface AssetLocationOptions {
  readonly directory: AssetDirectory;
  readonly live: LiveAssets;
  readonly telemetry: Pick<TelemetryStore, "read">;
  readonly zoneOf: (assetId: AssetId) => Zone | undefined;
  readonly now: ApiDependencies["now"];
}

const NO_POSITION = "The asset has not sent a position yet";
const JSON_UTF8 = "application/json; charset=utf-8";
/** The contract's maximum, hours. */
const MAX_HOURS = 72;

/** GET /assets/{asset_id}/location of the contract, mounted at `/api/v1/equipment`. */
const assetLocation: FastifyPluginAsyncTypebox<AssetLocationOptions> = async (app, options) => {
  const { directory, live, telemetry, zoneOf, now } = options;
  app.get(
    "/assets/:asset_id/location",
    {
      config: { access: "equipment:read", contract: true },
      schema: {
        operationId: "getAssetLocation",
        tags: ["equipment"],
        summary: "Where an asset is, and where it has been",
        params: AssetPath,
        querystring: Type.Object({
          history: Type.Boolean({ default: false, description: "Include location history" }),
          hours: Type.Integer({
            minimum: 1,
            maximum: MAX_HOURS,
            default: 24,
            description: "Hours of history; has no effect without history=true",
          }),
          max_points: Type.Optional(
            Type.Integer({
              minimum: 4,
              maximum: 100_000,
              description: "Thins a longer history to this many points; absent: every point",
            }),
          ),
        }),
        response: { 200: jsonOrGeo("The newest position", AssetLocation), ...FAILURES },
      },
    },
    async (request, reply) => {
      const { asset } = visibleAsset(directory, request, request.params.asset_id);
      const fix = live.state(asset.id)?.fix;
      // Differs from the text of an absent asset: the key may see this one.
      if (fix === undefined) throw new Refusal(404, "not_found", NO_POSITION);
      const view = locationView(asset.id, fix, zoneOf(asset.id));
      const { history, hours, max_points } = request.query;
      const wanted = preferredType(request.headers.accept, [GEOJSON_TYPE, CSV_TYPE]);
      const track = history
        ? await readTrack(telemetry, asset.id, now(), hours, max_points)
        : undefined;
      if (wanted === GEOJSON_TYPE) {
        return reply.type(GEOJSON_TYPE).send(bytes(locationGeoJson(view, track)));
      }
      if (track === undefined) return reply.type(JSON_UTF8).send(JSON.stringify(view));
      if (wanted === CSV_TYPE) {
        return reply.type(`${CSV_TYPE}; charset=utf-8`).send(bytes(trackCsv(track)));
      }
      return reply.type(JSON_UTF8).send(bytes(locationJson(view, track)));
    },
  );
};

function* locationJson(view: AssetLocation, track: Track): Generator<string | Buffer> {
  yield `${JSON.stringify(view).slice(0, -1)},"history":[`;
  yield* trackJson(track);
  yield "]}";
}

/**
 * An asset's location as a Feature; with its history a FeatureCollection of the current point and the
 * way there, whose times are in `properties.timestamps`. A line needs two positions (RFC 7946 section
 * 3.1.4), so that a shorter history is a MultiPoint.
 */
function* locationGeoJson(
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

/** A stream of bytes that asks the generator for more only when the client has read what is there. */
function bytes(chunks: Generator<string | Buffer>): Readable {
  return Readable.from(chunks, { objectMode: false });
}

export default assetLocation;
