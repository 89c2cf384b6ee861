import type { FastifyPluginAsync } from "fastify";
import type { ApiDependencies } from "../../dependencies/dependencies.ts";
import { surfaceUrls } from "../../representations/surface-urls.ts";
import stockpileReads from "./stockpile-reads.ts";
import stockpileWrites from "./stockpile-writes.ts";

/** Stockpiles; mounted at `/api/v1/materials`. */
const stockpileRoutes: FastifyPluginAsync<ApiDependencies> = async (app, deps) => {
  const { records, directory, files, now } = deps;
  const { stockpiles } = records;
  const surfaceUrl = surfaceUrls(files, now);
  await app.register(stockpileReads, { stockpiles, directory, surfaceUrl });
  await app.register(stockpileWrites, { records, directory, files, surfaceUrl, now });
};

export default stockpileRoutes;
