import { expect, it } from "vitest";
import { createProgressLine } from "../../simulators/command-line/progress-line.ts";
import {
  createRateMeter,
  type FleetProgress,
  formatProgress,
} from "../../simulators/fleet/progress.ts";

const progress: FleetProgress = {
  startMs: Date.UTC(2026, 0, 1),
  simulatedMs: Date.UTC(2026, 0, 1, 0, 15),
  endMs: Date.UTC(2026, 0, 1, 1),
  assets: 20,
  connected: 19,
  made: 1_000,
  sent: 990,
  acknowledged: 980,
  inFlight: 10,
  queued: 0,
  ratePerS: 19.6,
  problem: undefined,
};

it("the progress of a run is one line", () => {
  expect(formatProgress(progress)).toBe(
    "2026-01-01T00:15:00Z (25 %)  19/20 connected  990 sent  980 acknowledged  10 in flight  20/s",
  );
  const endless = { ...progress, endMs: Number.POSITIVE_INFINITY, queued: 7, problem: "refused" };
  expect(formatProgress(endless)).toBe(
    "2026-01-01T00:15:00Z  19/20 connected  990 sent  980 acknowledged  10 in flight  7 queued  20/s  refused",
  );
});

it("progress is a line every 5 s without a terminal, and the last state at the end", () => {
  let nowMs = 0;
  const written: string[] = [];
  const line = createProgressLine(
    { write: (text: string) => written.push(text) },
    formatProgress,
    () => nowMs,
  );
  for (nowMs = 0; nowMs <= 11_000; nowMs += 250) line.show({ ...progress, sent: nowMs });
  line.end();
  expect(written.map((text) => /(\d+) sent/.exec(text)?.[1])).toEqual([
    "0",
    "5000",
    "10000",
    "11000",
  ]);
});

it("the progress line keeps one line up to date on a terminal, never longer than it is wide", () => {
  const written: string[] = [];
  const line = createProgressLine(
    { isTTY: true, columns: 40, write: (text: string) => written.push(text) },
    formatProgress,
  );
  line.show(progress);
  line.show(progress);
  line.end();
  expect(written.map((text) => text.slice(0, 5))).toEqual(["\r\x1b[2K", "\r\x1b[2K", "\n"]);
  expect(written[0]?.length).toBe(5 + 39);
});

it("the progress line measures the rate of the last 5 s, not of the whole run", () => {
  const rate = createRateMeter();
  expect(rate(0, 0)).toBe(0);
  for (let ms = 250; ms <= 20_000; ms += 250) rate(ms * 2, ms);
  expect(rate(40_000, 30_000)).toBeLessThan(1_000);
  expect(rate(40_000, 35_001)).toBe(0);
});
