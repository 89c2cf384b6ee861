import type { AlertState } from "../../../domain/equipment/alert.ts";
import { DomainError } from "../../../domain/errors.ts";
import type {
  Alert,
  AlertFilter,
  AlertRecords,
  AlertUpsert,
} from "../../../storage/ports/equipment/alerts.ts";
import { type MemoryRows, pageOfRows, passes } from "./rows.ts";

/** Alerts in memory; what the pipeline knows of them is written by its commit. */
export function createMemoryAlerts(rows: MemoryRows): AlertRecords {
  const { alerts, alertSequences } = rows;
  function matching(filter: AlertFilter): readonly Alert[] {
    const { assetId, geofenceId, fromMs = -Infinity, toMs = Infinity } = filter;
    return [...alerts.values()]
      .filter((alert) => passes(filter.ids, alert.id))
      .filter((alert) => passes(filter.projectIds, alert.projectId))
      .filter((alert) => assetId === undefined || alert.assetId === assetId)
      .filter((alert) => geofenceId === undefined || alert.geofenceId === geofenceId)
      .filter((alert) => passes(filter.states, alert.state))
      .filter((alert) => passes(filter.severities, alert.severity))
      .filter((alert) => passes(filter.types, alert.type))
      .filter((alert) => alert.openedAtMs >= fromMs && alert.openedAtMs < toMs)
      .sort((a, b) => b.openedAtMs - a.openedAtMs || (a.id < b.id ? -1 : 1));
  }

  return {
    async list(filter) {
      const all = matching(filter);
      return { alerts: pageOfRows(all, filter), total: all.length };
    },
    async after(after, { projectIds, limit }) {
      return [...alertSequences]
        .filter(([, sequence]) => sequence > after)
        .sort(([, a], [, b]) => a - b)
        .flatMap(([id, sequence]) => {
          const alert = alerts.get(id);
          return alert === undefined ? [] : [{ sequence, alert }];
        })
        .filter(({ alert }) => passes(projectIds, alert.projectId))
        .slice(0, limit);
    },
    lastSequence: async () => rows.lastAlertSequence,
    async acknowledgeSome(filter, { keyId, keyName, atMs, note }, limit) {
      const chosen = matching(filter)
        .filter(({ acknowledgedAtMs }) => acknowledgedAtMs === undefined)
        .slice(0, limit);
      for (const before of chosen) {
        const by = { acknowledgedBy: keyId, acknowledgedName: keyName };
        const alert = { ...before, acknowledgedAtMs: atMs, ...by, note };
        putAlert(rows, { ...alert, state: stateOf(alert) });
      }
      return chosen.map(({ id }) => id);
    },
    find: async (id) => alerts.get(id),
    async acknowledge(id, { keyId, keyName, atMs, note }) {
      const before = alerts.get(id);
      if (before === undefined) throw new DomainError("ALERT_NOT_FOUND", id);
      if (before.acknowledgedAtMs !== undefined) return before;
      const by = { acknowledgedBy: keyId, acknowledgedName: keyName };
      const alert = { ...before, acknowledgedAtMs: atMs, ...by, note };
      putAlert(rows, { ...alert, state: stateOf(alert) });
      return { ...alert, state: stateOf(alert) };
    },
    async expire(beforeMs) {
      for (const alert of [...alerts.values()]) {
        if ((alert.resolvedAtMs ?? Infinity) < beforeMs) alerts.delete(alert.id);
      }
      return false;
    },
  };
}

/** Stores an alert, and that it changed. */
export function putAlert(rows: MemoryRows, alert: Alert): void {
  rows.lastAlertSequence += 1;
  rows.alertSequences.set(alert.id, rows.lastAlertSequence);
  rows.alerts.set(alert.id, alert);
}

/** The alert as it is after the pipeline said what it knows; an acknowledgement stays. */
export function upsertedAlert(before: Alert | undefined, upsert: AlertUpsert): Alert {
  const acknowledged = {
    acknowledgedAtMs: before?.acknowledgedAtMs,
    acknowledgedBy: before?.acknowledgedBy,
    ...(before?.acknowledgedName === undefined
      ? {}
      : { acknowledgedName: before.acknowledgedName }),
    note: before?.note,
    ...(before?.muteId === undefined ? {} : { muteId: before.muteId }),
  };
  const { deviceTimeMs } = before ?? {};
  const isSameTime =
    deviceTimeMs !== undefined && deviceTimeMs === (upsert.deviceTimeMs ?? upsert.openedAtMs);
  const times = isSameTime ? { openedAtMs: before?.openedAtMs ?? 0, deviceTimeMs } : {};
  const alert = { ...upsert, ...times, ...acknowledged };
  return { ...alert, state: stateOf(alert) };
}

/** The state that follows from who has dealt with it. */
export function stateOf(alert: Pick<Alert, "resolvedAtMs" | "acknowledgedAtMs">): AlertState {
  if (alert.resolvedAtMs !== undefined) return "resolved";
  return alert.acknowledgedAtMs === undefined ? "open" : "acknowledged";
}
