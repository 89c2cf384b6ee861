import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import type { StoredEvent } from "../../../domain/events/events.ts";
import { type EventFeed, startEventFeed } from "../../../ingest/delivery/event-feed.ts";
import { startMqttEvents } from "../../../ingest/delivery/mqtt-events.ts";
import { createRecentEvents } from "../../../ingest/delivery/recent-events.ts";
import { openMemoryRecords } from "../../support/memory-records.ts";
import { newEvent } from "../../support/new-event.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

const log = pino({ level: "silent" });
/** Longer than any test: what comes, came by a poke. */
const NEVER_MS = 600_000;

const feeds: EventFeed[] = [];
afterEach(async () => {
  for (const feed of feeds.splice(0)) await feed.stop();
});

async function world(pollMs = NEVER_MS) {
  const records = openMemoryRecords();
  const start = async () => {
    const feed = await startEventFeed({ records: records.events, pollMs, log });
    feeds.push(feed);
    return feed;
  };
  const append = (from: number, count: number) =>
    records.events.append(Array.from({ length: count }, (_, i) => newEvent(`e${from + i}`)));
  return { records, start, append };
}

/** A reader that begins where the feed is, and reads on at each wake-up. */
function sequencesOf(feed: Pick<EventFeed, "subscribe" | "recent" | "lastSequence">) {
  const heard: number[] = [];
  let place = feed.lastSequence;
  const stop = feed.subscribe(() => {
    heard.push(...(feed.recent(place) ?? []).map(({ sequence }) => sequence));
    place = feed.lastSequence;
  });
  return { heard, stop };
}

const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

describe("the event feed", () => {
  it("the event feed begins behind what was there before and has what is new, after a poke at once", async () => {
    const { start, append } = await world();
    await append(1, 3);
    const feed = await start();
    const { heard } = sequencesOf(feed);
    expect(feed.lastSequence).toBe(3);
    await append(4, 2);
    feed.poke();
    await until("two events", () => heard.length === 2, PATIENT_MS);
    expect(heard).toEqual([4, 5]);
    expect(feed.lastSequence).toBe(5);
  });

  it("the event feed finds by itself what another process wrote", async () => {
    const { start, append } = await world(5);
    const { heard } = sequencesOf(await start());
    await append(1, 2);
    await until("two events", () => heard.length === 2, PATIENT_MS);
    expect(heard).toEqual([1, 2]);
  });

  it("lets every reader find every event once and in order, more than one query holds, however often it is poked", async () => {
    const { start, append } = await world();
    const feed = await start();
    const listeners = [sequencesOf(feed), sequencesOf(feed)];
    for (let from = 1; from <= 2_400; from += 600) {
      await append(from, 600);
      for (let i = 0; i < 5; i += 1) feed.poke();
    }
    await until("2,400 events", () => listeners[1]?.heard.length === 2_400, PATIENT_MS);
    for (const { heard } of listeners) expect(heard).toEqual(upTo(2_400));
  });

  it("the event feed has one query in flight, and polls again after it when it was woken meanwhile", async () => {
    const { records, append } = await world();
    let running = 0;
    let most = 0;
    let polls = 0;
    const feed = await startEventFeed({
      records: {
        lastSequence: () => records.events.lastSequence(),
        async after(sequence, filter) {
          running += 1;
          polls += 1;
          most = Math.max(most, running);
          const found = await records.events.after(sequence, filter);
          await delay(5);
          running -= 1;
          return found;
        },
      },
      pollMs: NEVER_MS,
      log,
    });
    feeds.push(feed);
    const { heard } = sequencesOf(feed);
    await append(1, 1);
    for (let i = 0; i < 10; i += 1) feed.poke();
    await until("the event", () => heard.length === 1, PATIENT_MS);
    expect(most).toBe(1);
    expect(polls).toBe(2);
  });

  it("the event feed passes over gaps in the sequence", async () => {
    const { records, start, append } = await world();
    const feed = await start();
    const { heard } = sequencesOf(feed);
    await append(1, 1);
    records.rows.lastSequence = 40;
    await append(2, 1);
    feed.poke();
    await until("two events", () => heard.length === 2, PATIENT_MS);
    expect(heard).toEqual([1, 41]);
  });

  it("the event feed goes on with the others when a listener throws, and with that one at the next event", async () => {
    const { start, append } = await world();
    const feed = await start();
    let calls = 0;
    feed.subscribe(() => {
      calls += 1;
      throw new Error("broken");
    });
    const { heard } = sequencesOf(feed);
    await append(1, 1);
    feed.poke();
    await until("the first", () => heard.length === 1, PATIENT_MS);
    await append(2, 1);
    feed.poke();
    await until("the second", () => heard.length === 2, PATIENT_MS);
    expect(calls).toBe(2);
  });

  it("the event feed asks a store that is away again, and passes over nothing", async () => {
    const { records, append } = await world();
    let failures = 0;
    const feed = await startEventFeed({
      records: {
        lastSequence: () => records.events.lastSequence(),
        after: (sequence, filter) =>
          records.events.after(sequence, filter).catch((error: unknown) => {
            failures += 1;
            throw error;
          }),
      },
      pollMs: 1,
      log,
    });
    feeds.push(feed);
    const { heard } = sequencesOf(feed);
    await append(1, 2);
    records.away = true;
    await until("three failures", () => failures >= 3, PATIENT_MS);
    records.away = false;
    await append(3, 1);
    await until("all three", () => heard.length === 3, PATIENT_MS);
    expect(heard).toEqual([1, 2, 3]);
  });

  it("the event feed wakes no listener that left, not even within the same batch", async () => {
    const { start, append } = await world();
    const feed = await start();
    let lateCalls = 0;
    let leave = () => {};
    feed.subscribe(() => leave());
    leave = feed.subscribe(() => {
      lateCalls += 1;
    });
    const { heard } = sequencesOf(feed);
    await append(1, 1);
    feed.poke();
    await until("the event", () => heard.length === 1, PATIENT_MS);
    expect(lateCalls).toBe(0);
  });

  it("the event feed is quiet after stop", async () => {
    const { start, append } = await world(1);
    const feed = await start();
    const { heard } = sequencesOf(feed);
    await feed.stop();
    await append(1, 1);
    feed.poke();
    await delay(20);
    expect(heard).toEqual([]);
  });
});

