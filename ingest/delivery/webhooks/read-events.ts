import type { StoredEvent } from "../../../domain/events/events.ts";
import type { EventRecords } from "../../../storage/ports/events/events.ts";

/** Most events of one read. More hold the store for longer; fewer read more often. */
const MAX_READ = 500;

/**
 * The events of these sequences that are still kept, by sequence. Neighbours are read together: what
 * waits for a retry came in a row, most of the time.
 */
export async function readEvents(
  records: Pick<EventRecords, "after">,
  sequences: Iterable<number>,
): Promise<ReadonlyMap<number, StoredEvent>> {
  const found = new Map<number, StoredEvent>();
  const wanted = [...new Set(sequences)].sort((a, b) => a - b);
  const last = wanted.at(-1) ?? 0;
  let readTo = 0;
  for (const sequence of wanted) {
    if (sequence <= readTo) continue;
    const limit = Math.min(last - sequence + 1, MAX_READ);
    const page = await records.after(sequence - 1, { limit });
    for (const event of page) found.set(event.sequence, event);
    readTo = page.length < limit ? last : (page.at(-1)?.sequence ?? last);
  }
  return found;
}
