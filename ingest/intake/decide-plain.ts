import { PLAIN_FIELDS, type PlainReading } from "../decoders/fields/plain-reading.ts";
import type { AssetEntry } from "../directories/asset-directory.ts";
import type { MessageOrigin } from "../journal-record/header.ts";
import { RECORD_KIND } from "../journal-record/journal-record.ts";
import { encodePlain, fieldCodes } from "../journal-record/plain-record.ts";
import { type Decision, NO_MORE } from "./decision.ts";
import type { IntakeSession } from "./session.ts";

const CODES = fieldCodes(PLAIN_FIELDS);

/**
 * The same decision as on the decoded message, from the scanned bytes to the record. Of a reading whose time is there
 * and possible: nothing is decided or said about it.
 */
export function decidePlain(
  reading: PlainReading,
  receivedAtMs: number,
  {
    session,
    entry,
    origin,
  }: {
    readonly session: IntakeSession;
    readonly entry: AssetEntry;
    readonly origin: MessageOrigin;
  },
): Decision {
  const subject = session.asset.subject.of(session.assetId, entry.project.id);
  return {
    kind: RECORD_KIND.readings,
    body: encodePlain(reading, CODES, subject, receivedAtMs, origin),
    more: NO_MORE,
    cost: 1,
    payer: undefined,
    readings: 1,
    notices: 0,
    ignored: 0,
    quarantined: undefined,
    reason: undefined,
    remarks: undefined,
    newestFixMs: reading.timeMs,
    meaning: undefined,
  };
}
