import type { JournalRecord } from "../../storage/ports/journal.ts";
import { decodeForeign, type ForeignPublish } from "./foreign.ts";
import { decodeHandedOver, type HandedOver } from "./handed-over.ts";
import type { MessageOrigin } from "./header.ts";
import { decodeLinkChange, type LinkChange } from "./link-change.ts";
import { decodeQuarantined, type QuarantinedMessage } from "./quarantined.ts";
import { type AcceptedMessage, decodeReadings } from "./readings.ts";

/** What the journal holds, in the words of ingest. */
export type JournalEntry =
  | ({ readonly type: "readings" } & AcceptedMessage)
  | {
      readonly type: "quarantined";
      readonly message: QuarantinedMessage;
      readonly origin: MessageOrigin;
    }
  | { readonly type: "foreign"; readonly publish: ForeignPublish }
  | { readonly type: "link"; readonly change: LinkChange }
  /** The service restarted: every session that was open is gone. */
  | { readonly type: "start" }
  /** The journal moved to other processes, which may not follow sessions: a link is unknown until it comes up there. */
  | { readonly type: "unfollowed" }
  /** The clock of every replay: journalled every 10 s. */
  | { readonly type: "tick" };

/** Kind numbers on disk; never reused. The body of each is written and read in a file of its own. */
export const RECORD_KIND = {
  readings: 1,
  quarantined: 2,
  foreign: 3,
  tick: 4,
  link: 5,
  start: 6,
  handedOver: 7,
  unfollowed: 8,
} as const;

/** Ticks, starts and the end of following carry nothing but the record's own time; the journal wants at least one byte. */
export const TICK_BODY = Uint8Array.of(0);

/** Reads back what one of the encoders wrote; `undefined` for a kind of a newer version. */
export function decodeRecord({
  kind,
  body,
}: Pick<JournalRecord, "kind" | "body">): JournalEntry | undefined {
  switch (kind) {
    case RECORD_KIND.readings: {
      const { batch, notices, origin } = decodeReadings(body);
      return { type: "readings", batch, notices, origin };
    }
    case RECORD_KIND.quarantined:
      return { type: "quarantined", ...decodeQuarantined(body) };
    case RECORD_KIND.foreign:
      return { type: "foreign", publish: decodeForeign(body) };
    case RECORD_KIND.tick:
      return { type: "tick" };
    case RECORD_KIND.link:
      return { type: "link", change: decodeLinkChange(body) };
    case RECORD_KIND.start:
      return { type: "start" };
    case RECORD_KIND.unfollowed:
      return { type: "unfollowed" };
    case RECORD_KIND.handedOver:
      return decodeRecord(decodeHandedOver(body).record);
    default:
      return undefined;
  }
}

/** Where a record was acknowledged, and as what: in this journal, or in the one that it came from. */
export function acknowledged(record: JournalRecord, journalId: string): HandedOver {
  if (record.kind === RECORD_KIND.handedOver) return decodeHandedOver(record.body);
  return { origin: { journalId, sequence: record.sequence }, record };
}
