import { describe, expect, it } from "vitest";
import { isoTime, readAddress, trackPath, trackQuery } from "../../console/pages/track/address.ts";
import { keyStepMs } from "../../console/pages/track/key-step.ts";
import { presetSpan, spanFlaw } from "../../console/time/span.ts";
import { createPlayback } from "../../console/track/playback.ts";
import { engineTime, rowSeconds, samplesOf } from "../../console/track/readings.ts";

const T0 = Date.UTC(2026, 2, 5, 10);
const iso = (s: number) => new Date(T0 + s * 1_000).toISOString();

describe("playback", () => {
  /** Pictures that a test draws by hand. */
  function byHand() {
    let draw: ((nowMs: number) => void) | undefined;
    let nowMs = 0;
    return {
      next: (callback: (nowMs: number) => void) => {
        draw = callback;
        return () => {
          draw = undefined;
        };
      },
      after(ms: number) {
        nowMs += ms;
        const own = draw;
        draw = undefined;
        own?.(nowMs);
      },
      isWaiting: () => draw !== undefined,
    };
  }
  const span = { fromMs: 0, toMs: 60_000 };

  it("goes on by the clock times the rate, and stops at the end", () => {
    const pictures = byHand();
    const playback = createPlayback(span, 10_000, pictures.next);
    playback.rate.value = 60;
    playback.toggle();
    pictures.after(16);
    expect(playback.at.value).toBe(10_000);
    pictures.after(100);
    expect(playback.at.value).toBe(16_000);
    // Somebody scrubs meanwhile: it goes on from there.
    playback.at.value = 50_000;
    pictures.after(500);
    expect([playback.at.value, playback.isPlaying.value]).toEqual([60_000, false]);
    expect(pictures.isWaiting()).toBe(false);
  });

  it("begins again at the start when it is at the end, and pauses at once", () => {
    const pictures = byHand();
    const playback = createPlayback(span, 60_000, pictures.next);
    playback.toggle();
    expect([playback.at.value, playback.isPlaying.value]).toEqual([0, true]);
    playback.toggle();
    expect([playback.isPlaying.value, pictures.isWaiting()]).toEqual([false, false]);
  });

  it("does not jump after a time in which nothing was drawn", () => {
    const pictures = byHand();
    const playback = createPlayback({ fromMs: 0, toMs: 1e9 }, 0, pictures.next);
    playback.rate.value = 1;
    playback.toggle();
    pictures.after(16);
    pictures.after(3_600_000);
    expect(playback.at.value).toBeLessThan(1_000);
  });

  it("is moved by keys in steps that go with the range, by a second with Shift", () => {
    const hour = 3_600_000;
    expect(keyStepMs("ArrowRight", false, hour)).toBe(30_000);
    expect(keyStepMs("ArrowLeft", true, hour)).toBe(-1_000);
    expect(keyStepMs("PageUp", false, 24 * hour)).toBe(3_000_000);
    expect(keyStepMs("Home", false, hour)).toBeUndefined();
  });
});

describe("readings beside a track", () => {
  const row = (s: number, fields: Readonly<Record<string, number>>) =>
    ({ timestamp: iso(s), ...fields }) as Parameters<typeof engineTime>[0][number];

  it("add the time with the engine on up, and say how much of the range they cover", () => {
    const rows = [
      row(0, { engine_on: 1 }),
      row(60, { engine_on: 0.5 }),
      row(120, { load_percent: 5 }),
    ];
    const span = { fromMs: T0, toMs: T0 + 600_000 };
    expect(engineTime(rows, span, 60_000)).toEqual({ onMs: 90_000, seenPercent: 20 });
    expect(engineTime([row(0, { load_percent: 5 })], span, 60_000)).toBeUndefined();
  });

  it("are one answer for a week, with the means in the middle of their rows", () => {
    const week = { fromMs: 0, toMs: 7 * 86_400_000 };
    expect((week.toMs / 1_000 / rowSeconds(week)).valueOf()).toBeLessThan(1_000);
    expect(rowSeconds({ fromMs: 0, toMs: 3_600_000 })).toBe(60);
    expect(samplesOf([row(0, { load_percent: 40 }), row(60, {})], "load_percent", 60_000)).toEqual([
      { ms: T0 + 30_000, value: 40 },
    ]);
  });
});

describe("the address of a track", () => {
  it("has one machine in the path, several in the query, the range and the time", () => {
    const span = { fromMs: T0, toMs: T0 + 3_600_000 };
    const one = { ids: ["digger-1"], span, atMs: T0 + 1_000 };
    expect(trackPath(one.ids)).toBe("/machines/digger-1/track");
    const query = new URLSearchParams(trackQuery(one)).toString();
    expect(readAddress("digger-1", query)).toEqual(one);
    const several = { ids: ["a", "b"], span, atMs: undefined };
    expect(trackPath(several.ids)).toBe("/tracks");
    expect(readAddress(undefined, new URLSearchParams(trackQuery(several)).toString())).toEqual(
      several,
    );
    expect(isoTime(T0)).toBe("2026-03-05T10:00:00Z");
  });

  it("without a range, or with one that is no time, asks for none", () => {
    expect(readAddress("a", "").span).toBeUndefined();
    expect(readAddress("a", "?from=yesterday&to=2026-03-05T10:00:00Z").span).toBeUndefined();
    expect(readAddress(undefined, "?asset_id=a,,a,b").ids).toEqual(["a", "b"]);
  });
});

describe("ranges of time", () => {
  const now = Date.parse("2026-03-05T14:30:00Z");
  const span = (from: string, to: string) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) });

  it("today begins at the last midnight of the zone and yesterday at the one before", () => {
    const midnight = "2026-03-05T00:00:00+05:30";
    expect(presetSpan("today", now, "Asia/Kolkata")).toEqual(span(midnight, "2026-03-05T14:30Z"));
    expect(presetSpan("yesterday", now, "Asia/Kolkata")).toEqual(
      span("2026-03-04T00:00:00+05:30", midnight),
    );
    expect(presetSpan("today", now, "Pacific/Auckland").fromMs).toBe(
      Date.parse("2026-03-06T00:00:00+13:00"),
    );
    expect(presetSpan("hour", now, "UTC")).toEqual({ fromMs: now - 3_600_000, toMs: now });
  });

  it.each([
    ["of 23 hours", "2026-03-30T10:00:00Z", 23],
    ["of 25 hours", "2026-10-26T10:00:00Z", 25],
  ])("yesterday is a day %s where clocks were changed in it", (_, nowText, hours) => {
    const { fromMs, toMs } = presetSpan("yesterday", Date.parse(nowText), "Europe/Berlin");
    expect((toMs - fromMs) / 3_600_000).toBe(hours);
  });

  it("a range that was typed has an order, both ends, and at most 7 days", () => {
    expect(spanFlaw({ fromMs: 0, toMs: Number.NaN })).toBe("incomplete");
    expect(spanFlaw({ fromMs: 5, toMs: 5 })).toBe("order");
    expect(spanFlaw({ fromMs: 0, toMs: 7 * 86_400_000 + 1 })).toBe("long");
    expect(spanFlaw({ fromMs: 0, toMs: 7 * 86_400_000 })).toBeUndefined();
  });
});
