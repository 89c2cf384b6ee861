import { expect, it } from "vitest";
import { readRetryAfter } from "../../outbound/retry-after.ts";

const NOON_MS = Date.UTC(2026, 2, 5, 12);
const HOUR_MS = 3_600_000;

it.each([
  ["120", 120_000],
  ["0", undefined],
  ["86400", HOUR_MS],
  ["Thu, 05 Mar 2026 12:00:30 GMT", 30_000],
  ["Thu, 05 Mar 2026 11:00:00 GMT", undefined],
  ["soon", undefined],
  ["-5", undefined],
  ["", undefined],
  [undefined, undefined],
])("the header Retry-After %j is read as %s ms", (header, expected) => {
  expect(readRetryAfter(header, NOON_MS)).toBe(expected);
});
