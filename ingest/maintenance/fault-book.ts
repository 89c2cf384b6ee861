import type { AlertSeverity } from "../../domain/equipment/alert.ts";
import type { FaultCode } from "../../domain/equipment/reading.ts";
import type { ProjectId } from "../../domain/ids.ts";

/** A fault that the machine reports now. */
export interface ActiveFault {
  /** As the newest list has it, but with the highest count. */
  readonly code: FaultCode;
  /** Fix time of the list that it came with, ms since the Unix epoch. */
  readonly sinceMs: number;
  /** Fix time of the newest list that has it. */
  readonly lastSeenMs: number;
  /** How often it occurred while it was reported. */
  readonly occurrences: number;
  /** What its alert was written with; absent until it is. */
  readonly alert?: FaultAlert;
}

/** What of a fault's alert may change without an occurrence: the plan, or the machine's project. */
export interface FaultAlert {
  readonly severity: AlertSeverity;
  readonly projectId: ProjectId;
}

/** The active faults of one asset by {@link faultKey}; changed in place. */
export type FaultBook = Map<string, ActiveFault>;

/** `again`: it occurred once more; `counted`: so it did, but the list that says so is a late one. */
export interface FaultChange {
  readonly type: "raised" | "again" | "counted" | "cleared";
  readonly key: string;
  readonly fault: ActiveFault;
}

/** What makes two reports the same fault: source address, SPN and FMI (SAE J1939-73), or source and code. */
const faultKey = ({ source, spn, fmi, code }: FaultCode): string =>
  code === undefined ? `${source ?? ""}/${spn}/${fmi}` : `${source ?? ""}/code/${code}`;

/**
 * Takes in the newest list of active faults: the whole machine's, so what is not in it is over. A
 * repeat changes nothing but `lastSeenMs`; a count that is lower than before is the controller's new
 * beginning, not an occurrence.
 */
export function advanceFaults(
  book: FaultBook,
  list: readonly FaultCode[],
  atMs: number,
): readonly FaultChange[] {
  const changes: FaultChange[] = [];
  const reported = byKey(list);
  for (const [key, fault] of book) {
    if (reported.has(key)) continue;
    book.delete(key);
    changes.push({ type: "cleared", key, fault });
  }
  for (const [key, code] of reported) {
    const known = book.get(key);
    if (known === undefined) {
      const fault = { code, sinceMs: atMs, lastSeenMs: atMs, occurrences: 1 };
      book.set(key, fault);
      changes.push({ type: "raised", key, fault });
    } else {
      const isAgain = occurredAgain(known.code, code);
      const fault = {
        ...known,
        code: code.occurrence_count === undefined ? known.code : code,
        lastSeenMs: atMs,
        occurrences: known.occurrences + (isAgain ? 1 : 0),
      };
      book.set(key, fault);
      if (isAgain) changes.push({ type: "again", key, fault });
    }
  }
  return changes;
}

/**
 * Takes in a list that is older than the newest one. It raises and ends nothing, because a newer list
 * replaced it; a higher count of an active fault still counts.
 */
export function countLateFaults(
  book: FaultBook,
  list: readonly FaultCode[],
): readonly FaultChange[] {
  const changes: FaultChange[] = [];
  for (const [key, code] of byKey(list)) {
    const known = book.get(key);
    if (known === undefined || !occurredAgain(known.code, code)) continue;
    const fault = { ...known, code, occurrences: known.occurrences + 1 };
    book.set(key, fault);
    changes.push({ type: "counted", key, fault });
  }
  return changes;
}

/** A count that was not given before says nothing about what happened since. */
function occurredAgain(before: FaultCode, now: FaultCode): boolean {
  return (
    before.occurrence_count !== undefined &&
    now.occurrence_count !== undefined &&
    now.occurrence_count > before.occurrence_count
  );
}

/** The higher count of codes that are there twice, as when two controllers report without their address. */
function byKey(list: readonly FaultCode[]): ReadonlyMap<string, FaultCode> {
  const codes = new Map<string, FaultCode>();
  for (const code of list) {
    const key = faultKey(code);
    const other = codes.get(key);
    if ((other?.occurrence_count ?? -1) <= (code.occurrence_count ?? -1)) codes.set(key, code);
  }
  return codes;
}
