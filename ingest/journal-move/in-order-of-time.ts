import type { JournalReader, JournalRecord } from "../../storage/ports/journal.ts";
import { recordsOf } from "./outgoing.ts";

/** A record and the journal that it lies in. */
export interface Found<J extends JournalReader> {
  readonly record: JournalRecord;
  readonly journal: J;
}

/**
 * The records of several journals, of each those after the first number up to the second: in the order of each, and
 * by the time of their receipt among them. The same at each call.
 */
export async function* inOrderOfTime<J extends JournalReader>(
  journals: readonly J[],
  ranges: readonly (readonly [after: number, last: number])[],
): AsyncGenerator<Found<J>> {
  const heads = await Promise.all(
    journals.map(async (journal, i) => {
      const [after, last] = ranges[i] ?? [0, 0];
      const records = recordsOf(journal, after, last);
      return { journal, records, record: (await records.next()).value };
    }),
  );
  for (;;) {
    let first: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (head.record === undefined) continue;
      if (first?.record === undefined || head.record.timeMs < first.record.timeMs) first = head;
    }
    if (first?.record === undefined) return;
    yield { record: first.record, journal: first.journal };
    first.record = (await first.records.next()).value;
  }
}
