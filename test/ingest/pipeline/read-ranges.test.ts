import { describe, expect, it } from "vitest";
import { readRanges } from "../../../ingest/pipeline/read-ranges.ts";

const DAY = 86_400_000;
const NOW = 1_780_000_000_000;

describe("what a re-run reads back at a time", () => {
  it.each([
    ["an hour", NOW - DAY / 24, 1],
    ["4 days", NOW - 4 * DAY, 1],
    ["4 days and 1 ms", NOW - 4 * DAY - 1, 2],
    ["90 days", NOW - 90 * DAY, 23],
    ["all time", 0, 24],
  ])("what a re-run reads back at a time of %s touches without gaps and never is more than 4 days of the last 92", (_name, fromMs, count) => {
    const ranges = readRanges(fromMs, NOW);
    expect(ranges).toHaveLength(count);
    expect(ranges.map((range) => range.fromMs)).toEqual([
      fromMs,
      ...ranges.slice(0, -1).map((range) => range.toMs),
    ]);
    expect(ranges.at(-1)?.toMs).toBe(NOW);
    const recent = ranges.filter((range) => range.fromMs >= NOW - 92 * DAY);
    expect(Math.max(...recent.map((range) => range.toMs - range.fromMs))).toBeLessThanOrEqual(
      4 * DAY,
    );
  });
});
