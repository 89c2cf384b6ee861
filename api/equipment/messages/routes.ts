import type { FastifyPluginAsync } from "fastify";
import type { ApiDependencies } from "../../dependencies/dependencies.ts";
import deviceLog from "./device-log.ts";
import dryRun from "./dry-run.ts";
import mappings from "./mappings.ts";
import quarantine from "./quarantine.ts";

/** What devices sent and how it is read; mounted at `/api/v1/equipment`. */
const messageRoutes: FastifyPluginAsync<ApiDependencies> = async (app, deps) => {
  const { records, directory, messageViews, retentionDays, replay, now } = deps;
  await app.register(deviceLog, { connections: records.connections, messageViews, directory });
  await app.register(mappings, { records, directory, now });
  await app.register(dryRun, { records, directory, retentionDays, now });
  await app.register(quarantine, { records, directory, replay, now });
};

export default messageRoutes;
