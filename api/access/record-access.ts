import type { FastifyRequest } from "fastify";
import type { Command } from "../../domain/equipment/command.ts";
import { DomainError, type ErrorCode } from "../../domain/errors.ts";
import type { Geofence } from "../../domain/geometry/geofence.ts";
import {
  type AlertId,
  type AlertMuteId,
  type AssetId,
  type CameraId,
  type CaptureId,
  type CommandId,
  type ForwarderId,
  type GeofenceId,
  isId,
  type MeasurementId,
  type ProjectId,
  type ReportId,
  type StockpileId,
  type WebhookId,
  type WorkZoneId,
} from "../../domain/ids.ts";
import type { Project } from "../../domain/project.ts";
import type { Capture } from "../../domain/sites/capture.ts";
import type { StockpileMeasurement } from "../../domain/sites/measurement.ts";
import type { SiteCamera } from "../../domain/sites/site-camera.ts";
import type { Stockpile } from "../../domain/sites/stockpile.ts";
import type { WorkZone } from "../../domain/sites/work-zone.ts";
import type { AssetDirectory } from "../../ingest/directories/asset-directory.ts";
import type { AlertMute } from "../../storage/ports/equipment/alert-mutes.ts";
import type { Alert } from "../../storage/ports/equipment/alerts.ts";
import type { QuarantineEntry } from "../../storage/ports/equipment/quarantine.ts";
import type { Forwarder } from "../../storage/ports/events/forwarders.ts";
import type { Webhook } from "../../storage/ports/events/webhooks.ts";
import type { FoundReport } from "../../storage/ports/sites/progress-reports.ts";
import type { StockpileRecords } from "../../storage/ports/sites/stockpiles.ts";
import { principal } from "../auth/guard.ts";
import { type Principal, seesProject } from "../auth/principal.ts";
import { invalidParameter } from "../validation/validation.ts";
import { visibleAsset, visibleProject } from "./asset-access.ts";

interface Finder<Id extends string, T> {
  find(id: Id): Promise<T | undefined>;
}

/**
 * A record that the key may see, by its id.
 * @throws DomainError, the same for an absent record and for another tenant's.
 */
type FindVisible<Id extends string, T> = (
  records: Finder<Id, T>,
  request: FastifyRequest,
  id: Id,
) => Promise<T>;

/** `noun` is what people call a record of the kind. */
function finderOf<Id extends string, T>(
  noun: string,
  notFound: ErrorCode,
  isSeenBy: (key: Principal, found: T) => boolean,
): FindVisible<Id, T> {
  return async (records, request, id) => {
    // The path is not validated: text that is not an id names nothing, and never reaches the database.
    const found = isId(id) ? await records.find(id) : undefined;
    if (found === undefined || !isSeenBy(principal(request), found)) {
      throw new DomainError(notFound, `no ${noun} ${id}`);
    }
    return found;
  };
}

const seesOwner = (key: Principal, { project_id }: { readonly project_id: ProjectId }): boolean =>
  seesProject(key, project_id);
const seesStored = (key: Principal, { projectId }: { readonly projectId: ProjectId }): boolean =>
  seesProject(key, projectId);

/** Whether everything that the webhook, or forwarder, is sent is for the key to see. */
export function seesSubscription(
  key: Principal,
  { projectIds }: Pick<Webhook, "projectIds">,
): boolean {
  if (key.projectIds === undefined) return true;
  return projectIds?.every((id) => seesProject(key, id)) ?? false;
}

