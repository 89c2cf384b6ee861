import type { Machine } from "../../state/machine.ts";

/** Columns that the table of machines can be sorted by. */
export const COLUMNS = [
  "name",
  "type",
  "status",
  "connection",
  "seen",
  "speed",
  "work",
  "zone",
] as const;
export type Column = (typeof COLUMNS)[number];

/** What needs attention first. */
const STATUS_ORDER: readonly Machine["status"][] = ["maintenance", "idle", "active"];
const CONNECTION_ORDER: readonly Machine["connection"][] = [
  "offline",
  "silent",
  "gps_stuck",
  "unknown",
  "ok",
];

const VALUES: Readonly<Record<Column, (machine: Machine) => string | number | undefined>> = {
  name: ({ name }) => name,
  type: ({ type }) => type,
  status: ({ status }) => STATUS_ORDER.indexOf(status),
  connection: ({ connection }) => CONNECTION_ORDER.indexOf(connection),
  seen: ({ fixMs }) => fixMs,
  speed: ({ speedKmh }) => speedKmh,
  work: ({ asset }) => (asset.utilization.basis === "none" ? undefined : asset.utilization_today),
  zone: ({ asset }) => (asset.zone === "" ? undefined : asset.zone),
};

/** Machines by a column; what is not known comes last both ways, and equals stay in the order of their names. */
export function sortMachines(
  machines: readonly Machine[],
  column: Column,
  isDescending: boolean,
): readonly Machine[] {
  const value = VALUES[column];
  const sign = isDescending ? -1 : 1;
  return machines.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)];
    if (left === undefined || right === undefined) {
      return Number(left === undefined) - Number(right === undefined);
    }
    return sign * compare(left, right);
  });
}

function compare(left: string | number, right: string | number): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return String(left).localeCompare(String(right), undefined, { numeric: true });
}
