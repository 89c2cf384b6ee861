import type { AlertSeverity } from "../../../domain/equipment/alert.ts";
import { faultSeverity } from "../../../domain/equipment/fault-severity.ts";
import { faultNames, faultTitle } from "../../../domain/equipment/fault-words.ts";
import { type MaintenancePlan, plannedSeverity } from "../../../domain/equipment/maintenance.ts";
import type { FaultCode } from "../../../domain/equipment/reading.ts";
import type { AlertUpsert } from "../../../storage/ports/equipment/alerts.ts";
import { alertId, eventId } from "../../events/event-id.ts";
import {
  type ActiveFault,
  advanceFaults,
  countLateFaults,
  type FaultChange,
} from "../../maintenance/fault-book.ts";
import type { MaintenanceOutput, WatchedAsset } from "./watched-asset.ts";

/** A list of active faults as it came. */
export interface FaultReport {
  readonly list: readonly FaultCode[];
  /** ms since the Unix epoch. */
  readonly fixTimeMs: number;
  /** Distinguishes two reports of one fix time. */
  readonly payloadHash: number;
  /** Whether no newer list has come before. */
  readonly isNewest: boolean;
}

/** Takes a list of active faults in, and publishes what changed. */
export function takeFaults(
  asset: WatchedAsset,
  report: FaultReport,
  plan: MaintenancePlan | undefined,
  output: MaintenanceOutput,
): void {
  const { faults } = asset.state;
  const changes = report.isNewest
    ? advanceFaults(faults, report.list, report.fixTimeMs)
    : countLateFaults(faults, report.list);
  for (const change of changes) {
    if (change.type !== "counted") raise(asset, change, report, plan, output);
    if (change.type === "cleared") {
      output.alert({
        ...faultAlert(asset, change, plan),
        resolvedAtMs: report.fixTimeMs,
        resolution: "cleared",
      });
    } else {
      writeAlert(asset, change, plan, output);
    }
  }
  for (const [key, fault] of faults) {
    const { severity, projectId } = fault.alert ?? {};
    if (projectId === asset.projectId && severity === severityOf(fault.code, plan)) continue;
    writeAlert(asset, { key, fault }, plan, output);
  }
}

/** Resolves the alerts of a deleted asset; nobody can act on them. */
export function dropFaults(asset: WatchedAsset, atMs: number, output: MaintenanceOutput): void {
  for (const [key, fault] of asset.state.faults) {
    const alert = faultAlert(asset, { key, fault }, undefined);
    output.alert({
      ...alert,
      ...fault.alert,
      resolvedAtMs: Math.max(atMs, alert.openedAtMs),
      resolution: "asset_deleted",
    });
  }
  asset.state.faults.clear();
}

/** How bad a fault is by the plan, or by what is usual. */
export const severityOf = (code: FaultCode, plan: MaintenancePlan | undefined): AlertSeverity =>
  plannedSeverity(plan, code) ?? faultSeverity(code);

function writeAlert(
  asset: WatchedAsset,
  { key, fault }: Pick<FaultChange, "key" | "fault">,
  plan: MaintenancePlan | undefined,
  output: MaintenanceOutput,
): void {
  const alert = faultAlert(asset, { key, fault }, plan);
  const { severity, projectId } = alert;
  asset.state.faults.set(key, { ...fault, alert: { severity, projectId } });
  output.alert(alert);
}

function faultAlert(
  { assetId, projectId, name }: WatchedAsset,
  { key, fault }: Pick<FaultChange, "key" | "fault">,
  plan: MaintenancePlan | undefined,
): AlertUpsert {
  return {
    id: alertId(assetId, "equipment.fault", key, fault.sinceMs),
    type: "equipment.fault.raised",
    severity: severityOf(fault.code, plan),
    projectId,
    assetId,
    message: `${name} reports ${faultTitle(fault.code)}`,
    openedAtMs: fault.sinceMs,
    resolvedAtMs: undefined,
    occurrences: fault.occurrences,
    data: faultData(fault),
  };
}

function raise(
  { assetId, projectId, name }: WatchedAsset,
  { type, key, fault }: FaultChange,
  { fixTimeMs, payloadHash }: FaultReport,
  plan: MaintenancePlan | undefined,
  output: MaintenanceOutput,
): void {
  const kind = type === "cleared" ? "equipment.fault.cleared" : "equipment.fault.raised";
  output.raise({
    id: eventId(assetId, kind, key, fixTimeMs, payloadHash),
    revision: 1,
    type: kind,
    projectId,
    assetId,
    occurredAtMs: fixTimeMs,
    data: {
      asset_name: name,
      ...faultData(fault),
      severity: severityOf(fault.code, plan),
      ...(type === "cleared"
        ? { duration_s: Math.round((fixTimeMs - fault.sinceMs) / 1_000) }
        : {}),
    },
  });
}

function faultData({ code, occurrences }: ActiveFault): Readonly<Record<string, unknown>> {
  return { ...code, ...faultNames(code), occurrences };
}
