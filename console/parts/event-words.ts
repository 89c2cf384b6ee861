import type { EventType } from "../../domain/events/events.ts";
import { t } from "../i18n/t.ts";

/** Types of events by their room, in the order of a filter. `satisfies` finds one that a later service adds. */
export const EVENT_TYPES = Object.keys({
  "equipment.geofence.entered": 1,
  "equipment.geofence.exited": 1,
  "equipment.limit.exceeded": 1,
  "equipment.limit.cleared": 1,
  "equipment.fault.raised": 1,
  "equipment.fault.cleared": 1,
  "equipment.maintenance.warning": 1,
  "equipment.maintenance.due": 1,
  "equipment.maintenance.serviced": 1,
  "equipment.device.notice": 1,
  "equipment.command.queued": 1,
  "equipment.command.sent": 1,
  "equipment.command.delivered": 1,
  "equipment.command.answered": 1,
  "equipment.command.failed": 1,
  "equipment.command.expired": 1,
  "equipment.command.cancelled": 1,
  "equipment.asset.offline": 1,
  "equipment.asset.online": 1,
  "equipment.asset.silent": 1,
  "equipment.asset.reporting": 1,
  "equipment.asset.gps_stuck": 1,
  "equipment.asset.gps_recovered": 1,
  "equipment.project.outage": 1,
  "equipment.project.recovered": 1,
  "materials.stockpile.measured": 1,
  "materials.stockpile.low": 1,
  "materials.stockpile.full": 1,
  "progress.report.created": 1,
  "progress.behind_schedule": 1,
  "progress.camera_moved": 1,
  "ingest.journal_gap": 1,
  "security.foreign_topic": 1,
  "security.hardware_id_claimed": 1,
} satisfies Record<EventType, 1>) as readonly EventType[];

/** Types of events that open alerts of a machine, which a mute names. */
export const ALERT_TYPES = [
  "equipment.geofence.entered",
  "equipment.geofence.exited",
  "equipment.limit.exceeded",
  "equipment.fault.raised",
  "equipment.maintenance.warning",
  "equipment.maintenance.due",
  "equipment.asset.offline",
  "equipment.asset.silent",
  "equipment.asset.gps_stuck",
] as const satisfies readonly EventType[];

/** What a type means, in words; one that this console does not know, as it is. */
export function eventWords(type: string): string {
  const base = type.replace(/\.(revised|withdrawn)$/, "");
  const known = EVENT_TYPES.find((one) => one === base);
  const words = known === undefined ? base : t(`event.${known}`);
  if (type.endsWith(".revised")) return t("event.revised", { event: words });
  return type.endsWith(".withdrawn") ? t("event.withdrawn", { event: words }) : words;
}

const CAUSES = [
  "first_fix",
  "fence_changed",
  "fence_deleted",
  "asset_moved",
  "asset_deleted",
  "plan_changed",
  "records_damaged",
] as const;

/** Why something happened where that is not what usually causes it; one that a later service adds, as it is. */
export function causeWords(cause: string): string {
  const known = CAUSES.find((one) => one === cause);
  return known === undefined ? cause : t(`visits.cause.${known}`);
}
