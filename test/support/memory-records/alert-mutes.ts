import { ALERT_SEVERITIES, type AlertSeverity } from "../../../domain/equipment/alert.ts";
import { requireRoomForMute } from "../../../domain/platform/record-limits.ts";
import type { AlertMute, AlertMuteRecords } from "../../../storage/ports/equipment/alert-mutes.ts";
import type { Alert } from "../../../storage/ports/equipment/alerts.ts";
import { stateOf } from "./alerts.ts";
import { compareText, type MemoryRows, pageOfRows, passes } from "./rows.ts";

/** Mutes of alerts in memory. */
export function createMemoryAlertMutes({ alertMutes: mutes }: MemoryRows): AlertMuteRecords {
  return {
    async insert(mute) {
      const inForce = [...mutes.values()].filter(
        ({ assetId, untilMs }) => assetId === mute.assetId && untilMs > mute.fromMs,
      );
      requireRoomForMute(inForce.length);
      mutes.set(mute.id, mute);
    },
    find: async (id) => mutes.get(id),
    async list(filter) {
      const { projectIds, assetId, untilAfterMs = -Infinity } = filter;
      const all = [...mutes.values()]
        .filter((mute) => passes(projectIds, mute.projectId))
        .filter((mute) => assetId === undefined || mute.assetId === assetId)
        .filter((mute) => mute.untilMs > untilAfterMs)
        .sort((a, b) => b.fromMs - a.fromMs || compareText(a.id, b.id));
      return { mutes: pageOfRows(all, filter), total: all.length };
    },
    async remove(id) {
      mutes.delete(id);
    },
    async expire(beforeMs) {
      for (const { id, untilMs } of [...mutes.values()]) if (untilMs < beforeMs) mutes.delete(id);
      return false;
    },
  };
}

const rank = (severity: AlertSeverity): number => ALERT_SEVERITIES.indexOf(severity);

const covers = (mute: AlertMute, alert: Alert): boolean =>
  mute.assetId === alert.assetId &&
  mute.projectId === alert.projectId &&
  mute.type === alert.type &&
  (mute.geofenceId === undefined || mute.geofenceId === alert.geofenceId) &&
  rank(alert.severity) <= rank(mute.maxSeverity) &&
  alert.openedAtMs >= mute.fromMs &&
  alert.openedAtMs < mute.untilMs;

/** What each mute covers that has acknowledged an alert, also one that is gone: kept with the alert. */
const applied = new WeakMap<MemoryRows, Map<string, AlertMute>>();

/** The alert as its mutes make it. */
export function mutedAlert(rows: MemoryRows, alert: Alert): Alert {
  const known = applied.get(rows) ?? new Map<string, AlertMute>();
  applied.set(rows, known);
  const reopened = reopenedAlert(alert, known);
  if (reopened.acknowledgedAtMs !== undefined) return reopened;
  const mute = [...rows.alertMutes.values()].find((one) => covers(one, reopened));
  if (mute === undefined) return reopened;
  known.set(mute.id, mute);
  const muted = {
    ...reopened,
    acknowledgedAtMs: reopened.openedAtMs,
    acknowledgedBy: mute.createdBy,
    acknowledgedName: mute.createdByName,
    note: mute.note,
    muteId: mute.id,
  };
  return { ...muted, state: stateOf(muted) };
}

function reopenedAlert(alert: Alert, known: ReadonlyMap<string, AlertMute>): Alert {
  const mute = alert.muteId === undefined ? undefined : known.get(alert.muteId);
  if (mute === undefined) return alert;
  if (mute.type === alert.type && rank(alert.severity) <= rank(mute.maxSeverity)) return alert;
  const { muteId: _, acknowledgedName: __, ...rest } = alert;
  const nobody = { acknowledgedAtMs: undefined, acknowledgedBy: undefined, note: undefined };
  const open = { ...rest, ...nobody };
  return { ...open, state: stateOf(open) };
}
