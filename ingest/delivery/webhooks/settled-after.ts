import type { WebhookId } from "../../../domain/ids.ts";
import type { WebhookRecords } from "../../../storage/ports/events/webhooks.ts";

/** Rows of one read of the log. More take memory; fewer need more reads. */
const PAGE_ROWS = 500;

/**
 * Sequences behind a webhook's cursor that have a row all the same: their answers came before that of
 * an older event. They must not be taken for new ones after a restart.
 */
export async function settledAfter(
  records: Pick<WebhookRecords, "deliveries">,
  id: WebhookId,
  cursor: number,
): Promise<Set<number>> {
  const settled = new Set<number>();
  for (let offset = 0; ; offset += PAGE_ROWS) {
    const { deliveries } = await records.deliveries(id, { limit: PAGE_ROWS, offset });
    for (const { eventSequence } of deliveries) {
      // The log begins with the newest event.
      if (eventSequence <= cursor) return settled;
      settled.add(eventSequence);
    }
    if (deliveries.length < PAGE_ROWS) return settled;
  }
}
