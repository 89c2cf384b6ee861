// The control: the order of subscription that lost events. Lanes are opened, the start waits for a query, and
// only then the dispatcher hears of new events. What is recorded in between is passed over for good.

import { setTimeout as delay } from "node:timers/promises";

const { searchParams } = new URL(import.meta.url);
const { WebhookDispatcher: RealDispatcher } = await import(searchParams.get("real") ?? "");

/** Longest duration of the last query of the start, ms: devices are back long before. */
const QUERY_MS = 30_000;
const POLL_MS = 10;

async function start(options) {
  console.error("the control's dispatcher starts");
  const { feed, records } = options;
  /** The newest event when the lanes had been opened, and when the feed was subscribed to. */
  let openedAt = Number.POSITIVE_INFINITY;
  let subscribedAt = Number.POSITIVE_INFINITY;
  const heard = (events) =>
    events.filter(({ sequence }) => sequence <= openedAt || sequence > subscribedAt);

  const late = {
    get lastSequence() {
      return feed.lastSequence;
    },
    subscribe: (wake) => feed.subscribe(wake),
    recent(after) {
      const found = feed.recent(after);
      return found === undefined ? undefined : heard(found);
    },
  };
  const events = replacing(records.events, {
    after: async (...asked) => heard(await records.events.after(...asked)),
  });
  /** As slow as a busy store: something happens between the opening of lanes and the subscription. */
  const webhooks = replacing(records.webhooks, {
    async due(...asked) {
      const isFirst = openedAt === Number.POSITIVE_INFINITY;
      if (isFirst && (await records.webhooks.list()).length > 0) {
        openedAt = feed.lastSequence;
        const endMs = performance.now() + QUERY_MS;
        while (feed.lastSequence === openedAt && performance.now() < endMs) await delay(POLL_MS);
      }
      return await records.webhooks.due(...asked);
    },
  });
  const dispatcher = await RealDispatcher.start({
    ...options,
    feed: late,
    records: { webhooks, events },
  });
  subscribedAt = feed.lastSequence;
  return dispatcher;
}

/** A store with one of its methods replaced. Stores have private fields: methods need themselves as `this`. */
function replacing(store, replaced) {
  return new Proxy(store, { get: (real, name) => replaced[name] ?? real[name].bind(real) });
}

export const WebhookDispatcher = { start };
