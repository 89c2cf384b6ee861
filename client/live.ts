/**
 * One machine: degrees (the heading clockwise from true north), km/h, metres, ms since the Unix epoch; null where it
 * is not known. `flags` is a sum, described at `GET /api/v1/live`.
 */
export type LiveRow = readonly [
  id: string,
  latitude: number,
  longitude: number,
  heading: number | null,
  speedKmh: number | null,
  accuracyM: number | null,
  status: string,
  fixMs: number | null,
  flags: number,
];

/** Data of the message `snapshot`: every machine. */
export interface LiveSnapshot {
  /** Names the rows that `change` counts: those of one process and one choice of projects. */
  readonly view: string;
  readonly change: number;
  readonly rows: readonly LiveRow[];
}

/** Data of the message `positions`: the machines that changed after `from`, as they are at `change`. */
export interface LivePositions extends LiveSnapshot {
  readonly from: number;
  /** Ids of machines that are no longer there. */
  readonly gone: readonly string[];
}

/** The machines of a live stream, as far as its messages say. */
export interface LiveFleet {
  /** Absent: no snapshot yet. */
  readonly view?: string;
  /** Everything up to here is known; `-1`: nothing is. */
  readonly change: number;
  readonly rows: ReadonlyMap<string, LiveRow>;
  /** Rows newer than `change`, and the change that each is of; of those without a row, when they went. */
  readonly ahead: ReadonlyMap<string, number>;
  /** A message is missing: what changed in it shows with the next change of that machine, or after a resume. */
  readonly isBehind: boolean;
}

/** Before the first message. */
export const NO_FLEET: LiveFleet = {
  change: -1,
  rows: new Map(),
  ahead: new Map(),
  isBehind: false,
};

/**
 * The fleet after a snapshot; one that is older than what is known changes nothing. Pure, as `afterPositions` is:
 * messages may come in any order and more than once, and the newest of each machine wins.
 */
export function afterSnapshot(fleet: LiveFleet, { view, change, rows }: LiveSnapshot): LiveFleet {
  if (view === fleet.view && change < fleet.change) return fleet;
  const next = new Map(rows.map((row) => [row[0], row]));
  const ahead = new Map<string, number>();
  for (const [id, newer] of view === fleet.view ? fleet.ahead : []) {
    if (newer <= change) continue;
    ahead.set(id, newer);
    put(next, id, fleet.rows.get(id));
  }
  return { view, change, rows: next, ahead, isBehind: ahead.size > 0 };
}

/** The fleet after changes; those of another view say nothing of it. */
export function afterPositions(fleet: LiveFleet, positions: LivePositions): LiveFleet {
  const { view, from, change } = positions;
  if (view !== fleet.view) return { ...fleet, isBehind: true };
  if (change <= fleet.change) return fleet;
  const rows = new Map(fleet.rows);
  const ahead = new Map(fleet.ahead);
  const told: readonly (readonly [string, LiveRow | undefined])[] = [
    ...positions.rows.map((row) => [row[0], row] as const),
    ...positions.gone.map((id) => [id, undefined] as const),
  ];
  for (const [id, row] of told) {
    if ((ahead.get(id) ?? 0) > change) continue;
    ahead.set(id, change);
    put(rows, id, row);
  }
  const known = from <= fleet.change ? change : fleet.change;
  for (const [id, newer] of ahead) if (newer <= known) ahead.delete(id);
  return { view, change: known, rows, ahead, isBehind: known < change || ahead.size > 0 };
}

function put(rows: Map<string, LiveRow>, id: string, row: LiveRow | undefined): void {
  if (row === undefined) rows.delete(id);
  else rows.set(id, row);
}
