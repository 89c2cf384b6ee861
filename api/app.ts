import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { BOUNDLESS_DISK } from "../storage/disk/disk-space.ts";
import type { Files } from "../storage/open.ts";
import { NO_QUOTA } from "../storage/quota/quota.ts";
import { createGuard } from "./auth/guard.ts";
import type { ApiDependencies } from "./dependencies/dependencies.ts";
import alerts from "./equipment/alerts/routes.ts";
import { createAssetCards } from "./equipment/assets/asset-cards.ts";
import assetList from "./equipment/assets/asset-list.ts";
import assetLocation from "./equipment/assets/asset-location.ts";
import assetTelemetry from "./equipment/assets/asset-telemetry.ts";
import assetWrites from "./equipment/assets/asset-writes.ts";
import utilization from "./equipment/assets/utilization.ts";
import commands from "./equipment/commands/routes.ts";
import fleetSources from "./equipment/fleet-sources/routes.ts";
import geofenceImport from "./equipment/geofences/geofence-import.ts";
import geofencePreview from "./equipment/geofences/geofence-preview.ts";
import geofenceReads from "./equipment/geofences/geofence-reads.ts";
import geofenceWrites from "./equipment/geofences/geofence-writes.ts";
import visits from "./equipment/geofences/visits.ts";
import maintenancePlans from "./equipment/maintenance/maintenance-plans.ts";
import maintenanceServices from "./equipment/maintenance/maintenance-services.ts";
import maintenanceStatus from "./equipment/maintenance/maintenance-status.ts";
import deviceLog from "./equipment/messages/device-log.ts";
import dryRun from "./equipment/messages/dry-run.ts";
import mappings from "./equipment/messages/mappings.ts";
import quarantine from "./equipment/messages/quarantine.ts";
import { createHttpApp } from "./http-app.ts";
import ingestRoutes from "./ingest/routes.ts";
import iso15143 from "./iso15143/routes.ts";
import measure from "./materials/measurements/measure.ts";
import { createMeasurementLinks } from "./materials/measurements/measurement-links.ts";
import measurementPageFiles from "./materials/measurements/measurement-page-files.ts";
import { createMeasurementPages } from "./materials/measurements/measurement-pages.ts";
import measurementReports from "./materials/measurements/measurement-reports.ts";
import measurements from "./materials/measurements/measurements.ts";
import reconciliation from "./materials/reconciliation/routes.ts";
import stockpileReads from "./materials/stockpiles/stockpile-reads.ts";
import stockpileWrites from "./materials/stockpiles/stockpile-writes.ts";
import { describeApi } from "./openapi/describe-api.ts";
import backup from "./platform/backup.ts";
import eventStream from "./platform/events/event-stream.ts";
import events from "./platform/events/events.ts";
import fileRoutes from "./platform/files.ts";
import forwarders from "./platform/forwarders/routes.ts";
import health from "./platform/health.ts";
import keys from "./platform/keys.ts";
import mqttAuth from "./platform/mqtt/routes.ts";
import projectStorage from "./platform/projects/project-storage.ts";
import projects from "./platform/projects/projects.ts";
import webhookDeliveries from "./platform/webhooks/webhook-deliveries.ts";
import webhooks from "./platform/webhooks/webhooks.ts";
import cameraRoutes from "./progress/cameras/routes.ts";
import captures from "./progress/captures/routes.ts";
import images from "./progress/images/routes.ts";
import progressPageFiles from "./progress/reports/progress-page-files.ts";
import { createReportPages } from "./progress/reports/report-pages.ts";
import reports from "./progress/reports/routes.ts";
import scheduleImport from "./progress/schedules/schedule-import.ts";
import schedulePlanned from "./progress/schedules/schedule-planned.ts";
import { createSchedulePlans } from "./progress/schedules/schedule-plans.ts";
import scheduleReads from "./progress/schedules/schedule-reads.ts";
import zones from "./progress/zones/routes.ts";
import type { RequestCounter } from "./rate-limit/request-counter.ts";
import { createSharedCounter } from "./rate-limit/shared-counter.ts";
import { compressAnswers } from "./representations/compression.ts";
import { createProgressLinks } from "./representations/progress-links.ts";
import { createReportPrinter, type ReportPrinter } from "./representations/report-printer.ts";
import { surfaceUrls } from "./representations/surface-urls.ts";
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
  const { records, telemetry, directory, live, plans, feed, keyring, pepper, now } = deps;
  const { recordsDisk, files: { quota } = { quota: NO_QUOTA } } = deps;
  const zoneOf = deps.zoneOf ?? (() => undefined);
  const guard = createGuard(keyring, now, sharedCounter(deps));
  const { log, metrics, corsOrigins = [] } = deps;
  const app = createHttpApp({
    log,
    metrics,
    guard,
    corsOrigins,
  }).withTypeProvider<TypeBoxTypeProvider>();
  checkBodyFields(app);
  serializeAnswers(app);
  tagResources(app);
  await compressAnswers(app);
  await describeApi(app);
  await app.register(health, {
    health: deps.health,
    damage: deps.damage,
    ...(deps.warnings === undefined ? {} : { warnings: deps.warnings }),
    metrics: deps.metrics,
  });
  if (deps.files !== undefined) {
    await app.register(fileRoutes, deps.files);
  }
  const printer = createReportPrinter(deps.chromiumFile, deps.disk ?? BOUNDLESS_DISK);
  const measured = deps.files && measurementParts(deps.files, deps, printer);
  if (measured !== undefined) {
    const { files, pages } = measured;
    await app.register(measurementPageFiles, { stockpiles: records.stockpiles, files, pages });
  }
  const reported = deps.files && reportParts(deps.files, deps);
  if (reported !== undefined) {
    const { captures, progressReports: reports } = records;
    await app.register(progressPageFiles, { ...reported, captures, reports, printer });
  }
  await app.register(
    async (api) => {
      if (recordsDisk !== undefined) admitRows(api, recordsDisk);
      answerOnce(api, records.idempotency, { pepper, now });
      await api.register(projects, { records, directory, now });
      const { mqttLogin, noteConnection } = deps;
      const mqttOptions = { records, directory, keyring, pepper, mqttLogin, noteConnection, now };
      await api.register(mqttAuth, { ...mqttOptions, prefix: "/mqtt" });
      await api.register(projectStorage, { records, quota });
      await api.register(keys, { records, directory, keyring, pepper, now });
      await api.register(events, { events: records.events, feed, directory });
      await api.register(eventStream, {
        events: records.events,
        feed,
        directory,
        keyring,
        metrics: deps.metrics,
      });
      if (deps.backups !== undefined) await api.register(backup, { backups: deps.backups, now });
      if (deps.webhooks !== undefined) {
        const options = { ...deps.webhooks, records, directory, pepper, now };
        await api.register(webhooks, options);
        await api.register(webhookDeliveries, options);
      }
      if (deps.forwarders !== undefined) {
        await api.register(forwarders, { ...deps.forwarders, records, directory, pepper, now });
      }
      await api.register(
        async (equipment) => {
          const cards = createAssetCards(directory, live, zoneOf, now);
          await equipment.register(assetList, { directory, cards });
          await equipment.register(assetLocation, { directory, live, telemetry, zoneOf, now });
          await equipment.register(assetTelemetry, { directory, telemetry, now });
          await equipment.register(assetWrites, { records, directory, cards, feed, pepper, now });
          if (deps.commands !== undefined) {
            await equipment.register(commands, { ...deps.commands, records, directory, feed, now });
          }
          await equipment.register(utilization, { records, directory, live, now });
          await equipment.register(geofenceReads, { geofences: records.geofences, directory });
          await equipment.register(geofenceWrites, {
            records,
            directory,
            fences: deps.fences,
            now,
          });
          await equipment.register(geofencePreview, { records, telemetry, directory, live, now });
          await equipment.register(geofenceImport, {
            records,
            directory,
            fences: deps.fences,
            recordsDisk: recordsDisk ?? BOUNDLESS_DISK,
            now,
          });
          await equipment.register(deviceLog, {
            connections: records.connections,
            messageViews: deps.messageViews,
            directory,
          });
          await equipment.register(visits, { records, directory, now });
          await equipment.register(alerts, { records, directory, now });
          await equipment.register(maintenancePlans, { records, directory, plans, now });
          await equipment.register(maintenanceStatus, { records, directory, live, plans, now });
          await equipment.register(maintenanceServices, {
            records,
            telemetry,
            directory,
            live,
            plans,
            now,
          });
          await equipment.register(mappings, { records, directory, now });
          const { retentionDays } = deps;
          await equipment.register(dryRun, { records, directory, retentionDays, now });
          if (deps.fleetSources !== undefined) {
            const options = { ...deps.fleetSources, records, pepper, now };
            await equipment.register(fleetSources, options);
          }
          await equipment.register(quarantine, { records, directory, replay: deps.replay, now });
        },
        { prefix: "/equipment" },
      );
      await api.register(
        async (progress) => {
          const { uploads, jobs } = deps;
          if (uploads !== undefined) {
            await progress.register(images, { uploads, directory, quota, now });
          }
          const schedules = { records, directory, plans: createSchedulePlans(records), now };
          await progress.register(scheduleImport, {
            ...schedules,
            recordsDisk: recordsDisk ?? BOUNDLESS_DISK,
            storedFiles: records.storedFiles,
            quota,
          });
          await progress.register(scheduleReads, schedules);
          await progress.register(schedulePlanned, schedules);
          await progress.register(zones, { records, directory, files: deps.files, now });
          if (reported === undefined) return;
          const { runTask } = deps;
          const options = { ...reported, records, directory, now };
          await progress.register(reports, { ...options, feed, runTask });
          await progress.register(cameraRoutes, { ...options, jobs });
          if (jobs !== undefined) await progress.register(captures, { ...options, jobs });
        },
        { prefix: "/progress" },
      );
      await api.register(
        async (materials) => {
          const { files } = deps;
          const { stockpiles } = records;
          const surfaceUrl = surfaceUrls(files, now);
          await materials.register(stockpileReads, { stockpiles, directory, surfaceUrl });
          await materials.register(stockpileWrites, { records, directory, files, surfaceUrl, now });
          const { retentionDays } = deps;
          await materials.register(reconciliation, { records, telemetry, retentionDays, now });
          if (measured === undefined) return;
          const { links, pages } = measured;
          await materials.register(measurements, { stockpiles, links });
          await materials.register(measurementReports, { stockpiles, links, pages });
          if (deps.jobs === undefined) return;
          await materials.register(measure, { ...measured, records, jobs: deps.jobs, now });
        },
        { prefix: "/materials" },
      );
    },
    { prefix: "/api/v1" },
  );
  // Outside the others: a device has no key, and intake recognises repeated messages.
  await app.register(ingestRoutes, { ingest: deps.ingest, prefix: "/api/v1/ingest" });
  const fleet = { directory, live, telemetry, alerts: records.alerts, now };
  await app.register(iso15143, { ...fleet, prefix: "/iso15143-3" });
  await app.ready();
  return app;
}

/** What routes of measurements share, whether they require a key or a signed address. */
function measurementParts(files: Files, { records, now }: ApiDependencies, printer: ReportPrinter) {
  const links = createMeasurementLinks(files, now);
  const pages = createMeasurementPages(records.stockpiles, files.store, links, printer);
  return { files, links, pages };
}

/** The same of captures and progress reports. */
function reportParts(files: Files, { records, now }: ApiDependencies) {
  const links = createProgressLinks(files, now);
  return { files, links, pages: createReportPages(records, links, now) };
}

function sharedCounter({
  requestCounts: counts,
  now,
  log,
}: ApiDependencies): RequestCounter | undefined {
  return counts && createSharedCounter({ counts, now, log });
}
