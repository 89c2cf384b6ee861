import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RecordBackend, TestRecords } from "../support/databases.ts";
import { describeAlertMutes } from "./records/alert-mutes.ts";
import { describeAlertRecords } from "./records/alerts.ts";
import { describeApiKeyRecords } from "./records/api-keys.ts";
import { describeApiProcesses } from "./records/api-processes.ts";
import { describeAssetRecords } from "./records/assets.ts";
import { describeCaptureRecords } from "./records/captures.ts";
import { describeClientSessions } from "./records/client-sessions.ts";
import { describeCommandRecords } from "./records/commands.ts";
import { describeDeviceLog } from "./records/device-log.ts";
import { describeEventReaderRecords } from "./records/event-readers.ts";
import { describeEventRecords } from "./records/events.ts";
import { describeFleetSourceRecords } from "./records/fleet-sources.ts";
import { describeForwarderRecords } from "./records/forwarders.ts";
import { describeGeofenceRecords } from "./records/geofences.ts";
import { describeIdempotencyRecords } from "./records/idempotency.ts";
import { describeIdempotencyExpiry } from "./records/idempotency-expiry.ts";
import { describeJobRecords } from "./records/jobs.ts";
import { describeJournalPlaces } from "./records/journal-places.ts";
import { describeLatenessRecords } from "./records/lateness.ts";
import { describeLeases } from "./records/leases.ts";
import { describeLogLayouts } from "./records/log-layouts.ts";
import { describeMaintenanceRecords } from "./records/maintenance.ts";
import { describePayloadMappingRecords } from "./records/payload-mappings.ts";
import { describePipelineRecords } from "./records/pipeline.ts";
import { describeProgressReportRecords } from "./records/progress-reports.ts";
import { describeProjectRecords } from "./records/projects.ts";
import { describeQuarantineRecords } from "./records/quarantine.ts";
import { describeRecordLimits } from "./records/record-limits.ts";
import type { OpenStore } from "./records/rows.ts";
import { describeScheduleRecords } from "./records/schedules.ts";
import { describeSecretCheck } from "./records/secret-check.ts";
import { describeSessionRecords } from "./records/sessions.ts";
import { describeSeveralPipelines } from "./records/several-pipelines.ts";
import { describeSiteCameraRecords } from "./records/site-cameras.ts";
import { describeStockpileRecords } from "./records/stockpiles.ts";
import { describeStoredFiles } from "./records/stored-files.ts";
import { describeSurveyRecords } from "./records/surveys.ts";
import { describeTelemetryDeadLetters } from "./records/telemetry-dead-letters.ts";
import { describeVisitRecords } from "./records/visits.ts";
import { describeWebhookRecords } from "./records/webhooks.ts";
import { describeWorkZoneRecords } from "./records/work-zones.ts";

/** The ports that are tested without access to the database below; the store in memory passes these too. */
export function describeTrackingRecords(current: () => OpenStore): void {
  describeGeofenceRecords(current);
  describeVisitRecords(current);
  describeAlertRecords(current);
  describeAlertMutes(current);
  describeEventRecords(current);
  describeEventReaderRecords(current);
  describeRecordLimits(current);
  describeWebhookRecords(current);
  describeCommandRecords(current);
  describeFleetSourceRecords(current);
  describeForwarderRecords(current);
  describeMaintenanceRecords(current);
  describePayloadMappingRecords(current);
  describeTelemetryDeadLetters(current);
  describeLatenessRecords(current);
  describeJobRecords(current);
  describeStockpileRecords(current);
  describeWorkZoneRecords(current);
  describeScheduleRecords(current);
  describeCaptureRecords(current);
  describeProgressReportRecords(current);
  describeSiteCameraRecords(current);
  describeSurveyRecords(current);
  describeLeases(current);
  describeJournalPlaces(current);
  describeLogLayouts(current);
  describeSeveralPipelines(current);
  describeApiProcesses(current);
  describeSecretCheck(current);
  describeSessionRecords(current);
  describeStoredFiles(current);
  describeIdempotencyRecords(current);
  describeDeviceLog(current);
  describeClientSessions(current);
}

/** What every record store must do. `open` yields the store of this file, emptied before each test. */
export function describeRecordStore(backend: RecordBackend): void {
  const absence = backend.absent === undefined ? "" : ` (skipped: ${backend.absent})`;

  it.runIf(backend.required)(`record store on ${backend.name} is there, as required`, () => {
    expect(backend.absent).toBeUndefined();
  });

  describe.skipIf(backend.absent !== undefined)(`record store on ${backend.name}${absence}`, () => {
    let records: TestRecords | undefined;
    const current = (): TestRecords => {
      if (records === undefined) throw new Error("the record store is not open");
      return records;
    };

    beforeAll(async () => {
      records = await backend.open();
    });
    beforeEach(() => current().reset());
    afterAll(() => records?.close());

    describeProjectRecords(current);
    describeAssetRecords(current);
    describeApiKeyRecords(current);
    describePipelineRecords(current);
    describeQuarantineRecords(current);
    describeIdempotencyExpiry(current);
    describeTrackingRecords(current);

    it("the record store answers a ping", async () => {
      await expect(current().store.ping()).resolves.toBeUndefined();
    });
  });
}
