import { ALERT_SEVERITIES } from "../../domain/equipment/alert.ts";
import type { ProjectId } from "../../domain/ids.ts";
import type { LiveAssets } from "../../ingest/asset-state/asset-state.ts";
import { assetStatus } from "../../ingest/asset-state/asset-status.ts";
import type { AssetEntry } from "../../ingest/directories/asset-directory.ts";
import type { Alert, AlertRecords } from "../../storage/ports/equipment/alerts.ts";
import { alertView } from "../equipment/alerts/alert-view.ts";
import type { Overview } from "./overview-schemas.ts";

type EquipmentCounts = NonNullable<Overview["equipment"]>;

/** As many as a page shows at a glance. */
const NEWEST_ALERTS = 3;

/** Assets and open alerts of a fleet. @throws DomainError `STORE_UNAVAILABLE`. */
export async function equipmentCounts(
  fleet: readonly AssetEntry[],
  live: Pick<LiveAssets, "state">,
  alerts: Pick<AlertRecords, "list">,
  seen: { readonly projectIds?: readonly ProjectId[] },
  nowMs: number,
): Promise<EquipmentCounts> {
  const status = { active: 0, idle: 0, maintenance: 0 };
  const connection = { ok: 0, silent: 0, offline: 0, gps_stuck: 0, unknown: 0 };
  for (const { asset } of fleet) {
    const state = live.state(asset.id);
    status[assetStatus(asset, state, nowMs)] += 1;
    connection[state?.connection.status ?? "unknown"] += 1;
  }
  const open = { info: 0, warning: 0, critical: 0 };
  const newest: Alert[] = [];
  for (const severity of ALERT_SEVERITIES) {
    const page = { states: ["open" as const], limit: NEWEST_ALERTS, offset: 0 };
    const found = await alerts.list({ ...seen, ...page, severities: [severity] });
    open[severity] = found.total;
    newest.push(...found.alerts);
  }
  newest.sort((a, b) => b.openedAtMs - a.openedAtMs || (a.id < b.id ? -1 : 1));
  return {
    ...{ assets: fleet.length, status, connection, open_alerts: open },
    newest_alerts: newest.slice(0, NEWEST_ALERTS).map(alertView),
  };
}
