import type { components } from "../../../client/index.ts";
import { csvOf } from "../../format/csv.ts";

/** One stay of one machine in one fence. */
export type Visit = components["schemas"]["Visit"];

const COLUMNS = [
  "asset_id",
  "asset_name",
  "geofence_id",
  "geofence_name",
  "entered_at",
  "exited_at",
  "duration_s",
  "is_inside",
  "inferred",
  "entry_cause",
  "entry_accuracy_meters",
  "exit_cause",
  "exit_accuracy_meters",
] as const;

/** The stays as CSV, in the API's words and units. */
export function visitsCsv(
  visits: readonly Visit[],
  fenceName: string,
  machineNames: ReadonlyMap<string, string>,
): string {
  const rows = visits.map((visit) => [
    visit.asset_id,
    machineNames.get(visit.asset_id),
    visit.geofence_id,
    fenceName,
    visit.entered_at,
    visit.exited_at,
    visit.duration_s,
    visit.exited_at === undefined,
    visit.inferred,
    visit.entry.cause,
    visit.entry.accuracy_meters,
    visit.exit?.cause,
    visit.exit?.accuracy_meters,
  ]);
  return csvOf([COLUMNS, ...rows]);
}
