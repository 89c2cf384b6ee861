import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPossibleTime, ReceiveClock } from "../../../ingest/intake/readings/clock.ts";
import { createCounters, INTAKE_COUNTERS } from "../../../ingest/intake/readings/counters.ts";
import { RateBucket } from "../../../ingest/intake/readings/rate-bucket.ts";
import { toReadings } from "../../../ingest/intake/readings/to-readings.ts";
import { hash32, readingHash } from "../../../ingest/intake/repeats/payload-hash.ts";
import { RecentMessages } from "../../../ingest/intake/repeats/recent-messages.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const MINUTE = 60_000;
const DAY = 86_400_000;

describe("clock check", () => {
  it.each([
    ["5 min ahead", NOW + 5 * MINUTE, true],
    ["5 min and 1 ms ahead", NOW + 5 * MINUTE + 1, false],
    ["as old as the retention of 90 days", NOW - 90 * DAY, true],
    ["1 ms older than the retention", NOW - 90 * DAY - 1, false],
    ["epoch seconds read as ms", Math.floor(NOW / 1_000), false],
    ["one year ahead", NOW + 365 * DAY, false],
  ])("of a time %s", (_name, timeMs, possible) => {
    expect(isPossibleTime(timeMs, NOW, 90 * DAY)).toBe(possible);
  });
});

describe("receive clock", () => {
  it("the receive clock gives 1,000 readings of one ms 1,000 different times within 1 s", () => {
    const clock = new ReceiveClock();
    const times = Array.from({ length: 1_000 }, () => clock.next(NOW));

    expect(new Set(times).size).toBe(1_000);
    expect(times[0]).toBe(NOW);
    expect(times[999]).toBe(NOW + 999);
  });

  it("the receive clock never leads by more than 5 min, and follows our clock again after a burst", () => {
    const clock = new ReceiveClock();
    let last = 0;
    for (let i = 0; i < 300_002; i += 1) last = clock.next(NOW);

    expect(last).toBe(NOW + 5 * MINUTE);
    expect(clock.next(NOW + 6 * MINUTE)).toBe(NOW + 6 * MINUTE);
  });

  it("the receive clock goes on behind the last time given before a restart", () => {
    expect(new ReceiveClock(NOW + 700).next(NOW)).toBe(NOW + 701);
  });

  it("goes on rising when our clock steps back by 1 s", () => {
    const clock = new ReceiveClock();
    const first = clock.next(NOW);

    expect(first).toBe(NOW);
    expect(clock.next(NOW - 1_000)).toBe(NOW + 1);
  });
});

describe("a historical reading", () => {
  const placed = (deviceTimeMs: number | undefined) =>
    toReadings(
      [
        { deviceTimeMs: NOW, seq: 1, fields: { speed_kmh: 3 }, faults: undefined },
        { deviceTimeMs, seq: 2, fields: { speed_kmh: 4 }, faults: [], isHistorical: true },
      ],
      { receivedAtMs: NOW, payloadHash: 1 },
      new ReceiveClock(),
      90 * DAY,
      createCounters(INTAKE_COUNTERS),
    );

  it("a historical reading keeps its own time and its flag, which others have not", () => {
    const [live, historical] = placed(NOW - 3 * DAY);
    expect(live).not.toHaveProperty("isHistorical");
    expect(historical).toStrictEqual({
      fixTimeMs: NOW - 3 * DAY,
      timeSource: "device",
      rawTimeMs: undefined,
      seq: 2,
      payloadHash: readingHash(1, 1),
      fields: { speed_kmh: 4 },
      faults: [],
      isHistorical: true,
    });
  });

  it.each([
    ["no time", undefined, /a historical reading has no time/],
    ["a time an hour ahead", NOW + 60 * MINUTE, /impossible time \(\d+ ms\)/],
    ["a time older than the retention", NOW - 91 * DAY, /impossible time/],
  ])("a historical reading with %s is refused: the time at which it came is not its own", (_name, timeMs, message) => {
    expect(() => placed(timeMs)).toThrow(message);
    expect(() => placed(timeMs)).toThrow(expect.objectContaining({ code: "DECODE_FAILED" }));
  });
});

