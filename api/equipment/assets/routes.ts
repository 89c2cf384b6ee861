import type { FastifyPluginAsync } from "fastify";
import type { ApiDependencies } from "../../dependencies/dependencies.ts";
import { AssetCards } from "./asset-cards.ts";
import assetList from "./asset-list.ts";
import assetLocation from "./asset-location.ts";
import assetTelemetry from "./asset-telemetry.ts";
import assetWrites from "./asset-writes.ts";
import utilization from "./utilization.ts";

/** Assets: where they are, what they report, and how they are used; mounted at `/api/v1/equipment`. */
const assetRoutes: FastifyPluginAsync<ApiDependencies> = async (app, deps) => {
  const { records, telemetry, directory, live, feed, pepper, now } = deps;
  const zoneOf = deps.zoneOf ?? (() => undefined);
  const cards = new AssetCards(directory, live, zoneOf, now);
  await app.register(assetList, { directory, cards });
  await app.register(assetLocation, { directory, live, telemetry, zoneOf, now });
  await app.register(assetTelemetry, { directory, telemetry, now });
  await app.register(assetWrites, { records, directory, cards, feed, pepper, now });
  await app.register(utilization, { records, directory, live, now });
};

export default assetRoutes;
