import { describe, expect, it } from "vitest";
import type { Reading } from "../../../domain/equipment/reading.ts";
import { restartPoint } from "../../../ingest/stages/snapshots.ts";
import { openTimelineRun } from "../../support/timeline-run.ts";

const calendar = { time_zone: "UTC", shift: { start: "07:00", end: "16:00" } };
const T0 = Date.parse("2026-06-01T04:00:00Z");
const MINUTE_MS = 60_000;
const HOUR = 60;

/** A machine that works and moves, heard from at that minute. */
const readingAt = (minute: number, second = 0): Reading => ({
  fixTimeMs: T0 + minute * MINUTE_MS + second * 1_000,
  timeSource: "device",
  rawTimeMs: undefined,
  seq: -1,
  payloadHash: minute,
  fields: {
    latitude: 52.5 + (minute % 1_000) / 1e5,
    longitude: 13.4,
    speed_kmh: 12.5,
    engine_on: 1,
  },
  faults: undefined,
});

async function heardFrom(minutes: number, everyMinutes = 1) {
  const timeline = openTimelineRun(calendar);
  for (let minute = 0; minute <= minutes; minute += everyMinutes) {
    await timeline.take(readingAt(minute));
  }
  return timeline;
}

/** How far before the newest reading a re-run begins for a reading that late, minutes. */
async function foldedFor(
  timeline: Awaited<ReturnType<typeof heardFrom>>,
  lateMinutes: number,
): Promise<number> {
  const { track } = timeline;
  const newestMs = track.work.tMs;
  await timeline.take(readingAt((newestMs - T0) / MINUTE_MS - lateMinutes, 30));
  const fromMs = restartPoint(track)?.fromMs ?? T0;
  await timeline.rerun();
  return (newestMs - fromMs) / MINUTE_MS;
}

describe("copies of the fold", () => {
  it("copies of the fold of an asset that is never late are few and small, however long it reports", async () => {
    const { track } = await heardFrom(71 * HOUR, 5);
    expect(track.snapshots.length).toBeGreaterThan(3);
    expect(track.snapshots.length).toBeLessThanOrEqual(7);
    // What they hold beside the text is shared, or some 150 bytes.
    for (const { text } of track.snapshots) expect(text.length).toBeLessThan(700);
  });

  it("copies of the fold come once in 80 minutes, so a first late reading folds no more than that and its own lateness", async () => {
    const timeline = await heardFrom(9 * HOUR);
    const folded = await foldedFor(timeline, 10);
    expect(folded).toBeGreaterThan(10);
    expect(folded).toBeLessThanOrEqual(90);
  });

  it("copies of the fold come every 10 minutes after a re-run, until the asset was in order for two hours", async () => {
    const timeline = await heardFrom(9 * HOUR);
    await foldedFor(timeline, 10);
    expect(await foldedFor(timeline, 12)).toBeLessThanOrEqual(24);
    for (let minute = 9 * HOUR + 1; minute <= 10 * HOUR; minute += 1) {
      await timeline.take(readingAt(minute));
    }
    const busy = timeline.track.snapshots.length;
    expect(await foldedFor(timeline, 12)).toBeLessThanOrEqual(24);
    for (let minute = 10 * HOUR + 1; minute <= 20 * HOUR; minute += 1) {
      await timeline.take(readingAt(minute));
    }
    expect(timeline.track.snapshots.length).toBeLessThan(busy);
  });

  it("are what the fold was: a re-run from one ends as a fold without it", async () => {
    const timeline = await heardFrom(9 * HOUR);
    await foldedFor(timeline, 10);
    const fresh = openTimelineRun(calendar);
    for (let minute = 0; minute <= 9 * HOUR; minute += 1) {
      await fresh.take(readingAt(minute));
      if (minute === 9 * HOUR - 10) await fresh.take(readingAt(minute, 30));
    }
    const { work, days, nextOrdinal } = timeline.track;
    expect({ work, nextOrdinal }).toEqual({
      work: fresh.track.work,
      nextOrdinal: fresh.track.nextOrdinal,
    });
    expect(days.map(({ atStart: _, ...day }) => day)).toEqual(
      fresh.track.days.map(({ atStart: _, ...day }) => day),
    );
  });
});
