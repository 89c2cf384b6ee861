import { expect, it } from "vitest";
import {
  HOUR_METER,
  ODOMETER,
  readMeter,
  type UsageMeter,
  usageOf,
} from "../../../ingest/maintenance/usage-meter.ts";

const HOUR = 3_600_000;

/** Reads an hour meter at hours of the clock; yields the usage after each reading. */
function usage(
  kind: typeof HOUR_METER,
  ...readings: readonly (readonly [hour: number, shown: number])[]
) {
  let meter: UsageMeter | undefined;
  return readings.map(([hour, shown]) => {
    meter = readMeter(meter, { shown, atMs: hour * HOUR }, kind);
    return usageOf(meter);
  });
}

it("the usage meter shows what the meter shows while it is one meter", () => {
  expect(usage(HOUR_METER, [0, 8_123.4], [10, 8_130], [1_000, 9_000])).toEqual([
    8_123.4, 8_130, 9_000,
  ]);
});

it("the usage meter goes on where a meter was replaced by one that begins at 0", () => {
  expect(usage(HOUR_METER, [0, 5_000], [1, 0], [3, 2])).toEqual([5_000, 5_000, 5_002]);
});

it("the usage meter goes on where a meter ran faster than the clock", () => {
  // A used machine's control unit: 7,000 h on it before it came here.
  expect(usage(HOUR_METER, [0, 120], [1, 7_000], [2, 7_001])).toEqual([120, 120, 121]);
});

it("the usage meter is not led astray by one wrong value", () => {
  expect(usage(HOUR_METER, [0, 5_000], [1, 0], [2, 5_001], [3, 5_002])).toEqual([
    5_000, 5_000, 5_000, 5_001,
  ]);
});

it("the usage meter believes a machine that was out of reach for weeks", () => {
  expect(usage(HOUR_METER, [0, 100], [500, 480])).toEqual([100, 480]);
});

it("the usage meter lets a device report whole hours", () => {
  expect(usage(HOUR_METER, [0, 100], [0.01, 101], [0.02, 100.9])).toEqual([100, 101, 100.9]);
});

it("the usage meter takes the top speed of a machine into account", () => {
  expect(usage(ODOMETER, [0, 100], [1, 250], [2, 900], [3, 950])).toEqual([100, 250, 250, 300]);
});