describe("recent events", () => {
  const events = (first: number, last: number) =>
    upTo(last, first).map((sequence) => ({ sequence }) as StoredEvent);
  const sequences = (found: readonly StoredEvent[] | undefined) =>
    found?.map(({ sequence }) => sequence);

  it("recent events are all those behind the start, until there are more than twice as many as are kept", () => {
    const recent = createRecentEvents(10, 3);
    recent.add(events(11, 16));
    expect(sequences(recent.after(9))).toBeUndefined();
    expect(sequences(recent.after(10))).toEqual([11, 12, 13, 14, 15, 16]);
    recent.add(events(17, 17));
    expect(sequences(recent.after(13))).toBeUndefined();
    expect(sequences(recent.after(14))).toEqual([15, 16, 17]);
  });

  it("recent events are none for who has seen the newest, and none behind the start", () => {
    const recent = createRecentEvents(10, 3);
    expect(sequences(recent.after(10))).toEqual([]);
    expect(sequences(recent.after(99))).toEqual([]);
    recent.add(events(12, 12));
    expect(sequences(recent.after(11))).toEqual([12]);
    expect(sequences(recent.after(12))).toEqual([]);
  });
});

describe("events over MQTT", () => {
  it("events over MQTT go to the topic of their project and type as JSON, those of no project nowhere", async () => {
    const { records, start } = await world();
    const feed = await start();
    const published: [string, unknown][] = [];
    const stop = startMqttEvents({
      from: feed.lastSequence,
      feed,
      events: records.events,
      log,
      publish: (topic, payload) => published.push([topic, JSON.parse(payload)]),
    });
    const { heard } = sequencesOf(feed);
    await records.events.append([
      newEvent("e1"),
      newEvent("e2", { projectId: undefined, type: "ingest.journal_gap" }),
      newEvent("e3", { projectId: "p2", type: "equipment.geofence.exited.withdrawn" }),
    ]);
    feed.poke();
    await until("three events", () => heard.length === 3, PATIENT_MS);
    expect(published).toEqual([
      ["sites/p1/events/equipment.geofence.entered", expect.objectContaining({ id: "e1" })],
      [
        "sites/p2/events/equipment.geofence.exited.withdrawn",
        expect.objectContaining({ id: "e3" }),
      ],
    ]);
    stop();
    await records.events.append([newEvent("e4")]);
    feed.poke();
    await until("the fourth", () => heard.length === 4, PATIENT_MS);
    expect(published).toHaveLength(2);
  });
});
