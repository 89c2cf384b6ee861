import { expect, it } from "vitest";
import { backOffMs } from "../../../ingest/pacing/back-off.ts";

const BACK_OFF = { firstMs: 200, longestMs: 8_000 };

it("the back-off doubles up to the longest wait, anywhere in its upper half", () => {
  expect([1, 2, 3, 6, 20, 5_000].map((n) => backOffMs(n, BACK_OFF, () => 1))).toEqual([
    200, 400, 800, 6_400, 8_000, 8_000,
  ]);
  expect([1, 2, 20].map((n) => backOffMs(n, BACK_OFF, () => 0))).toEqual([100, 200, 4_000]);
});
