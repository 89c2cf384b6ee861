import { describe, expect, it } from "vitest";
import {
  livenessTimeoutS,
  reportingIntervalS,
  withGap,
} from "../../../ingest/liveness/reporting-interval.ts";
import { openLivenessRun } from "../../support/liveness-run.ts";

const HOUR_S = 3_600;
const learned = (...gaps: readonly number[]) =>
  gaps.reduce<readonly number[]>((list, gapS) => withGap(list, gapS * 1_000), []);

describe("the reporting interval of an asset", () => {
  it("the reporting interval of an asset is not known before its second message", () => {
    expect(reportingIntervalS({}, [])).toBeUndefined();
    expect(livenessTimeoutS({}, [])).toBe(900);
  });

  it("the reporting interval of an asset is not changed by one outage of a device that reports every 10 s", () => {
    const gapsS = learned(10, 10, 10, 50_000, 10, 10);
    expect([reportingIntervalS({}, gapsS), livenessTimeoutS({}, gapsS)]).toEqual([10, 900]);
  });

  it("the reporting interval of an asset is an hour where a device sends a few messages each hour", () => {
    const gapsS = learned(HOUR_S, 2, 2, HOUR_S, 0.2, 2);
    expect([reportingIntervalS({}, gapsS), livenessTimeoutS({}, gapsS)]).toEqual([
      HOUR_S,
      3 * HOUR_S,
    ]);
  });

  it("the reporting interval of an asset is followed to another one within eight messages", () => {
    const gapsS = learned(...Array(5).fill(HOUR_S), ...Array(8).fill(60));
    expect(gapsS).toHaveLength(8);
    expect(livenessTimeoutS({}, gapsS)).toBe(900);
  });

  it("the reporting interval of an asset is a third of a time-out that was set", () => {
    expect(reportingIntervalS({ liveness_timeout_s: 5_400 }, learned(10, 10))).toBe(1_800);
    expect(livenessTimeoutS({ liveness_timeout_s: 5_400 }, learned(10, 10))).toBe(5_400);
  });
});

describe("a machine that reports once an hour and has no time-out of its own", () => {
  it("a machine that reports once an hour and has no time-out of its own is silent 15 min after its first message, and from the second on after three hours", () => {
    const run = openLivenessRun([{ id: "slow" }]);
    for (let hour = 0; hour < 6; hour += 1) {
      run.passTo(hour * HOUR_S);
      run.message("slow", hour * HOUR_S);
    }
    run.passTo(9 * HOUR_S);
    const silent = run.reported.filter((line) => line.includes("asset.silent"));
    expect(silent).toHaveLength(2);
    expect(silent[1]).toBe(`${8 * HOUR_S} asset.silent slow`);
  });
});