describe("payload hash", () => {
  it("the payload hash is CRC-32 of the message for its first reading", () => {
    // The check value of CRC-32/ISO-HDLC.
    expect(readingHash(hash32("123456789"), 0)).toBe(0xcbf43926);
  });

  it("the payload hash differs between the 1,000 readings of one message", () => {
    const hashes = Array.from({ length: 1_000 }, (_, i) => readingHash(0xcbf43926, i));

    expect(new Set(hashes).size).toBe(1_000);
    expect(hashes.every((hash) => Number.isInteger(hash) && hash >= 0 && hash < 2 ** 32)).toBe(
      true,
    );
  });
});

describe("recent messages", () => {
  const origin = (packetId: number, payloadHash = packetId * 7, clientHash = 99) => ({
    clientHash,
    packetId,
    payloadHash,
  });

  it("knows a message for 10 min and forgets it after 11", () => {
    const recent = new RecentMessages();
    recent.add(origin(1), NOW);

    expect(recent.has(origin(1), NOW + 10 * MINUTE)).toBe(true);
    expect(recent.has(origin(1), NOW + 11 * MINUTE)).toBe(false);
  });

  it("recent messages are distinguished by packet id, payload and client", () => {
    const recent = new RecentMessages();
    recent.add(origin(1, 5, 9), NOW);

    expect(recent.has(origin(2, 5, 9), NOW)).toBe(false);
    expect(recent.has(origin(1, 6, 9), NOW)).toBe(false);
    expect(recent.has(origin(1, 5, 8), NOW)).toBe(false);
  });

  it("knows every message of a minute of a device whose packet identifier is always the same", () => {
    const recent = new RecentMessages();
    const payloads = Array.from({ length: 600 }, (_, i) => hash32(`reading ${i}`));
    for (const payload of payloads) recent.add(origin(1, payload), NOW);

    expect(payloads.filter((payload) => !recent.has(origin(1, payload), NOW))).toEqual([]);
  });

  it("answers for 50,000 messages over 12 minutes as a plain set does", () => {
    const recent = new RecentMessages();
    const oracle = new Set<number>();
    for (let i = 0; i < 50_000; i += 1) {
      recent.add(origin(i % 65_535, i), NOW + (i % 10) * 1_000);
      oracle.add(i);
    }

    let wrong = 0;
    for (let i = 0; i < 100_000; i += 1) {
      if (recent.has(origin(i % 65_535, i), NOW + 20_000) !== oracle.has(i)) wrong += 1;
    }
    expect(wrong).toBe(0);
  });

  it("the recent messages keep their memory bounded when a minute has more messages than they can hold", () => {
    const recent = new RecentMessages();
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 1_500_000; i += 1) recent.add(origin(i & 0xffff, i), NOW);

    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64e6);
    expect(recent.has(origin(1_499_999 & 0xffff, 1_499_999), NOW)).toBe(true);
  });
});

describe("rate bucket of 20 readings/s and a burst of 5,000", () => {
  it("a rate bucket lets 5,000 readings at once pass and makes the next one wait 50 ms", () => {
    const bucket = new RateBucket(20, 5_000);

    expect(bucket.take(5_000, NOW)).toBe(0);
    expect(bucket.take(1, NOW)).toBe(50);
  });

  it("a rate bucket lets 20 readings/s pass for ever", () => {
    const bucket = new RateBucket(20, 5_000);
    const waits = Array.from({ length: 10_000 }, (_, i) => bucket.take(1, NOW + i * 50));

    expect(Math.max(...waits)).toBe(0);
  });

  it("a rate bucket forgives debt beyond 15 s", () => {
    const bucket = new RateBucket(20, 5_000);

    expect(bucket.take(1_000_000, NOW)).toBe(15_000);
    expect(bucket.take(1, NOW + 15_100)).toBe(0);
  });

  it("a rate bucket never makes a device wait longer than its debt at its rate", () => {
    const property = fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 0, max: 5_000 }))),
      (steps) => {
        const bucket = new RateBucket(20, 5_000);
        let nowMs = NOW;
        return steps.every(([count, stepMs]) => {
          nowMs += stepMs;
          const waitMs = bucket.take(count, nowMs);
          return waitMs >= 0 && waitMs <= 15_000;
        });
      },
    );

    expect(() => fc.assert(property)).not.toThrow();
  });
});
