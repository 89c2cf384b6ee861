import { expect, it } from "vitest";
import { hasSameBytes } from "../support/equal-bytes.ts";

it("the same bytes in arrays of one kind are equal, whatever they are parts of", () => {
  const numbers = Float32Array.of(1, Number.NaN, -0);
  expect(hasSameBytes(numbers, numbers.slice())).toBe(true);
  expect(hasSameBytes(Float64Array.of(0, 5).subarray(1), Float64Array.of(5))).toBe(true);
});

it.each([
  ["other bytes", Uint8Array.of(1, 2), Uint8Array.of(1, 3)],
  ["other lengths", Uint8Array.of(1), Uint8Array.of(1, 2)],
  ["other kinds", Uint8Array.of(1, 2), Buffer.of(1, 2)],
  ["zeros of other signs", Float32Array.of(0), Float32Array.of(-0)],
  ["what is not an array of numbers", [1], [1]],
])("%s are left to be compared value by value", (_what, a, b) => {
  expect(hasSameBytes(a, b)).toBeUndefined();
});

it("expect tells arrays apart as it does without the tester", () => {
  expect(Uint8Array.of(1, 2)).toEqual(Uint8Array.of(1, 2));
  expect(Uint8Array.of(1, 2)).not.toEqual(Uint8Array.of(1, 3));
  expect(Float32Array.of(0)).not.toEqual(Float32Array.of(-0));
  expect({ bytes: Uint8Array.of(1) }).not.toStrictEqual({ bytes: Buffer.of(1) });
});
