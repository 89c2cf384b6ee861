import type { EventType, StoredEventType } from "../../domain/events.ts";

/** What was told of one thing so far. */
export interface Told {
  /** Newest revision; 0: nothing was told. */
  readonly revision: number;
  /** Whether it was taken back. */
  readonly withdrawn: boolean;
}

/** What has to be told now. */
export interface News {
  readonly revision: number;
  readonly type: StoredEventType;
  readonly withdrawn: boolean;
}

/**
 * Compares what was told with what is known now: the first telling, a change of it, or that it did not
 * happen; `undefined` when there is nothing new to tell.
 */
export function newsOf(
  type: EventType,
  told: Told,
  now: { readonly happened: boolean; readonly isSame: boolean },
): News | undefined {
  const isTold = told.revision > 0 && !told.withdrawn;
  const revision = told.revision + 1;
  if (!now.happened) {
    return isTold ? { revision, type: `${type}.withdrawn`, withdrawn: true } : undefined;
  }
  if (told.revision === 0) return { revision, type, withdrawn: false };
  if (isTold && now.isSame) return undefined;
  return { revision, type: `${type}.revised`, withdrawn: false };
}

/** What has been told after `news`. */
export const toldAfter = (told: Told, news: News | undefined): Told =>
  news === undefined ? told : { revision: news.revision, withdrawn: news.withdrawn };
