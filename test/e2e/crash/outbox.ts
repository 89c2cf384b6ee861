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
  readonly next_after: number;
  readonly has_more: boolean;
}

/** What a receiver knows an event by. */
export const keyOf = ({ id, revision }: Pick<SeenEvent, "id" | "revision">): string =>
  `${id}.${revision}`;

/** The sequence of the newest event. */
export async function newestSequence(api: ApiClient): Promise<number> {
  return (await api.get<EventPage>("/events?after=latest")).next_after;
}

/** Every event with a higher sequence: what is owed to whoever was subscribed then. */
export async function eventsAfter(api: ApiClient, after: number): Promise<readonly SeenEvent[]> {
  const events: SeenEvent[] = [];
  for (let from = after; ; ) {
    const page = await api.get<EventPage>(`/events?after=${from}&limit=1000`);
    events.push(...page.data);
    from = page.next_after;
    if (!page.has_more) return events;
  }
}
