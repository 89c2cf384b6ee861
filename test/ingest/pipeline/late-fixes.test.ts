import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Reading } from "../../../domain/equipment/reading.ts";
import type { AssetTrack, TimelineState } from "../../../ingest/track/asset-track.ts";
import { packTrack, unpackTrack } from "../../../ingest/track/track-codec.ts";
import { countOf } from "../../support/some-of.ts";
import { ASSET, openTimelineRun } from "../../support/timeline-run.ts";

const calendar = { time_zone: "Europe/Berlin", shift: { start: "07:00", end: "16:00" } };
const T0 = Date.parse("2026-06-01T04:00:00Z");
const HOUR = 3_600_000;

/** Readings within 48 h (two or three local days), some without engine, speed or position. */
const reading = fc
  .record({
    minute: fc.integer({ min: 0, max: 48 * 60 }),
    seq: fc.integer({ min: 0, max: 3 }),
    engine: fc.constantFrom(undefined, 0, 1),
    speed: fc.constantFrom(undefined, 0, 12),
    north: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
  })
  .map(({ minute, seq, engine, speed, north }): Reading => {
    const fields: Record<string, number> = { battery_voltage: 12 + seq };
    if (engine !== undefined) fields["engine_on"] = engine;
    if (speed !== undefined) fields["speed_kmh"] = speed;
    if (north !== undefined) {
      fields["latitude"] = 52.5 + north / 1000;
      fields["longitude"] = 13.4;
    }
    return {
      fixTimeMs: T0 + minute * 60_000,
      timeSource: "device",
      rawTimeMs: undefined,
      seq,
      // Another content has another hash, as at intake.
      payloadHash: crc32(JSON.stringify(fields)),
      fields,
      faults: undefined,
    };
  });

/** Runs readings through live state and the time line, re-running after every `every` readings. */
async function run(readings: readonly Reading[], every: number): Promise<AssetTrack> {
  const timeline = openTimelineRun(calendar);
  for (const [i, one] of readings.entries()) {
    await timeline.take(one);
    if (i % every === every - 1 || i === readings.length - 1) await timeline.rerun();
  }
  return timeline.track;
}

/** The parts of a track that must not depend on the order of arrival. */
function outcome(track: AssetTrack) {
  const { latest, days, work, lastUpdateMs, fixOrigin, engineOnBeforeMs } = track;
  return {
    latest: new Map([...latest].sort()),
    days: days.map((day) => ({ ...day, atStart: withoutCaches(day.atStart) })),
    work,
    lastUpdateMs,
    fixOrigin,
    engineOnBeforeMs,
  };
}

/** What makes the fold fast is made anew at will, and never stored. */
const withoutCaches = ({ fences, ...state }: TimelineState): TimelineState => ({
  ...state,
  fences: { ...fences, safe: undefined, quiet: undefined },
});

describe("readings in any order, any number of times", () => {
  it("readings in any order, any number of times end in the same live state, working time and distance as readings in order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(reading, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 10 }),
        fc.infiniteStream(fc.nat()),
        async (readings, every, randoms) => {
          const sorted = readings.toSorted(
            (a, b) => a.fixTimeMs - b.fixTimeMs || a.seq - b.seq || a.payloadHash - b.payloadHash,
          );
          const shuffled = [...readings, ...readings.slice(0, readings.length / 2)]
            .map((one) => ({ one, at: randoms.next().value }))
            .sort((a, b) => a.at - b.at)
            .map(({ one }) => one);
          expect(outcome(await run(shuffled, every))).toEqual(outcome(await run(sorted, 1)));
        },
      ),
      { numRuns: countOf({ all: 300, some: 75 }) },
    );
  });

  it("readings in any order, any number of times survive being stored and loaded between any two of them", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(reading, { minLength: 1, maxLength: 30 }), async (readings) => {
        const track = await run(readings, 3);
        expect(unpackTrack(ASSET, packTrack(track))).toEqual({
          ...track,
          changedDays: new Set(),
          // Accelerators, kept in memory only.
          snapshots: [],
          rerunAtMs: Number.NEGATIVE_INFINITY,
          fences: withoutCaches(track).fences,
          days: track.days.map((day) => ({ ...day, atStart: withoutCaches(day.atStart) })),
          visits: { list: [], completeFrom: 0 },
        });
      }),
    );
  });
});

