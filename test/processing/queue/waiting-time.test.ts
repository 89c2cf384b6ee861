import { expect, it } from "vitest";
import { waitingTimeS, workTimeS } from "../../../processing/queue/waiting-time.ts";

const load = { queued: 1, running: 0 };

it("the waiting time of a job is the work left at its kind's speed, over the jobs at once", () => {
  const kinds = [
    { ...load, kind: "survey", unitsLeft: 40, secondsPerUnit: 1.5 },
    { ...load, kind: "progress", unitsLeft: 10, secondsPerUnit: 3 },
  ];
  // 40 x 1.5 s + 10 x 3 s = 90 s, by two.
  expect(waitingTimeS(kinds, 2)).toBe(45);
});

it("the waiting time of a job assumes 2 s per unit before the first job of a kind is done", () => {
  expect(waitingTimeS([{ ...load, kind: "new", unitsLeft: 6, secondsPerUnit: undefined }], 1)).toBe(
    12,
  );
});

it("the waiting time of a job is nothing without work", () => {
  expect(waitingTimeS([], 2)).toBe(0);
});

it("the waiting time of a job is longer by the work itself, at its kind's speed or 2 s per unit", () => {
  const kinds = [{ ...load, kind: "survey", unitsLeft: 40, secondsPerUnit: 1.5 }];
  expect([workTimeS(kinds, "survey", 8), workTimeS(kinds, "capture", 8)]).toEqual([12, 16]);
});
