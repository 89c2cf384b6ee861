import type { Logger } from "pino";
import { eventTopic } from "../../domain/equipment/topics.ts";
import type { EventRecords } from "../../storage/ports/events/events.ts";
import type { EventFeed } from "./event-feed.ts";
import { createEventFilter } from "./event-filter.ts";
import { eventText } from "./event-view.ts";
import { createOutboxFollower } from "./outbox-follower.ts";

export interface MqttEventsOptions {
  /** Where publication begins: the feed's place before the first reader could connect. */
  readonly from: number;
  readonly feed: Pick<EventFeed, "subscribe" | "lastSequence" | "recent">;
  readonly events: Pick<EventRecords, "after">;
  /** Publishes to the clean sessions that are connected now; never waits for any of them. */
  readonly publish: (topic: string, payload: string) => void;
  readonly log: Pick<Logger, "warn">;
}

/**
 * Publishes the events of projects to `sites/{project}/events/{type}` for clean sessions, which get what
 * is published while they are connected; returns what ends that. Events without a project have no topic.
 */
export function startMqttEvents(options: MqttEventsOptions): () => void {
  const { from, feed, events, publish, log } = options;
  const everything = createEventFilter({ types: [], projectIds: undefined });
  const follower = createOutboxFollower({
    from,
    feed,
    events,
    filter: () => everything,
    hasRoom: () => true,
    take(page) {
      for (const event of page) {
        if (event.projectId === undefined) continue;
        publish(eventTopic(event.projectId, event.type), eventText(event));
      }
    },
    onError: (error) => log.warn({ err: error }, "events are not published; trying again"),
  });
  const unsubscribe = feed.subscribe(follower.wake);
  follower.wake();
  return () => {
    unsubscribe();
    follower.stop();
  };
}
