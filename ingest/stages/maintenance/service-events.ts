import type { ServiceItem } from "../../../domain/equipment/maintenance.ts";
import type { AlertUpsert } from "../../../storage/ports/equipment/alerts.ts";
import type { ServiceRow } from "../../../storage/ports/equipment/maintenance.ts";
import { alertId, eventId } from "../../events/event-id.ts";
import {
  type Baseline,
  type IntervalUse,
  rounded,
  type ServiceStatus,
} from "../../maintenance/service-due.ts";
import type { MaintenanceOutput, WatchedAsset } from "./watched-asset.ts";

/** A service that comes near or is due, as it is published. */
export interface DueService {
  readonly item: ServiceItem;
  readonly baseline: Baseline;
  readonly level: "warning" | "due";
  readonly status: ServiceStatus;
}

const UNIT_NAMES: Readonly<Record<IntervalUse["unit"], string>> = {
  hours: "h",
  days: "days",
  km: "km",
};
const SOURCE_NAMES: Readonly<Record<IntervalUse["source"], string>> = {
  machine: "by the machine's own meter",
  accumulated: "by the sum of its readings",
  calendar: "by the calendar",
};

/** The intervals of an item as text: another text is another promise, and published again. */
export const intervalsKey = (item: ServiceItem): string =>
  JSON.stringify([item.every_hours, item.every_days, item.every_km, item.warn_at_percent]);

/** Raises the event of a level that was reached; its id makes it one per interval. */
export function raiseLevel(
  { assetId, projectId, name }: WatchedAsset,
  due: DueService,
  atMs: number,
  output: MaintenanceOutput,
): void {
  const { item, baseline, level } = due;
  const type = `equipment.maintenance.${level}` as const;
  output.raise({
    id: eventId(assetId, type, item.item, baselineKey(baseline), intervalsKey(item)),
    revision: 1,
    type,
    projectId,
    assetId,
    occurredAtMs: atMs,
    data: { asset_name: name, ...dueData(due) },
  });
}

/**
 * The one alert of an asset's item. Due is not worse than `warning`: a machine whose oil is due works
 * on, while a critical alert would take it out of service.
 */
export function serviceAlert(
  { assetId, projectId, name }: WatchedAsset,
  due: DueService,
  openedAtMs: number,
): AlertUpsert {
  const { item, baseline, level, status } = due;
  const { unit, used, every, source } = status.first;
  const state = level === "due" ? "is due" : "is due soon";
  const counted = `${rounded(used) ?? "an unknown part"} of ${every} ${UNIT_NAMES[unit]} ${SOURCE_NAMES[source]}`;
  return {
    id: alertId(assetId, "equipment.maintenance", item.item, baselineKey(baseline), openedAtMs),
    type: `equipment.maintenance.${level}`,
    severity: "warning",
    projectId,
    assetId,
    message: `${name}: ${item.name} ${state} (${counted})`,
    openedAtMs,
    resolvedAtMs: undefined,
    occurrences: 1,
    data: dueData(due),
  };
}

/** Raises the event of a service that a person recorded. */
export function raiseServiced(
  assetName: string,
  itemName: string | undefined,
  service: ServiceRow,
  output: MaintenanceOutput,
): void {
  const { engineHours, hoursSource, odometerKm, note } = service;
  output.raise({
    id: eventId("equipment.maintenance.serviced", service.id),
    revision: 1,
    type: "equipment.maintenance.serviced",
    projectId: service.projectId,
    assetId: service.assetId,
    occurredAtMs: service.servicedAtMs,
    data: {
      asset_name: assetName,
      service_id: service.id,
      item: service.item,
      ...(itemName === undefined ? {} : { name: itemName }),
      ...(engineHours === undefined
        ? {}
        : { engine_hours: engineHours, hours_source: hoursSource }),
      ...(odometerKm === undefined ? {} : { odometer_km: odometerKm }),
      ...(note === undefined ? {} : { note }),
    },
  });
}

function dueData({ item, baseline, status }: DueService): Readonly<Record<string, unknown>> {
  const { unit, every, used, remaining, usedPercent, source } = status.first;
  return {
    item: item.item,
    name: item.name,
    unit,
    every,
    used: rounded(used),
    remaining: rounded(remaining),
    used_percent: rounded(usedPercent),
    source,
    ...(baseline.serviceId === undefined ? {} : { last_service_id: baseline.serviceId }),
  };
}

const baselineKey = ({ serviceId, atMs }: Baseline): string => serviceId ?? `start ${atMs}`;
