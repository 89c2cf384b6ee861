import { createHash } from "node:crypto";
import type { ProjectId } from "../../domain/ids.ts";
import type { JournalReader, JournalRecord } from "../../storage/ports/journal.ts";

/** A record as it is put into the journal that it moves to. */
export interface Outgoing extends Pick<JournalRecord, "kind" | "timeMs" | "body"> {
  /** Where it lies in what is moved: readers' places there become places of the other journal. */
  readonly rank: number;
  /** Indices of the journals that it goes to: partitions, or the only one. */
  readonly targets: readonly number[];
  /** For people and other readers of the log. */
  readonly key: ProjectId | "";
}

/** What a record is known by on both sides. */
export const markOf = ({ kind, timeMs, body }: Pick<JournalRecord, "kind" | "timeMs" | "body">) =>
  `${kind} ${timeMs} ${createHash("sha256").update(body).digest("base64")}`;

/** Bytes of one read. More take memory; fewer mean more round trips. */
const READ = { records: 2_000, bytes: 4 * 1024 ** 2 };

/** The records after `after`, up to `last`, in order. */
export async function* recordsOf(
  journal: Pick<JournalReader, "read">,
  after: number,
  last: number,
): AsyncGenerator<JournalRecord> {
  for (let next = after + 1; next <= last; ) {
    const page = await journal.read(next, READ);
    // Those that are left up to here are gone, or marks of the brokers.
    if (page.length === 0) return;
    for (const record of page) {
      if (record.sequence > last) return;
      yield record;
      next = record.sequence + 1;
    }
  }
}
