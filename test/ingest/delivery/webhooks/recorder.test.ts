import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { DomainError } from "../../../../domain/errors.ts";
import type { WebhookId } from "../../../../domain/ids.ts";
import { Lane } from "../../../../ingest/delivery/webhooks/lane.ts";
import { type RecordedLane, Recorder } from "../../../../ingest/delivery/webhooks/recorder.ts";
import type {
  Webhook,
  WebhookDelivery,
  WebhookRecords,
} from "../../../../storage/ports/events/webhooks.ts";
import { openMemoryRecords } from "../../../support/memory-records.ts";
import { newEvent } from "../../../support/new-event.ts";
import { PATIENT_MS } from "../../../support/patience.ts";
import { until } from "../../../support/until.ts";

const ID = "whk_1" as WebhookId;
type Change = Parameters<WebhookRecords["record"]>[0];

const row = (eventSequence: number) => ({ webhookId: ID, eventSequence }) as WebhookDelivery;

const cursorAt = (sequence: number) => new Map([[ID, { subscription: 1, sequence }]]);

/** A recorder over a store that the test takes away, and a lane whose cursor is what was settled. */
function recorder() {
  const store = { away: false, changes: [] as Change[] };
  const settled: number[] = [];
  const recorded: number[] = [];
  const lane: RecordedLane = {
    id: ID,
    subscription: 1,
    settle: (sequence) => settled.push(sequence),
    recorded: (sequence) => recorded.push(sequence),
    cursor: () => settled.length,
  };
  const started = new Recorder({
    records: {
      async record(change) {
        if (store.away) throw new DomainError("STORE_UNAVAILABLE", "the database is away");
        store.changes.push(change);
      },
    },
    lanes: () => [lane],
    onRecorded: () => undefined,
    everyMs: 5,
    log: pino({ level: "silent" }),
  });
  return {
    store,
    lane,
    recorded,
    recorder: started,
    [Symbol.asyncDispose]: () => started.stop(),
  };
}

describe("the recorder", () => {
  it("the recorder writes the rows of one moment and the cursor that they allow in one transaction", async () => {
    await using t = recorder();
    for (const sequence of [1, 2, 3]) t.recorder.add(t.lane, row(sequence));
    await until("recorded", () => t.recorded.length === 3, PATIENT_MS);
    expect(t.store.changes).toEqual([
      { deliveries: [row(1), row(2), row(3)], cursors: cursorAt(3) },
    ]);
  });

  it("the recorder holds up to 2,000 results while the store is away, and writes each once when it is back", async () => {
    await using t = recorder();
    t.store.away = true;
    for (let sequence = 1; sequence <= 1_999; sequence += 1) t.recorder.add(t.lane, row(sequence));
    const roomBefore = t.recorder.hasRoom;
    t.recorder.add(t.lane, row(2_000));
    expect([roomBefore, t.recorder.hasRoom]).toEqual([true, false]);
    t.store.away = false;
    await until("recorded", () => t.recorded.length === 2_000, PATIENT_MS);
    const written = t.store.changes.flatMap(({ deliveries }) => deliveries);
    expect(written.map(({ eventSequence }) => eventSequence)).toEqual(
      Array.from({ length: 2_000 }, (_, i) => i + 1),
    );
    expect(t.store.changes.at(-1)?.cursors).toEqual(cursorAt(2_000));
    expect(t.recorder.hasRoom).toBe(true);
  });

  it("the recorder writes what is left, and the cursor, when it stops", async () => {
    const t = recorder();
    t.recorder.add(t.lane, row(7));
    await t.recorder.stop();
    expect(t.store.changes).toEqual([{ deliveries: [row(7)], cursors: cursorAt(1) }]);
  });
});

describe("a lane", () => {
  it("a lane sends nothing without room for results, and goes on when it is woken", async () => {
    const records = openMemoryRecords();
    await records.events.append([newEvent("evt_1")]);
    const sent: string[] = [];
    let hasRoom = false;
    const lane = new Lane({
      webhook: {
        id: ID,
        url: "http://a.test/",
        types: [],
        projectIds: undefined,
      } as never as Webhook,
      cursor: 0,
      settled: new Set(),
      feed: { lastSequence: 1, recent: (after) => (after < 1 ? undefined : []) },
      events: records.events,
      async send(_webhook, { id }) {
        sent.push(id);
        return {
          outcome: "delivered",
          atMs: 0,
          durationMs: 0,
          status: 200,
          error: undefined,
          retryAfterMs: undefined,
        };
      },
      signal: new AbortController().signal,
      record: () => undefined,
      mayRecord: () => hasRoom,
      onAttempt: () => undefined,
      onGone: () => undefined,
      onError: () => undefined,
      now: () => 0,
      random: () => 0.5,
    });
    lane.wake();
    await until("it is queued", () => lane.queued === 1, PATIENT_MS);
    expect([sent, lane.cursor()]).toEqual([[], 0]);
    hasRoom = true;
    lane.wake();
    await until("it is sent", () => sent.length === 1, PATIENT_MS);
    // Without a row the cursor stays.
    expect([sent, lane.cursor()]).toEqual([["evt_1.1"], 0]);
    lane.settle(1);
    expect(lane.cursor()).toBe(1);
    lane.halt();
  });
});
