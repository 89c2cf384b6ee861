import { expect, it } from "vitest";
import { measuredAtMs } from "../../../processing/epoch/capture-time.ts";

const images = (...times: readonly (number | undefined)[]) =>
  times.map((capturedAtMs) => ({ capturedAtMs }));

it("the capture time is the newest time of capture", () => {
  expect(measuredAtMs(images(1_000, undefined, 3_000, 2_000), 9_000)).toBe(3_000);
});

it("the capture time is that of the request where no image has one", () => {
  expect(measuredAtMs(images(undefined, undefined), 9_000)).toBe(9_000);
  expect(measuredAtMs([], 9_000)).toBe(9_000);
});

it("the capture time is never later than the request, whatever a camera's clock says", () => {
  expect(measuredAtMs(images(9_001), 9_000)).toBe(9_000);
});

it("what a person says of the time of a flight counts before its images, and is never later than the request", () => {
  expect(measuredAtMs(images(3_000), 9_000, 2_000)).toBe(2_000);
  expect(measuredAtMs([], 9_000, 2_000)).toBe(2_000);
  expect(measuredAtMs(images(3_000), 9_000, 9_001)).toBe(9_000);
});