export const visibleStoredProject = finderOf<ProjectId, Project>(
  "project",
  "PROJECT_NOT_FOUND",
  (key, { id }) => seesProject(key, id),
);
export const visibleGeofence = finderOf<GeofenceId, Geofence>(
  "geofence",
  "GEOFENCE_NOT_FOUND",
  seesOwner,
);
export const visibleStockpile = finderOf<StockpileId, Stockpile>(
  "stockpile",
  "STOCKPILE_NOT_FOUND",
  seesOwner,
);
export const visibleZone = finderOf<WorkZoneId, WorkZone>("work zone", "ZONE_NOT_FOUND", seesOwner);
export const visibleCamera = finderOf<CameraId, SiteCamera>(
  "camera",
  "CAMERA_NOT_FOUND",
  seesOwner,
);
export const visibleCapture = finderOf<CaptureId, Capture>(
  "capture",
  "CAPTURE_NOT_FOUND",
  seesOwner,
);
export const visibleReport = finderOf<ReportId, FoundReport>(
  "report",
  "REPORT_NOT_FOUND",
  (key, { report }) => seesOwner(key, report),
);
export const visibleAlert = finderOf<AlertId, Alert>("alert", "ALERT_NOT_FOUND", seesStored);
export const visibleMute = finderOf<AlertMuteId, AlertMute>("mute", "MUTE_NOT_FOUND", seesStored);
export const visibleQuarantined = finderOf<string, QuarantineEntry>(
  "quarantined message",
  "QUARANTINE_NOT_FOUND",
  seesStored,
);
/** A webhook of projects that the key sees, all of them. */
export const visibleWebhook = finderOf<WebhookId, Webhook>(
  "webhook",
  "WEBHOOK_NOT_FOUND",
  seesSubscription,
);
/** A forwarder of projects that the key sees, all of them. */
export const visibleForwarder = finderOf<ForwarderId, Forwarder>(
  "forwarder",
  "FORWARDER_NOT_FOUND",
  seesSubscription,
);

/** A measurement and the stockpile that it is of. */
export interface MeasurementOf {
  readonly stockpile: Stockpile;
  readonly measurement: StockpileMeasurement;
}

/**
 * A measurement of a stockpile that the key may see.
 * @throws DomainError `STOCKPILE_NOT_FOUND`, `MEASUREMENT_NOT_FOUND`.
 */
export async function visibleMeasurement(
  stockpiles: StockpileRecords,
  request: FastifyRequest,
  path: { readonly stockpile_id: StockpileId; readonly measurement_id: MeasurementId },
): Promise<MeasurementOf> {
  const stockpile = await visibleStockpile(stockpiles, request, path.stockpile_id);
  const { measurement_id: id } = path;
  const measurement = isId(id) ? await stockpiles.findMeasurement(stockpile.id, id) : undefined;
  if (measurement === undefined) {
    throw new DomainError("MEASUREMENT_NOT_FOUND", `no measurement ${id}`);
  }
  return { stockpile, measurement };
}

const visibleInProject = finderOf<CommandId, Command>("command", "COMMAND_NOT_FOUND", seesStored);

/**
 * A command of an asset that the key may see.
 * @throws DomainError `ASSET_NOT_FOUND`; `COMMAND_NOT_FOUND`, the same for an absent command and for one that
 * another tenant gave the asset before it moved.
 */
export async function visibleCommand(
  commands: Finder<CommandId, Command>,
  directory: AssetDirectory,
  request: FastifyRequest,
  path: { readonly asset_id: AssetId; readonly command_id: CommandId },
): Promise<Command> {
  const { asset } = visibleAsset(directory, request, path.asset_id);
  const command = await visibleInProject(commands, request, path.command_id);
  if (command.assetId !== asset.id) {
    throw new DomainError("COMMAND_NOT_FOUND", `no command ${command.id}`);
  }
  return command;
}

/**
 * The projects of a subscription: those that were asked for, all of which the key must see; none named
 * means every project, which only a key that sees every project may ask for.
 * @throws DomainError `PROJECT_NOT_FOUND`, or ParameterError.
 */
export function subscribedProjects(
  directory: AssetDirectory,
  request: FastifyRequest,
  asked: readonly ProjectId[] | undefined,
): readonly ProjectId[] | undefined {
  if (asked === undefined && principal(request).projectIds !== undefined) {
    throw invalidParameter("project_ids", "must name projects: the API key does not see all");
  }
  return asked?.map((id) => visibleProject(directory, request, id, "project_ids").id);
}
