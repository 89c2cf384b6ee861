import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { ASSET_STATUSES } from "../../../domain/equipment/asset.ts";
import { ProjectId } from "../../../domain/ids.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import { visibleProject } from "../../access/asset-access.ts";
import { principal } from "../../auth/guard.ts";
import { FAILURES, NOT_MODIFIED } from "../../errors/error.ts";
import { sendKept } from "../../representations/kept-answer.ts";
import { jsonOrGeo } from "../../representations/media-types.ts";
import { CSV_TYPE, GEOJSON_TYPE, preferredType } from "../../representations/negotiation.ts";
import { percentOf } from "../../representations/percent.ts";
import { type CsvColumns, sendCsv } from "../../representations/send-list.ts";
import { CONTRACT_PAGE_PARAMETERS, contractPage, pageOf } from "../../schemas/page.ts";
import type { AssetCards } from "./asset-cards.ts";
import { AssetList } from "./asset-schemas.ts";
import { type AssetNow, assetView } from "./asset-view.ts";

export interface AssetListOptions {
  readonly directory: AssetDirectory;
  readonly cards: AssetCards;
}

const JSON_UTF8 = "application/json; charset=utf-8";

const COLUMNS: CsvColumns<AssetNow> = {
  id: (now) => now.entry.asset.id,
  name: (now) => now.entry.asset.name,
  type: (now) => now.entry.asset.type,
  status: (now) => now.status,
  latitude: (now) => assetView(now).location.latitude,
  longitude: (now) => assetView(now).location.longitude,
  last_update: (now) => assetView(now).last_update,
  utilization_today: (now) => now.utilizationToday.percent,
  zone: (now) => now.zone?.name ?? "",
  location_source: (now) => assetView(now).location_source,
  connection_status: (now) => assetView(now).connection.status,
  last_message_at: (now) => assetView(now).connection.last_message_at ?? "",
  utilization_basis: (now) => now.utilizationToday.basis,
  utilization_lower: (now) => ifKnown(now.utilizationToday, "lower"),
  utilization_upper: (now) => ifKnown(now.utilizationToday, "upper"),
  utilization_seen_percent: (now) => ifKnown(now.utilizationToday, "seen", percentOf),
  heading: (now) => assetView(now).heading ?? undefined,
  speed_kmh: (now) => assetView(now).speed_kmh ?? undefined,
  accuracy_meters: (now) => assetView(now).accuracy_meters ?? undefined,
  last_fix_at: (now) => assetView(now).last_fix_at ?? undefined,
};

/** Empty where nothing is known: the contract's `utilization_today` is 0 there too. */
function ifKnown(
  now: AssetNow["utilizationToday"],
  name: "lower" | "upper" | "seen",
  shown: (value: number) => number = (value) => value,
): number | undefined {
  return now.basis === "none" ? undefined : shown(now[name]);
}

/** GET /assets of the contract, mounted at `/api/v1/equipment`. */
const assetList: FastifyPluginAsyncTypebox<AssetListOptions> = async (app, options) => {
  const { directory, cards } = options;
  app.get(
    "/assets",
    {
      config: { access: "equipment:read", contract: true },
      schema: {
        operationId: "listAssets",
        tags: ["equipment"],
        summary: "Equipment and assets with their current status",
        querystring: Type.Object({
          project_id: Type.Optional(ProjectId),
          status: Type.Optional(Type.Enum([...ASSET_STATUSES])),
          type: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
          search: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 200,
              description: "Part of the name or of the id, upper or lower case",
            }),
          ),
          ...CONTRACT_PAGE_PARAMETERS,
        }),
        response: {
          200: jsonOrGeo("The assets the key may see", AssetList),
          ...NOT_MODIFIED,
          ...FAILURES,
        },
      },
    },
    (request, reply) => {
      const { project_id, status, type, search, limit, offset } = request.query;
      if (project_id !== undefined) visibleProject(directory, request, project_id);
      const projectIds =
        project_id === undefined ? principal(request).projectIds : new Set([project_id]);
      const filter = { projectIds, status, type, search };
      const wanted = preferredType(request.headers.accept, [GEOJSON_TYPE, CSV_TYPE]);
      const isWhole = [status, type, search, limit, offset].every((given) => given === undefined);
      if (wanted === "application/json" && isWhole) {
        // The usual request: ready bytes, nothing serialised or compressed again.
        const answer = cards.answer(projectIds);
        return sendKept(request, reply, answer, JSON_UTF8);
      }
      const selected = cards.select(filter);
      const isPage = limit !== undefined || offset !== undefined;
      const { data, pagination } = isPage
        ? pageOf(selected, contractPage({ limit, offset }))
        : { data: selected, pagination: undefined };
      if (wanted === CSV_TYPE) return sendCsv(reply, data, COLUMNS);
      if (wanted === GEOJSON_TYPE) {
        return reply.type(GEOJSON_TYPE).send(JSON.stringify(featureCollection(data)));
      }
      const texts = data.map((card) => card.text).join(",");
      const page = pagination === undefined ? "" : `,"pagination":${JSON.stringify(pagination)}`;
      return reply.type(JSON_UTF8).send(`{"data":[${texts}]${page}}`);
    },
  );
};

function featureCollection(assets: readonly AssetNow[]): object {
  const features = assets.map((now) => {
    const { id, location, ...properties } = assetView(now);
    const coordinates = [location.longitude, location.latitude];
    return { type: "Feature", id, geometry: { type: "Point", coordinates }, properties };
  });
  return { type: "FeatureCollection", features };
}

export default assetList;