describe("late fixes", () => {
  const engineOn = (minute: number): Reading => ({
    fixTimeMs: T0 + minute * 60_000,
    timeSource: "device",
    rawTimeMs: undefined,
    seq: -1,
    payloadHash: minute,
    fields: { engine_on: 1 },
    faults: undefined,
  });

  it("late fixes older than 72 h change history only", async () => {
    const timeline = openTimelineRun(calendar);
    expect(await timeline.take(engineOn(73 * 60))).toBe("folded");
    expect(await timeline.take(engineOn(59))).toBe("too_late");
    expect(await timeline.take(engineOn(60))).toBe("late");
  });

  it("a reading delivered twice in a row asks for no re-run", async () => {
    const timeline = openTimelineRun(calendar);
    await timeline.take(engineOn(5));
    expect(await timeline.take(engineOn(5))).toBe("repeated");
    expect(timeline.track.lateFromMs).toBe(Number.POSITIVE_INFINITY);
  });

  it("late fixes fill a two-hour outage sent newest first: all of it is credited", async () => {
    const live = [engineOn(0), engineOn(1), engineOn(121), engineOn(122)];
    const backlog = Array.from({ length: 119 }, (_, i) => engineOn(120 - i));
    const track = await run([...live, ...backlog], 40);
    // 04:00Z is 06:00 in Berlin: one hour before the shift, then the shift.
    expect(track.days.map(({ workingMs, overtimeMs }) => [workingMs, overtimeMs])).toEqual([
      [62 * 60_000, HOUR],
    ]);
  });

  it("late fixes just before and after midnight count once, however often the day is folded again", async () => {
    // 22:00Z, minute 1,080, is midnight in Berlin.
    const live = [engineOn(1_079), engineOn(1_081), engineOn(1_086)];
    const backlog = [1_085, 1_084, 1_083, 1_082, 1_080].map(engineOn);
    const track = await run([...live, ...backlog], 1);
    expect(
      track.days.map(({ day, overtimeMs, engineOnMs }) => [day, overtimeMs, engineOnMs]),
    ).toEqual([
      ["2026-06-01", 60_000, 60_000],
      ["2026-06-02", 6 * 60_000, 6 * 60_000],
    ]);
  });

  it("late fixes just after midnight bridge a gap of more than 5 min to the day before", async () => {
    const track = await run([engineOn(1_078), engineOn(1_084), engineOn(1_081)], 1);
    expect(track.days.map(({ overtimeMs }) => overtimeMs)).toEqual([2 * 60_000, 4 * 60_000]);
  });

  it("late fixes are never seen half folded: a stored copy of a track is one of before or after", async () => {
    const timeline = openTimelineRun(calendar);
    const { track } = timeline;
    const seconds = [...Array.from({ length: 25_000 }, (_, i) => i + 1), 0];
    for (const second of seconds) {
      await timeline.take({ ...engineOn(0), fixTimeMs: T0 + second * 1_000 });
    }
    const before = packTrack(track);
    const seen = new Set<string>();
    let isOver = false;
    const rerun = timeline.rerun().then(() => {
      isOver = true;
    });
    while (!isOver) {
      seen.add(packTrack(track));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await rerun;
    seen.delete(packTrack(track));
    expect([...seen]).toEqual([before]);
  });

  it("late fixes keep engine time of days that are closed", async () => {
    const days = Array.from({ length: 6 }, (_, day) => [
      engineOn(day * 1440 + 300),
      engineOn(day * 1440 + 301),
    ]).flat();
    const track = await run(days, 1);
    expect(track.days).toHaveLength(4);
    expect(track.engineOnBeforeMs).toBe(2 * 60_000);
    expect(track.hasClosedDays).toBe(true);
  });
});
