import { eventTopic } from "../../domain/topics.ts";
import type { EventFeed } from "./event-feed.ts";
import { eventText } from "./event-view.ts";

export interface MqttEventsOptions {
  readonly feed: Pick<EventFeed, "subscribe">;
  /** Publishes to the readers that are connected now; never waits for any of them. */
  readonly publish: (topic: string, payload: string) => void;
  /** Whether this process is the one that publishes the project's events; absent: of all projects. */
  readonly isOurs?: (projectId: string) => boolean;
}

/**
 * Publishes the events of projects to `sites/{project}/events/{type}` as they become known; yields
 * what ends that. Live only: whoever was away reads `/events?after=` (DESIGN 3.3). Events of no
 * project have no topic.
 */
export function startMqttEvents({ feed, publish, isOurs }: MqttEventsOptions): () => void {
  return feed.subscribe((events) => {
    for (const event of events) {
      if (event.projectId === undefined || isOurs?.(event.projectId) === false) continue;
      publish(eventTopic(event.projectId, event.type), eventText(event));
    }
  });
}
