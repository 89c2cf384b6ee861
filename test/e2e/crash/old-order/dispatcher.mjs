// The control: the order of subscription that lost events. A webhook counts as level with the feed when its
// lane has read what there is, and hears of new events only after the dispatcher has started. What is
// recorded in between is passed over for good, because the next event moves the cursor past it.

import { setTimeout as delay } from "node:timers/promises";

const { searchParams } = new URL(import.meta.url);
const { WebhookDispatcher: RealDispatcher } = await import(searchParams.get("real") ?? "");

/** Longest duration of the last query of the start, ms: devices are back long before. */
const QUERY_MS = 30_000;
const POLL_MS = 10;

async function start(options) {
  console.error("the control's dispatcher starts");
  const { feed, records } = options;
  /** Where the lane was level with the feed, and where it was subscribed to it. */
  let levelAt;
  let subscribedAt;

  const late = {
    get lastSequence() {
      return feed.lastSequence;
    },
    subscribe: (wake) => feed.subscribe(wake),
    recent(after) {
      if (levelAt === undefined || after < levelAt) {
        const found = feed.recent(after);
        if (found !== undefined) levelAt = feed.lastSequence;
        return found;
      }
      if (subscribedAt === undefined) return [];
      return feed.recent(Math.max(after, subscribedAt));
    },
  };
  /** As slow as a busy store: something happens between the lane's reading and its subscription. */
  const due = async (...asked) => {
    const endMs = performance.now() + QUERY_MS;
    const isPassedOver = () => levelAt !== undefined && feed.lastSequence > levelAt;
    const { length } = subscribedAt === undefined ? await records.webhooks.list() : [];
    while (length > 0 && !isPassedOver() && performance.now() < endMs) await delay(POLL_MS);
    return await records.webhooks.due(...asked);
  };
  // The store is a class with private fields: its methods need itself as `this`.
  const webhooks = new Proxy(records.webhooks, {
    get: (store, name) => (name === "due" ? due : store[name].bind(store)),
  });
  const dispatcher = await RealDispatcher.start({
    ...options,
    feed: late,
    records: { webhooks, events: records.events },
  });
  subscribedAt = feed.lastSequence;
  return dispatcher;
}

export const WebhookDispatcher = { start };
