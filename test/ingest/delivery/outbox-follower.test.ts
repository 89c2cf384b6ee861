import { expect, it, vi } from "vitest";
import type { ProjectId } from "../../../domain/ids.ts";
import { createEventFilter, type EventFilter } from "../../../ingest/delivery/event-filter.ts";
import { createOutboxFollower } from "../../../ingest/delivery/outbox-follower.ts";
import { createRecentEvents } from "../../../ingest/delivery/recent-events.ts";
import { openMemoryRecords } from "../../support/memory-records.ts";
import { newEvent } from "../../support/new-event.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

const LIMIT_MS = PATIENT_MS;
vi.setConfig({ testTimeout: 6 * LIMIT_MS });
const EVERYTHING = createEventFilter({ types: [], projectIds: undefined });

/** A follower over a store, and a feed whose memory the test fills. */
function world(options: { filter?: () => EventFilter; hasRoom?: () => boolean } = {}) {
  const records = openMemoryRecords();
  const recent = createRecentEvents(0, 1_000);
  const feed = {
    lastSequence: 0,
    recent: (after: number) => recent.after(after),
    /** Sees what is new in the store; nobody is woken. */
    async see() {
      const events = await records.events.after(feed.lastSequence, { limit: 10_000 });
      recent.add(events);
      feed.lastSequence = events.at(-1)?.sequence ?? feed.lastSequence;
    },
  };
  const taken: string[] = [];
  const errors: unknown[] = [];
  const follow = (from: number) =>
    createOutboxFollower({
      from,
      feed,
      events: records.events,
      filter: options.filter ?? (() => EVERYTHING),
      hasRoom: options.hasRoom ?? (() => true),
      take: (events) => taken.push(...events.map(({ id }) => id)),
      onError: (error) => errors.push(error),
    });
  const raise = (...ids: readonly string[]) => records.events.append(ids.map((id) => newEvent(id)));
  return { records, feed, taken, errors, follow, raise };
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `e${i + 1}`);

it("a follower of the outbox takes everything behind its place at the first wake-up, however late that comes", async () => {
  const t = world();
  const follower = t.follow(0);
  await t.raise(...numbered(3_000));
  await t.feed.see();
  follower.wake();
  await until("all events", () => t.taken.length === 3_000, LIMIT_MS);
  expect(t.taken).toEqual(numbered(3_000));
  expect(follower.readTo).toBe(3_000);
});

it("a follower of the outbox takes what came into the feed's memory while it read the store", async () => {
  const t = world();
  await t.raise(...numbered(2_500));
  await t.feed.see();
  const { after } = t.records.events;
  t.records.events.after = async (...asked) => {
    t.records.events.after = after;
    const page = await after(...asked);
    await t.raise("late");
    await t.feed.see();
    return page;
  };
  t.follow(0).wake();
  await until("the late one", () => t.taken.includes("late"), LIMIT_MS);
  expect(t.taken).toEqual([...numbered(2_500), "late"]);
});

it("a follower of the outbox takes nothing without room, and goes on from its place when it is woken with room", async () => {
  let hasRoom = false;
  const t = world({ hasRoom: () => hasRoom });
  const follower = t.follow(0);
  await t.raise("e1");
  await t.feed.see();
  follower.wake();
  expect([t.taken, follower.readTo]).toEqual([[], 0]);
  hasRoom = true;
  follower.wake();
  expect([t.taken, follower.readTo]).toEqual([["e1"], 1]);
});

it("a follower of the outbox reads a page again when what is wanted changed during the read", async () => {
  const ofProject = (id: string) => createEventFilter({ types: [], projectIds: [id as ProjectId] });
  let filter = ofProject("p2");
  const t = world({ filter: () => filter });
  await t.raise(...numbered(2_100));
  await t.feed.see();
  const { after } = t.records.events;
  t.records.events.after = async (...asked) => {
    t.records.events.after = after;
    const page = await after(...asked);
    filter = ofProject("p1");
    return page;
  };
  t.follow(0).wake();
  await until("all events", () => t.taken.length === 2_100, LIMIT_MS);
  expect(t.taken).toEqual(numbered(2_100));
});

it("a follower of the outbox reads again by itself after a read that failed", async () => {
  const t = world();
  await t.raise(...numbered(2_100));
  await t.feed.see();
  t.records.away = true;
  const follower = t.follow(0);
  follower.wake();
  await until("a failure", () => t.errors.length > 0, LIMIT_MS);
  t.records.away = false;
  await until("all events", () => t.taken.length === 2_100, LIMIT_MS);
  follower.stop();
  expect(t.taken).toEqual(numbered(2_100));
});
