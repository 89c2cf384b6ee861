import fastifyCookie from "@fastify/cookie";
import type { FastifyInstance } from "fastify";
import { isSecretOf } from "../domain/platform/secret-hash.ts";
import { createDeviceDoor } from "../ingest/http/device-door.ts";
import { BOUNDLESS_DISK } from "../storage/disk/disk-space.ts";
import { learnUnknown } from "./access/learn-unknown.ts";
import { KeyGuard } from "./auth/guard.ts";
import { Identities } from "./auth/identities.ts";
import { OwnSite } from "./auth/own-site.ts";
import { Sessions } from "./auth/sessions.ts";
import { serveConsole } from "./console/routes.ts";
import type { ApiDependencies } from "./dependencies/dependencies.ts";
import { equipmentRoutes } from "./equipment/routes.ts";
import { createHttpApp } from "./http-app.ts";
import ingestRoutes from "./ingest/routes.ts";
import iso15143 from "./iso15143/routes.ts";
import jobRoutes from "./jobs/routes.ts";
import live from "./live/routes.ts";
import { materialRoutes } from "./materials/routes.ts";
import assistantRoutes from "./mcp/routes.ts";
import { describeApi } from "./openapi/describe-api.ts";
import overview from "./overview/routes.ts";
import { logInRoutes, openRoutes, platformRoutes } from "./platform/routes.ts";
import { progressRoutes } from "./progress/routes.ts";
import { SharedCounter } from "./rate-limit/shared-counter.ts";
import { compressAnswers } from "./representations/compression.ts";
import { createReportPrinter } from "./representations/report-printer.ts";
import { siteSurveyRoutes } from "./site-surveys/routes.ts";
import { createNamedUploads } from "./uploads/named-uploads.ts";
import { ResumableUploads } from "./uploads/resumable-uploads.ts";
import uploadRoutes from "./uploads/routes.ts";
import { checkBodyFields } from "./validation/body-fields.ts";
import { serializeAnswers } from "./validation/serialization.ts";
import { admitRows } from "./writes/admit-rows.ts";
import { answerOnce } from "./writes/idempotency.ts";
import { tagResources } from "./writes/resource-tag.ts";

/**
 * The HTTP API, ready to `listen` or `inject`. Everything it uses is in `deps`, and closing the app
 * closes none of it.
 */
export async function buildApp(deps: ApiDependencies): Promise<FastifyInstance> {
  const { records, telemetry, directory, keyring, pepper, now, log, metrics } = deps;
  // Counts that are shared are those of several processes on one record store.
  const { recordsDisk, requestCounts: counts, corsOrigins = [] } = deps;
  const devices =
    deps.ingest ??
    createDeviceDoor({
      directory,
      verifySecret: (secret, hash) => isSecretOf(pepper, secret, hash),
      log,
      demandsCertificate: deps.demandsDeviceCertificate,
      now,
    });
  const shared = counts && new SharedCounter({ counts, now, log });
  const site = new OwnSite(deps.publicUrl);
  const sessions = new Sessions({ records, keyring, pepper, now });
  const identities = new Identities(keyring, sessions, site);
  const auth = { identities, sessions, site };
  const served = deps.console && serveConsole(deps.console);
  const page = served?.pages;
  const isPage = page?.takes.bind(page);
  const guard = new KeyGuard({ identities, devices, site, now, keys: shared, isPage });
  const app = createHttpApp({ log, metrics, guard, corsOrigins, page });
  // Without its hooks, which would run for every request: cookies are read and set where sessions are.
  await app.register(fastifyCookie, { hook: false });
  checkBodyFields(app);
  serializeAnswers(app);
  tagResources(app);
  await compressAnswers(app);
  await describeApi(app);
  const printer = createReportPrinter(deps.chromiumFile, deps.disk ?? BOUNDLESS_DISK);
  const { files, uploads: images } = deps;
  const uploads = files && images && new ResumableUploads({ files, images, now });
  const named = uploads && createNamedUploads(uploads);
  const materials = materialRoutes(deps, printer, named);
  const progress = progressRoutes(deps, printer, named);
  const siteSurveys = siteSurveyRoutes(deps, named);
  await app.register(openRoutes(deps));
  if (served !== undefined) await app.register(served.files);
  await app.register(materials.pages);
  await app.register(progress.pages);
  await app.register(siteSurveys.pages);
  await app.register(
    async (api) => {
      if (recordsDisk !== undefined) admitRows(api, recordsDisk);
      if (counts !== undefined) learnUnknown(api, directory);
      answerOnce(api, records.idempotency, { pepper, now });
      await api.register(platformRoutes(deps, auth));
      if (served !== undefined) await api.register(served.api);
      await api.register(overview, { records, directory, live: deps.live, now });
      if (deps.jobs !== undefined) {
        const { jobsAtOnce } = deps.jobs;
        await api.register(jobRoutes, { records, directory, jobsAtOnce, now });
      }
      await api.register(equipmentRoutes(deps), { prefix: "/equipment" });
      await api.register(progress.routes, { prefix: "/progress" });
      await api.register(materials.routes, { prefix: "/materials" });
      await api.register(siteSurveys.routes);
      if (uploads !== undefined && files !== undefined) {
        await api.register(uploadRoutes, { uploads, directory, quota: files.quota });
      }
      await api.register(live, { ...deps, identities });
    },
    { prefix: "/api/v1" },
  );
  await app.register(logInRoutes(deps, auth), { prefix: "/api/v1" });
  // Outside the others: a device has no key, and intake recognises repeated messages.
  await app.register(ingestRoutes, { ingest: deps.ingest, prefix: "/api/v1/ingest" });
  const fleet = { directory, live: deps.live, telemetry, alerts: records.alerts, now };
  await app.register(iso15143, { ...fleet, prefix: "/iso15143-3" });
  const { assistants, publicUrl } = deps;
  if (assistants !== undefined) {
    await app.register(assistantRoutes, { assistants, site, corsOrigins, publicUrl, now });
  }
  await app.ready();
  return app;
}
