import { DomainError } from "../../domain/errors.ts";
import type { ProjectId } from "../../domain/ids.ts";
import type { JournalRecord } from "../../storage/ports/journal.ts";
import { decodeHandedOver } from "../journal-record/handed-over.ts";
import { projectOf } from "../journal-record/header.ts";
import { RECORD_KIND } from "../journal-record/journal-record.ts";

type Kind = Pick<JournalRecord, "kind" | "body">;

/** Kinds that concern every asset. */
const OF_ALL: ReadonlySet<number> = new Set([
  RECORD_KIND.tick,
  RECORD_KIND.start,
  RECORD_KIND.unfollowed,
]);
/** Kinds that concern one asset. */
const OF_ONE: ReadonlySet<number> = new Set([
  RECORD_KIND.readings,
  RECORD_KIND.quarantined,
  RECORD_KIND.foreign,
  RECORD_KIND.link,
]);

/** A record as it was acknowledged, without the names of the places that it came by. */
export function innermost(record: Kind): Kind {
  return record.kind === RECORD_KIND.handedOver
    ? innermost(decodeHandedOver(record.body).record)
    : record;
}

/**
 * Whether a record concerns every asset, or one.
 * @throws DomainError `SCHEMA_TOO_NEW` for a kind that this version does not know.
 */
export function concernsAll(record: Kind): boolean {
  const { kind } = innermost(record);
  if (OF_ALL.has(kind)) return true;
  if (OF_ONE.has(kind)) return false;
  throw new DomainError(
    "SCHEMA_TOO_NEW",
    `the journal holds records of a newer version (kind ${kind}): use the version that wrote them`,
  );
}

/** Whether it holds readings, which the archive and forwarders take. */
export const hasReadings = (record: Kind): boolean =>
  innermost(record).kind === RECORD_KIND.readings;

/** The project that a record of one asset was attributed to when it was acknowledged. */
export const projectIn = (record: Kind): ProjectId => projectOf(innermost(record).body);
