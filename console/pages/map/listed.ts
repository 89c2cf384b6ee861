import { type Look, lookOf } from "../../map/shapes.ts";
import type { Machine } from "../../state/machine.ts";
import { sameItems } from "../../state/use-same.ts";

/** Age of a position from which a list says it, ms: devices report every few seconds, some every minute. */
const STALE_MS = 60_000;

/** What a row of the list says of a machine. */
export interface MachineRow
  extends Pick<Machine, "id" | "name" | "status" | "connection" | "isRegisteredPlace"> {
  readonly look: Look;
  /** Time of the newest position where that is to be said, ms since the Unix epoch. */
  readonly seenMs: number | undefined;
}

/** Rows of the list beside the map. */
export interface Listed {
  readonly first: readonly MachineRow[];
  /** The chosen machine where it comes after those. */
  readonly chosen: MachineRow | undefined;
  /** How many between those and the chosen one are left out. */
  readonly between: number;
  /** How many of all are left out. */
  readonly rest: number;
  /** How many there are. */
  readonly all: number;
}

interface ListChoice {
  /** Most rows, but for the chosen one. */
  readonly count: number;
  readonly chosenId: string | undefined;
  readonly isLive: boolean;
  /** ms since the Unix epoch. */
  readonly nowMs: number;
}

/**
 * The first machines of a list, and the chosen one wherever it is: what is chosen on the map is in the list. A row that
 * says what it said `before` is the same object.
 */
export function listedOf(
  found: readonly Machine[],
  choice: ListChoice,
  before?: Listed | undefined,
): Listed {
  const { count, chosenId } = choice;
  const known = new Map(before?.first.map((row) => [row.id, row]));
  if (before?.chosen !== undefined) known.set(before.chosen.id, before.chosen);
  const rowOf = (machine: Machine): MachineRow => {
    const row = rowAt(machine, choice);
    const shown = known.get(machine.id);
    return shown !== undefined && isSameRow(shown, row) ? shown : row;
  };
  const index = found.findIndex(({ id }) => id === chosenId);
  const after = index >= count ? found[index] : undefined;
  return {
    first: found.slice(0, count).map(rowOf),
    chosen: after === undefined ? undefined : rowOf(after),
    between: after === undefined ? 0 : index - count,
    rest: found.length - Math.min(found.length, count) - (after === undefined ? 0 : 1),
    all: found.length,
  };
}

/** Whether a list shows nothing that it did not show before. */
export const isSameList = (a: Listed, b: Listed): boolean =>
  a.chosen === b.chosen &&
  a.between === b.between &&
  a.rest === b.rest &&
  a.all === b.all &&
  sameItems(a.first, b.first);

function rowAt(machine: Machine, { isLive, nowMs }: ListChoice): MachineRow {
  const { id, name, status, connection, isRegisteredPlace, fixMs } = machine;
  const isNew = isLive && fixMs !== undefined && nowMs - fixMs <= STALE_MS;
  const seenMs = isNew ? undefined : fixMs;
  return { id, name, status, connection, isRegisteredPlace, look: lookOf(machine), seenMs };
}

const isSameRow = (a: MachineRow, b: MachineRow): boolean =>
  a.name === b.name &&
  a.status === b.status &&
  a.connection === b.connection &&
  a.isRegisteredPlace === b.isRegisteredPlace &&
  a.look === b.look &&
  a.seenMs === b.seenMs;
