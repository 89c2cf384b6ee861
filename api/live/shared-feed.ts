import type { Feed } from "../../ingest/delivery/event-feed.ts";
import type { Sequenced } from "../../ingest/delivery/recent-events.ts";

/** A feed in use. */
export interface UsedFeed<T extends Sequenced> {
  readonly feed: Feed<T>;
  /** To be called once. Never throws. */
  release(): void;
}

/**
 * A feed that is followed while somebody uses it, and by all of them together: without readers it asks the store
 * nothing. `start` is repeated for whoever comes when it has failed. Yields how to use it.
 */
export function shareFeed<T extends Sequenced>(
  start: () => Promise<Feed<T>>,
  onError: (error: unknown) => void,
): () => Promise<UsedFeed<T>> {
  let users = 0;
  let running: Promise<Feed<T>> | undefined;

  function leave(): void {
    users -= 1;
    if (users > 0) return;
    const last = running;
    running = undefined;
    last?.then((feed) => feed.stop()).catch(onError);
  }

  return async () => {
    users += 1;
    running ??= start();
    const mine = running;
    try {
      return { feed: await mine, release: leave };
    } catch (error) {
      if (running === mine) running = undefined;
      users -= 1;
      throw error;
    }
  };
}
