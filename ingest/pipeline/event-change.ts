import type { EventType, StoredEventType } from "../../domain/events.ts";

/** What was told of one thing so far. */
export interface Published {
  /** Newest revision; 0: nothing was told. */
  readonly revision: number;
  /** Whether it was taken back. */
  readonly withdrawn: boolean;
}

/** What has to be told now. */
export interface EventChange {
  readonly revision: number;
  readonly type: StoredEventType;
  readonly withdrawn: boolean;
}

/**
 * Compares what was told with what is known now: the first telling, a change of it, or that it did not
 * happen; `undefined` when there is nothing new to tell.
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

/** What has been told after `change`. */
export const publishedAfter = (published: Published, change: EventChange | undefined): Published =>
  change === undefined ? published : { revision: change.revision, withdrawn: change.withdrawn };
