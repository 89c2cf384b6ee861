import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { type Static, Type } from "typebox";
import { Location } from "../../../domain/geodesy.ts";
import { CrossingRules, DEFAULT_CROSSING_RULES } from "../../../domain/geometry/geofence.ts";
import { AssetId, type GeofenceId, ProjectId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import { HOUR_MS } from "../../../domain/time.ts";
import type { LiveAssets } from "../../../ingest/asset-state/asset-state.ts";
import type { AssetDirectory, AssetEntry } from "../../../ingest/directories/asset-directory.ts";
import { fenceShape, holds } from "../../../ingest/geofence/fence-shape.ts";
import {
  type PreviewedCrossing,
  previewCrossings,
} from "../../../ingest/geofence/preview-crossings.ts";
import type {
  AssetAssignment,
  GeofenceVersion,
} from "../../../storage/ports/equipment/geofences.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import type { TelemetryStore } from "../../../storage/ports/telemetry-store.ts";
import { visibleProject } from "../../access/asset-access.ts";
import { REPEATABLE_FAILURES } from "../../errors/error.ts";
import { createWorkSlots } from "../../long-requests/work-slots.ts";
import { Circle, Corridor, drawnView } from "../../schemas/drawn-shape.ts";
import { Polygon, polygonOf } from "../../schemas/polygon.ts";
import { readTimeRange } from "../../schemas/time-range.ts";
import { Timestamp } from "../../schemas/timestamp.ts";
import { invalidParameter, withBody } from "../../validation/validation.ts";
import { rulesOf } from "./fence-fields.ts";
import { type FenceGround, readGround } from "./fence-ground.ts";

export interface GeofencePreviewOptions {
  readonly records: Pick<RecordStore, "assets">;
  readonly telemetry: Pick<TelemetryStore, "read">;
  readonly directory: AssetDirectory;
  readonly live: LiveAssets;
  readonly now: () => number;
}

/** Longest past range, hours; the same as for an asset's history. */
const MOST_HOURS = 72;
/** Most that one preview reads: 400,000 fixes are 0.5 s of a core, in slices; a crossing has 250 bytes. */
const LIMITS = { fixes: 400_000, crossings: 2_000 };
/** Most assets whose past is read: each is a query of the telemetry store for every day. */
const MOST_ASSETS = 1_000;
/** Under way at a time; each reads the store and takes a part of a core. */
const PREVIEWS = { what: "previews of fences", perOwner: 1, inAll: 4, retryAfterS: 2 };

const { exit_buffer_m, confirm_fixes, min_dwell_s } = CrossingRules.properties;

const Fields = {
  project_id: ProjectId,
  exit_buffer_m: Type.Optional(exit_buffer_m),
  confirm_fixes: Type.Optional(confirm_fixes),
  min_dwell_s: Type.Optional(min_dwell_s),
  from: Type.Optional(
    Type.String({
      format: "date-time",
      title: "PreviewFrom",
      description: `Start of the past range, inclusive, at most ${MOST_HOURS} h before its end. Absent: no crossings are searched for`,
    }),
  ),
  to: Type.Optional(
    Type.String({
      format: "date-time",
      title: "PreviewTo",
      description: "End of the range, exclusive; absent: now",
    }),
  ),
  asset_ids: Type.Optional(
    Type.Array(AssetId, {
      minItems: 1,
      maxItems: MOST_ASSETS,
      uniqueItems: true,
      title: "PreviewAssets",
      description: "Assets of the project to check; absent: all",
    }),
  ),
};
const PreviewFields = Type.Object(Fields);

/** A fence that is not stored, drawn in one of three ways. */
const GeofencePreviewRequest = Type.Unsafe<
  Static<typeof PreviewFields> & {
    readonly polygon?: unknown;
    readonly circle?: unknown;
    readonly corridor?: unknown;
  }
>({
  anyOf: [
    Type.Object({ polygon: Polygon, ...Fields }, { title: "PreviewPolygon" }),
    Type.Object({ circle: Circle, ...Fields }, { title: "PreviewCircle" }),
    Type.Object({ corridor: Corridor, ...Fields }, { title: "PreviewCorridor" }),
  ],
});

const GeofencePreview = Type.Object(
  {
    project_id: ProjectId,
    area_sqm: Type.Number({ description: "Square metres on the WGS 84 ellipsoid, two decimals" }),
    polygon: Polygon,
    circle: Type.Optional(Circle),
    corridor: Type.Optional(Corridor),
    inside: Type.Array(
      Type.Object({
        asset_id: AssetId,
        name: Type.String(),
        location: Location,
        accuracy_meters: Type.Number(),
        timestamp: Timestamp,
      }),
      {
        description:
          "Assets whose newest position lies in the fence, however old it is; mocked ones are left out",
      },
    ),
    range: Type.Optional(
      Type.Object(
        {
          from: Timestamp,
          to: Timestamp,
          assets: Type.Integer({ description: "Assets that were checked to the end" }),
          fixes: Type.Integer({ description: "Positions that were checked" }),
          is_complete: Type.Boolean({
            description: `False: there are more than ${LIMITS.fixes} positions, ${LIMITS.crossings} crossings or ${MOST_ASSETS} assets; ask for fewer assets or a shorter range`,
          }),
          crossings: Type.Array(
            Type.Object({
              asset_id: AssetId,
              type: Type.Enum(["entered", "exited"]),
              timestamp: Timestamp,
              cause: Type.String({
                description:
                  "crossing, or first_fix: it was inside at its first position of the range",
              }),
              location: Location,
              accuracy_meters: Type.Number(),
              inferred: Type.Boolean({
                description: "Seen only as a line between two fixes outside",
              }),
            }),
            { description: "By asset, then by time" },
          ),
        },
        { description: "Present when the request has a range" },
      ),
    ),
  },
  { title: "GeofencePreview" },
);

/** What a fence would mean before it is drawn; mounted at `/api/v1/equipment`. Stores nothing. */
const geofencePreview: FastifyPluginAsyncTypebox<GeofencePreviewOptions> = async (app, options) => {
  const { records, telemetry, directory, live, now } = options;
  const slots = createWorkSlots(PREVIEWS);

  app.post(
    "/geofences/preview",
    {
      config: { access: "equipment:read", once: "repeatable", storesNothing: true },
      validatorCompiler: withBody(PreviewFields),
      schema: {
        operationId: "previewGeofence",
        tags: ["equipment"],
        summary:
          "Show who is inside a fence now, and its crossings in a past range; nothing is stored",
        body: GeofencePreviewRequest,
        response: { 200: GeofencePreview, ...REPEATABLE_FAILURES },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const leave = slots.enter(request, reply);
      try {
        const ground = (await readGround(body))();
        const range = rangeOf(body, now());
        const { id } = visibleProject(directory, request, body.project_id);
        const assets = assetsOf(id, body.asset_ids);
        const version = versionOf(id, ground, rulesOf(body, DEFAULT_CROSSING_RULES));
        const past = range && (await findCrossings(version, assets, range));
        const { ring, area_sqm, drawn } = ground;
        return {
          ...{ project_id: id, area_sqm, polygon: polygonOf(ring) },
          ...(drawn === undefined ? {} : drawnView(drawn)),
          inside: insideNow(version, assets),
          ...(past === undefined ? {} : { range: past }),
        };
      } finally {
        leave();
      }
    },
  );

  /** @throws ParameterError for an asset that is not one of the project. */
  function assetsOf(
    projectId: ProjectId,
    asked: readonly AssetId[] | undefined,
  ): readonly AssetEntry[] {
    if (asked === undefined) {
      return [...directory.entries()].filter(({ asset }) => asset.project_id === projectId);
    }
    return asked.map((assetId, i) => {
      const entry = directory.find(assetId);
      if (entry?.asset.project_id === projectId) return entry;
      throw invalidParameter(`asset_ids[${i}]`, "is not an asset of the project");
    });
  }

  function insideNow(version: GeofenceVersion, assets: readonly AssetEntry[]) {
    const shape = fenceShape(version);
    return assets.flatMap(({ asset: { id, name } }) => {
      const fix = live.state(id)?.fix;
      if (fix === undefined || fix.isMocked === true) return [];
      const { latitude, longitude, accuracyMeters, fixTimeMs } = fix;
      if (!holds(shape, { latDeg: latitude, lonDeg: longitude })) return [];
      return [
        {
          ...{ asset_id: id, name, location: { latitude, longitude } },
          ...{ accuracy_meters: accuracyMeters, timestamp: isoTime(fixTimeMs) },
        },
      ];
    });
  }

  async function findCrossings(
    version: GeofenceVersion,
    assets: readonly AssetEntry[],
    range: Range,
  ) {
    const ids = assets.slice(0, MOST_ASSETS).map(({ asset }) => asset.id);
    const assignments = await assignmentsOf(ids);
    const found = await previewCrossings(version, assignments, range, telemetry, LIMITS);
    return {
      ...{ from: isoTime(range.fromMs), to: isoTime(range.toMs) },
      ...{ assets: found.assets, fixes: found.fixes },
      is_complete: found.assets === assets.length,
      crossings: found.crossings.map(crossingView),
    };
  }

  /** When each asset was in which project: crossings in another project do not count. */
  async function assignmentsOf(
    ids: readonly AssetId[],
  ): Promise<ReadonlyMap<AssetId, readonly AssetAssignment[]>> {
    const byAsset = new Map<AssetId, AssetAssignment[]>(ids.map((id) => [id, []]));
    for (const one of await records.assets.assignments(ids)) byAsset.get(one.assetId)?.push(one);
    return byAsset;
  }
};

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

/** @throws ParameterError for a range that is empty, too long, or only has an end. */
function rangeOf(
  body: { readonly from?: string | undefined; readonly to?: string | undefined },
  nowMs: number,
): Range | undefined {
  const { fromMs, toMs = nowMs } = readTimeRange(body);
  if (fromMs === undefined) {
    if (body.to !== undefined) throw invalidParameter("from", "is required beside to");
    return undefined;
  }
  if (fromMs > toMs) throw invalidParameter("from", "must not be after to");
  if (toMs - fromMs > MOST_HOURS * HOUR_MS) {
    throw invalidParameter("from", `must be at most ${MOST_HOURS} h before to`);
  }
  return { fromMs, toMs };
}

function versionOf(
  projectId: ProjectId,
  { ring, area_sqm }: FenceGround,
  rules: CrossingRules,
): GeofenceVersion {
  return {
    ...{ geofenceId: "preview" as GeofenceId, projectId, name: "preview", kind: "zone" as const },
    ...{ ring, areaSqm: area_sqm, alertOn: [], rules },
    ...{ validFromMs: 0, validToMs: undefined, revision: 0 },
  };
}

const crossingView = ({
  assetId,
  type,
  atMs,
  cause,
  location,
  accuracyM,
  inferred,
}: PreviewedCrossing) => ({
  asset_id: assetId,
  type,
  timestamp: isoTime(atMs),
  ...{ cause, location, accuracy_meters: accuracyM, inferred },
});

export default geofencePreview;
