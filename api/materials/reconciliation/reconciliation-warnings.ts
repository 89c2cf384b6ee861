import type { Geofence } from "../../../domain/geometry/geofence.ts";
import type { StockpileMeasurement } from "../../../domain/sites/measurement.ts";
import { DAY_MS } from "../../../domain/time.ts";
import type { CountedLoads } from "../../../processing/reconciliation/count-loads.ts";
import type { LoadSum } from "../../../processing/reconciliation/sum-loads.ts";
import type { MeasurementPair } from "./reconciled-measurements.ts";

/** What warnings are made from. */
export interface WarningSources extends MeasurementPair {
  readonly counted: CountedLoads;
  readonly sum: LoadSum;
  /** The fence as it is; `undefined`: it was deleted. */
  readonly fence: Geofence | undefined;
  /** Days that visits and telemetry are kept; `undefined`: not known. */
  readonly retentionDays: number | undefined;
  readonly nowMs: number;
}

/** Whether visits of the period may be gone, or were never seen. */
export function isCutShort({ from, fence, retentionDays, nowMs }: WarningSources): boolean {
  return isExpired(from, retentionDays, nowMs) || fence === undefined || drawnAfter(fence, from);
}

/** In words, what may be wrong with the loads of a period. */
export function reconciliationWarnings(sources: WarningSources): readonly string[] {
  const { from, counted, sum, fence, retentionDays, nowMs } = sources;
  const warnings: string[] = [];
  const unweighed = sum.counts.unknown;
  if (unweighed > 0) {
    const silent = sum.machines.filter(({ weighs, stays }) => !weighs && stays > 0);
    const names = silent.map(({ assetId }) => assetId).join(", ");
    warnings.push(
      `${unweighed} of ${counted.loads.length} stays were not weighed: what was brought and taken is at least what was counted`,
      ...(names === "" ? [] : [`no payload_kg near the fence from ${names}`]),
    );
  }
  if (counted.loads.length === 0) warnings.push("no machine left the fence in this time");
  if (isExpired(from, retentionDays, nowMs)) {
    warnings.push(
      `visits and telemetry are kept for ${retentionDays} days: those of the first part of this time are gone`,
    );
  }
  if (fence === undefined) warnings.push("the fence was deleted: loads since then are not known");
  else if (drawnAfter(fence, from)) {
    warnings.push(
      `the fence was drawn at ${fence.created_at}, after the first measurement: loads before may be missing`,
    );
  } else if (Date.parse(fence.updated_at) > Date.parse(from.measured_at)) {
    warnings.push(`the fence was changed at ${fence.updated_at}, after the first measurement`);
  }
  const fromMs = Date.parse(from.measured_at);
  const spanning = counted.loads.filter(({ stay }) => stay.enteredMs <= fromMs);
  if (spanning.length > 0) {
    warnings.push(
      `in the fence while the first measurement was made, and counted when they left: ${namesOf(spanning.map(({ stay }) => stay))}`,
    );
  }
  if (counted.inside.length > 0) {
    warnings.push(
      `in the fence while the second measurement was made, and so not counted: ${namesOf(counted.inside)}`,
    );
  }
  return warnings;
}

function namesOf(stays: readonly { readonly assetId: string }[]): string {
  return [...new Set(stays.map(({ assetId }) => assetId))].toSorted().join(", ");
}

function isExpired(
  { measured_at }: StockpileMeasurement,
  retentionDays: number | undefined,
  nowMs: number,
): boolean {
  return retentionDays !== undefined && Date.parse(measured_at) < nowMs - retentionDays * DAY_MS;
}

function drawnAfter(fence: Geofence, { measured_at }: StockpileMeasurement): boolean {
  return Date.parse(fence.created_at) > Date.parse(measured_at);
}
