import { keepAllInAddress } from "./address.ts";
import type { Machine } from "./machine.ts";

/** Speed above which a machine is moving, km/h: as in the service's rule of working time (docs/rules.md). */
export const MOVING_KMH = 1;

export const STATUS_CHOICES = ["moving", "active", "idle", "maintenance"] as const;
export const CONNECTION_CHOICES = ["ok", "silent", "offline", "gps_stuck", "unknown"] as const;

/** Which machines a page shows; an absent part is no condition. */
export interface FleetFilter {
  /** Words of name, id or type, in any order. */
  readonly search: string;
  readonly type: string | undefined;
  readonly status: (typeof STATUS_CHOICES)[number] | undefined;
  readonly connection: (typeof CONNECTION_CHOICES)[number] | undefined;
}

const FACETS = ["type", "status", "connection"] as const;
/** A part of a filter that is chosen from a list. */
export type Facet = (typeof FACETS)[number];

export const NO_FILTER: FleetFilter = {
  search: "",
  type: undefined,
  status: undefined,
  connection: undefined,
};

/** Names of the parts in an address. */
const PARAMETERS = {
  search: "q",
  type: "type",
  status: "status",
  connection: "connection",
} as const;

/** The filter of an address, `?type=crane&status=idle`; what it has no choice for is no condition. */
export function filterOf(address: string): FleetFilter {
  const query = new URLSearchParams(address);
  const { search, type, status, connection } = PARAMETERS;
  return {
    search: query.get(search) ?? "",
    type: query.get(type) || undefined,
    status: STATUS_CHOICES.find((one) => one === query.get(status)),
    connection: CONNECTION_CHOICES.find((one) => one === query.get(connection)),
  };
}

/** Keeps a filter in the address of this page. */
export function keepFilter({ search, type, status, connection }: FleetFilter): void {
  const { search: q, ...names } = PARAMETERS;
  keepAllInAddress({
    [q]: search || undefined,
    [names.type]: type,
    [names.status]: status,
    [names.connection]: connection,
  });
}

export const isFiltering = (filter: FleetFilter): boolean =>
  Object.values(filter).some((part) => part !== undefined && part !== "");

/** Whether a machine is one of those that a filter means. */
export function passes(
  machine: Machine,
  { search, type, status, connection }: FleetFilter,
): boolean {
  return (
    (type === undefined || machine.type === type) &&
    (status === undefined || hasStatus(machine, status)) &&
    (connection === undefined || machine.connection === connection) &&
    hasWords(machine, search)
  );
}

/** A speed of a machine that is not heard of any more is not one of now. */
function hasStatus(machine: Machine, status: (typeof STATUS_CHOICES)[number]): boolean {
  if (status !== "moving") return machine.status === status;
  const { connection, speedKmh = 0 } = machine;
  return machine.status === "active" && connection === "ok" && speedKmh > MOVING_KMH;
}

function hasWords({ name, id, type }: Machine, search: string): boolean {
  if (search === "") return true;
  const text = `${name} ${id} ${type}`.toLocaleLowerCase();
  return search
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Types of machines by name, and the chosen one, which may have no machine at all. */
export function typesOf(machines: readonly Machine[], chosen: string | undefined): string[] {
  const types = new Set(machines.map(({ type }) => type));
  if (chosen !== undefined) types.add(chosen);
  return [...types].sort((a, b) => a.localeCompare(b));
}

/** How many machines each choice of a list leaves; the empty choice is "all". */
export type FacetCounts = Readonly<Record<Facet, ReadonlyMap<string, number>>>;

/** Counts, for each part of a filter, what each of its choices would leave with the other parts as they are. */
export function facetCounts(machines: readonly Machine[], filter: FleetFilter): FacetCounts {
  const counts = { type: new Map(), status: new Map(), connection: new Map() } satisfies Record<
    Facet,
    Map<string, number>
  >;
  const { type, status, connection, search } = filter;
  for (const machine of machines) {
    if (!hasWords(machine, search)) continue;
    const isType = type === undefined || machine.type === type;
    const isStatus = status === undefined || hasStatus(machine, status);
    const isConnection = connection === undefined || machine.connection === connection;
    if (isStatus && isConnection) add(counts.type, "", machine.type);
    if (isType && isConnection) {
      add(counts.status, "", ...STATUS_CHOICES.filter((one) => hasStatus(machine, one)));
    }
    if (isType && isStatus) add(counts.connection, "", machine.connection);
  }
  return counts;
}

/** Whether every choice leaves as many machines as before. */
export const sameCounts = (a: FacetCounts, b: FacetCounts): boolean =>
  FACETS.every(
    (facet) =>
      a[facet].size === b[facet].size &&
      [...a[facet]].every(([choice, count]) => b[facet].get(choice) === count),
  );

function add(counts: Map<string, number>, ...choices: readonly string[]): void {
  for (const choice of choices) counts.set(choice, (counts.get(choice) ?? 0) + 1);
}
