import type { FastifyPluginAsync } from "fastify";
import { NO_QUOTA } from "../../storage/quota/quota.ts";
import type { Identities } from "../auth/identities.ts";
import type { OwnSite } from "../auth/own-site.ts";
import type { Sessions } from "../auth/sessions.ts";
import type { ApiDependencies } from "../dependencies/dependencies.ts";
import { Thumbnails } from "../stored-images/thumbnails.ts";
import backup from "./backup.ts";
import eventRoutes from "./events/routes.ts";
import files from "./files.ts";
import forwarders from "./forwarders/routes.ts";
import health from "./health.ts";
import home from "./home.ts";
import keys from "./keys.ts";
import mqttAuth from "./mqtt/routes.ts";
import projectRoutes from "./projects/routes.ts";
import service from "./service.ts";
import logIn from "./sessions/log-in.ts";
import sessionRoutes from "./sessions/sessions.ts";
import webhookRoutes from "./webhooks/routes.ts";

/** What is asked without a key: the first page, health, metrics, and files by signed addresses; mounted at `/`. */
export const openRoutes =
  (deps: ApiDependencies): FastifyPluginAsync =>
  async (app) => {
    const built = deps.console?.built ?? "off";
    if (typeof built === "string") await app.register(home, { isMissing: built === "not built" });
    await app.register(health, deps);
    if (deps.files === undefined) return;
    const { store } = deps.files;
    const thumbnails = deps.runThumbnailTask && new Thumbnails(store, deps.runThumbnailTask);
    await app.register(files, { ...deps.files, thumbnails });
  };

/** Who is asking, made once for all routes. */
export interface AuthDependencies {
  readonly identities: Identities;
  readonly sessions: Sessions;
  readonly site: OwnSite;
}

/** The log-in of browsers; mounted at `/api/v1`, outside of what keeps answers for repetitions. */
export const logInRoutes =
  ({ keyring, now }: ApiDependencies, { sessions, site }: AuthDependencies): FastifyPluginAsync =>
  async (app) => {
    await app.register(logIn, { keyring, sessions, site, now });
  };

/** Projects, keys, sessions, events and where they go; mounted at `/api/v1`. */
export const platformRoutes =
  (deps: ApiDependencies, { identities, sessions, site }: AuthDependencies): FastifyPluginAsync =>
  async (app) => {
    const { records, directory, keyring, pepper, now } = deps;
    const { files: { quota } = { quota: NO_QUOTA } } = deps;
    await app.register(projectRoutes, { ...deps, quota });
    const { mqttLogin, noteConnection } = deps;
    const mqttOptions = { records, directory, keyring, pepper, mqttLogin, noteConnection, now };
    await app.register(mqttAuth, { ...mqttOptions, prefix: "/mqtt" });
    await app.register(keys, { records, directory, keyring, sessions, pepper, now });
    await app.register(sessionRoutes, { records, sessions, site, now });
    await app.register(eventRoutes, { ...deps, identities });
    let backupAtMs: number | undefined;
    const finished = () => {
      backupAtMs = now();
    };
    if (deps.backups !== undefined) {
      await app.register(backup, { backups: deps.backups, now, finished });
    }
    await app.register(service, { ...deps, lastBackupMs: () => backupAtMs });
    if (deps.webhooks !== undefined) {
      await app.register(webhookRoutes, { ...deps.webhooks, records, directory, pepper, now });
    }
    if (deps.forwarders !== undefined) {
      await app.register(forwarders, { ...deps.forwarders, records, directory, pepper, now });
    }
  };
