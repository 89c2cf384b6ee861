import type { MaintenancePlan, ServiceItem } from "../../../domain/equipment/maintenance.ts";
import type { AlertUpsert } from "../../../storage/ports/equipment/alerts.ts";
import type { ServiceRow } from "../../../storage/ports/equipment/maintenance.ts";
import type { WatchedService } from "../../maintenance/maintenance-state.ts";
import {
  firstBaseline,
  type Meters,
  meetMachineMeters,
  type ServiceLevel,
  serviceBaseline,
  serviceStatus,
} from "../../maintenance/service-due.ts";
import { intervalsKey, raiseLevel, raiseServiced, serviceAlert } from "./service-events.ts";
import type { MaintenanceOutput, WatchedAsset } from "./watched-asset.ts";

const RANK: Readonly<Record<ServiceLevel, number>> = { ok: 0, warning: 1, due: 2 };

/**
 * Checks how far the services of the asset's plan are used up and publishes each level reached, once
 * per interval. Returns whether anything has to be stored.
 */
export function watchServices(
  asset: WatchedAsset,
  plan: MaintenancePlan | undefined,
  meters: Meters,
  atMs: number,
  output: MaintenanceOutput,
): boolean {
  const { services } = asset.state;
  const items = plan?.services ?? [];
  let hasChanged = false;
  function put(item: string, before: WatchedService | undefined, after: WatchedService): void {
    if (after === before) return;
    services.set(item, after);
    hasChanged = true;
  }

  for (const item of items) {
    const before = services.get(item.item);
    put(item.item, before, watchItem(asset, item, before, meters, atMs, output));
  }
  for (const [item, watched] of services) {
    if (items.some((one) => one.item === item)) continue;
    put(item, watched, settle(watched, { atMs, resolution: "plan_changed" }, output));
    // A service that was done counts again when the plan has the item again.
    if (watched.baseline.serviceId === undefined) hasChanged = services.delete(item);
  }
  return hasChanged;
}

/** Takes in a service that a person recorded: the interval of its item starts again. */
export function takeService(
  asset: WatchedAsset,
  service: ServiceRow,
  plan: MaintenancePlan | undefined,
  meters: Meters,
  output: MaintenanceOutput,
): void {
  const { services } = asset.state;
  // A partition that took the asset over begins with the services that not all of those before had dealt with.
  if (services.get(service.item)?.baseline.serviceId === service.id) return;
  const itemName = plan?.services?.find(({ item }) => item === service.item)?.name;
  raiseServiced(asset.name, itemName, service, output);
  const before = services.get(service.item);
  // Taken before: the interval goes on from the meters of then.
  if (before?.baseline.serviceId === service.id) return;
  const isOlder =
    before?.baseline.serviceId !== undefined && service.servicedAtMs < before.baseline.atMs;
  // A service recorded after the fact is history only when a later one is known.
  if (isOlder) return;
  const end = { atMs: service.servicedAtMs, resolution: "serviced" };
  const settled = before === undefined ? UNPUBLISHED : settle(before, end, output);
  const baseline = serviceBaseline(service, meters, asset.state.meters);
  services.set(service.item, { ...settled, baseline });
}

/** Resolves the alerts of a deleted asset; its id is never given out again. */
export function dropServices(asset: WatchedAsset, atMs: number, output: MaintenanceOutput): void {
  const { services } = asset.state;
  const end = { atMs, resolution: "asset_deleted" };
  for (const watched of services.values()) settle(watched, end, output);
  services.clear();
}

const UNPUBLISHED = { publishedLevel: "ok", publishedIntervals: "", alert: undefined } as const;

function watchItem(
  asset: WatchedAsset,
  item: ServiceItem,
  before: WatchedService | undefined,
  meters: Meters,
  atMs: number,
  output: MaintenanceOutput,
): WatchedService {
  const known = before ?? { ...UNPUBLISHED, baseline: firstBaseline(atMs, meters) };
  const baseline = meetMachineMeters(known.baseline, meters);
  const watched = baseline === known.baseline ? known : { ...known, baseline };
  const status = serviceStatus(item, baseline, meters, atMs);
  // Nearly always.
  if (status.level === "ok" && watched.publishedLevel === "ok") return watched;
  const publishedIntervals = intervalsKey(item);
  // Within one interval a level is never taken back: late readings may make our sum a little smaller.
  const isSamePlan =
    watched.publishedLevel === "ok" || watched.publishedIntervals === publishedIntervals;
  const level =
    isSamePlan && RANK[status.level] < RANK[watched.publishedLevel]
      ? watched.publishedLevel
      : status.level;
  if (level === "ok") {
    return settle(watched, { atMs, resolution: "plan_changed" }, output);
  }
  const isSame =
    level === watched.publishedLevel && isSamePlan && watched.alert?.projectId === asset.projectId;
  if (isSame) return watched;
  const due = { item, baseline, level, status };
  const alert = serviceAlert(asset, due, watched.alert?.openedAtMs ?? atMs);
  if (RANK[level] > RANK[watched.publishedLevel]) raiseLevel(asset, due, atMs, output);
  output.alert(alert);
  return { baseline, publishedLevel: level, publishedIntervals, alert };
}

/** Ends what was published of an item, with its alert. */
function settle(
  watched: WatchedService,
  end: { readonly atMs: number; readonly resolution: string },
  output: MaintenanceOutput,
): WatchedService {
  if (watched.alert === undefined) return watched;
  output.alert(resolved(watched.alert, end));
  return { ...watched, ...UNPUBLISHED };
}

const resolved = (
  alert: AlertUpsert,
  { atMs, resolution }: { readonly atMs: number; readonly resolution: string },
): AlertUpsert => ({ ...alert, resolvedAtMs: Math.max(atMs, alert.openedAtMs), resolution });
