import type { csvOf } from "../../format/csv.ts";
import type { Machine } from "../../state/machine.ts";

const HEAD = [
  "id",
  "name",
  "type",
  "status",
  "connection",
  "latitude",
  "longitude",
  "location_source",
  "accuracy_m",
  "position_at",
  "speed_kmh",
  "speed_source",
  "heading_deg",
  "work_today_percent",
  "work_lower_percent",
  "work_upper_percent",
  "work_basis",
  "zone",
] as const;

/** Machines as rows, whatever columns are shown; what is not known is empty. */
export function machinesCsvRows(machines: readonly Machine[]): Parameters<typeof csvOf>[0] {
  return [HEAD, ...machines.map(rowOf)];
}

function rowOf(machine: Machine): Parameters<typeof csvOf>[0][number] {
  const { asset, fixMs, isSpeedDerived, speedKmh } = machine;
  const { basis, lower, upper } = asset.utilization;
  const isKnown = basis !== "none";
  return [
    machine.id,
    machine.name,
    machine.type,
    machine.status,
    machine.connection,
    machine.latitude,
    machine.longitude,
    machine.isRegisteredPlace ? "registered" : "gnss",
    machine.accuracyM,
    fixMs === undefined ? undefined : new Date(fixMs).toISOString(),
    speedKmh,
    // The list alone does not say.
    speedKmh === undefined || isSpeedDerived === undefined
      ? undefined
      : isSpeedDerived
        ? "derived"
        : "reported",
    machine.heading,
    isKnown ? asset.utilization_today : undefined,
    isKnown ? lower : undefined,
    isKnown ? upper : undefined,
    basis,
    asset.zone,
  ];
}
