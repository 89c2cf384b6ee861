import type { FastifyPluginAsync } from "fastify";
import { NO_QUOTA } from "../../storage/quota/quota.ts";
import type { ApiDependencies } from "../dependencies/dependencies.ts";
import backup from "./backup.ts";
import eventRoutes from "./events/routes.ts";
import files from "./files.ts";
import forwarders from "./forwarders/routes.ts";
import health from "./health.ts";
import home from "./home.ts";
import keys from "./keys.ts";
import mqttAuth from "./mqtt/routes.ts";
import projectRoutes from "./projects/routes.ts";
import webhookRoutes from "./webhooks/routes.ts";

/** What is asked without a key: the first page, health, metrics, and files by signed addresses; mounted at `/`. */
export const openRoutes =
  (deps: ApiDependencies): FastifyPluginAsync =>
  async (app) => {
    await app.register(home);
    await app.register(health, deps);
    if (deps.files !== undefined) await app.register(files, deps.files);
  };

/** Projects, keys, events and where they go; mounted at `/api/v1`. */
export const platformRoutes =
  (deps: ApiDependencies): FastifyPluginAsync =>
  async (app) => {
    const { records, directory, keyring, pepper, now } = deps;
    const { files: { quota } = { quota: NO_QUOTA } } = deps;
    await app.register(projectRoutes, { records, directory, quota, now });
    const { mqttLogin, noteConnection } = deps;
    const mqttOptions = { records, directory, keyring, pepper, mqttLogin, noteConnection, now };
    await app.register(mqttAuth, { ...mqttOptions, prefix: "/mqtt" });
    await app.register(keys, { records, directory, keyring, pepper, now });
    await app.register(eventRoutes, deps);
    if (deps.backups !== undefined) await app.register(backup, { backups: deps.backups, now });
    if (deps.webhooks !== undefined) {
      await app.register(webhookRoutes, { ...deps.webhooks, records, directory, pepper, now });
    }
    if (deps.forwarders !== undefined) {
      await app.register(forwarders, { ...deps.forwarders, records, directory, pepper, now });
    }
  };
