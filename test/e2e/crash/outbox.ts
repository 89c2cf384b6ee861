import type { ApiClient } from "../../support/api-client.ts";

/** An event as every delivery channel carries it. */
export interface SeenEvent {
  readonly id: string;
  readonly revision: number;
  readonly sequence: number;
  readonly project_id?: string;
}

interface EventPage {
  readonly data: readonly SeenEvent[];
  readonly pagination: { readonly next_cursor: string; readonly has_more: boolean };
}

/** What a receiver knows an event by. */
export const keyOf = ({ id, revision }: Pick<SeenEvent, "id" | "revision">): string =>
  `${id}.${revision}`;

/** The sequence of the newest event. */
export async function newestSequence(api: ApiClient): Promise<number> {
  const { pagination } = await api.get<EventPage>("/events?cursor=latest");
  return Number(pagination.next_cursor);
}

/** Every event with a higher sequence: what is owed to whoever was subscribed then. */
export async function eventsAfter(api: ApiClient, after: number): Promise<readonly SeenEvent[]> {
  const events: SeenEvent[] = [];
  for (let cursor = String(after); ; ) {
    const page = await api.get<EventPage>(`/events?cursor=${cursor}&limit=1000`);
    events.push(...page.data);
    cursor = page.pagination.next_cursor;
    if (!page.pagination.has_more) return events;
  }
}
