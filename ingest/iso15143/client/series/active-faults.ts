import type { FaultCode } from "../../../../domain/equipment/reading.ts";
import { DAY_MS } from "../../../../domain/time.ts";
import type { ActiveFleetFault } from "../../../../storage/ports/equipment/fleet-sources.ts";
import { MAX_FAULTS } from "../../../decoders/fields/fault-codes.ts";
import type { ReportedFault } from "../../read-series.ts";

/**
 * How long a fault is active after its last report, ms. A series says when a code came and never that it went.
 * A shorter time would end and raise again what a machine reports with every start of a day. A longer one
 * would keep machines in maintenance whose fault is repaired.
 */
const ACTIVE_MS = DAY_MS;
/** Highest count of occurrences that a fault code has (SAE J1939-73). */
const MAX_COUNT = 126;

/** A list of active faults as it is from a time on, ms since the Unix epoch. */
export interface FaultList {
  readonly timeMs: number;
  readonly codes: readonly FaultCode[];
}

const keyOf = ({ source, spn, fmi, code }: FaultCode): string =>
  JSON.stringify([source, spn, fmi, code]);

/**
 * Makes lists of active faults out of what a machine reported, which is what a J1939 machine sends itself: one
 * at each time at which something changed. `reports` are newer than all before; every further report of a
 * code is one more occurrence. Yields the lists, ascending, and what is active at `nowMs`.
 */
export function foldFaults(
  before: readonly ActiveFleetFault[],
  reports: readonly ReportedFault[],
  nowMs: number,
): { readonly lists: readonly FaultList[]; readonly active: readonly ActiveFleetFault[] } {
  const active = new Map(before.map((fault) => [keyOf(fault.code), fault]));
  const lists: FaultList[] = [];
  const sorted = [...reports].sort((a, b) => a.timeMs - b.timeMs);
  const end = (untilMs: number): void => {
    for (const [ended, at] of endingBefore(active, untilMs)) {
      active.delete(ended);
      put(lists, at, active);
    }
  };
  for (const { timeMs, code } of sorted) {
    end(timeMs);
    const key = keyOf(code);
    const known = active.get(key);
    const count = Math.min(MAX_COUNT, (known?.count ?? 0) + 1);
    // Behind the others: the oldest report goes first where there are too many.
    active.delete(key);
    active.set(key, { code, lastMs: timeMs, count });
    for (const oldest of active.keys()) {
      if (active.size <= MAX_FAULTS) break;
      active.delete(oldest);
    }
    put(lists, timeMs, active);
  }
  end(nowMs);
  return { lists, active: [...active.values()] };
}

/** The faults whose time is over before `untilMs`, in order of their end, with it. */
function endingBefore(
  active: ReadonlyMap<string, ActiveFleetFault>,
  untilMs: number,
): readonly (readonly [key: string, endMs: number])[] {
  return [...active]
    .map(([key, { lastMs }]) => [key, lastMs + ACTIVE_MS] as const)
    .filter(([, endMs]) => endMs <= untilMs)
    .sort(([, a], [, b]) => a - b);
}

/** One list a time: what was put at it before is not whole. */
function put(
  lists: FaultList[],
  timeMs: number,
  active: ReadonlyMap<string, ActiveFleetFault>,
): void {
  const codes = [...active.values()].map(({ code, count }) => ({
    ...code,
    occurrence_count: count,
  }));
  if (lists.at(-1)?.timeMs === timeMs) lists.pop();
  lists.push({ timeMs, codes });
}
