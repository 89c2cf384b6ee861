import type { EventType, StoredEventType } from "../../domain/events/events.ts";

/** The last event published of one end of an episode. */
export interface Published {
  /** Newest revision; 0: nothing was published. */
  readonly revision: number;
  /** Whether it was taken back. */
  readonly withdrawn: boolean;
}

/** The event to publish now. */
export interface EventChange {
  readonly revision: number;
  readonly type: StoredEventType;
  readonly withdrawn: boolean;
}

/**
 * Compares what was published with what is known now. Returns the first event, a revision or a
 * withdrawal; `undefined` when nothing changed.
 */
export function changeOf(
  type: EventType,
  published: Published,
  now: { readonly happened: boolean; readonly isSame: boolean },
): EventChange | undefined {
  const isPublished = published.revision > 0 && !published.withdrawn;
  const revision = published.revision + 1;
  if (!now.happened) {
    return isPublished ? { revision, type: `${type}.withdrawn`, withdrawn: true } : undefined;
  }
  if (published.revision === 0) return { revision, type, withdrawn: false };
  if (isPublished && now.isSame) return undefined;
  return { revision, type: `${type}.revised`, withdrawn: false };
}

/** What is published after `change`. */
export const publishedAfter = (published: Published, change: EventChange | undefined): Published =>
  change === undefined ? published : { revision: change.revision, withdrawn: change.withdrawn };
