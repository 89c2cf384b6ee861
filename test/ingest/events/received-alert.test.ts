import { describe, expect, it } from "vitest";
import { receivedAlert } from "../../../ingest/events/received-alert.ts";
import { alert } from "../../contracts/records/rows.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const AHEAD_MS = NOW_MS + 240_000;

describe("an alert of a device whose clock is 4 min ahead", () => {
  const sent = alert("l1", { openedAtMs: AHEAD_MS, resolvedAtMs: undefined });

  it("an alert of a device whose clock is 4 min ahead opens when its message was received, with the device's time beside it", () => {
    expect(receivedAlert(sent, NOW_MS, undefined)).toEqual({
      ...sent,
      openedAtMs: NOW_MS,
      deviceTimeMs: AHEAD_MS,
    });
  });

  it("an alert of a device whose clock is 4 min ahead stays opened then when it is resolved 10 min later, within the same commit", () => {
    const before = receivedAlert(sent, NOW_MS, undefined);
    const resolvedAtMs = AHEAD_MS + 600_000;
    const again = receivedAlert({ ...sent, resolvedAtMs }, NOW_MS + 600_000, before);
    expect(again).toMatchObject({
      openedAtMs: NOW_MS,
      deviceTimeMs: AHEAD_MS,
      resolvedAtMs: NOW_MS + 600_000,
    });
  });

  it("an alert of a device whose clock is 4 min ahead is never resolved before it is opened", () => {
    const taken = receivedAlert({ ...sent, resolvedAtMs: AHEAD_MS }, NOW_MS, undefined);
    expect([taken.openedAtMs, taken.resolvedAtMs]).toEqual([NOW_MS, NOW_MS]);
  });
});

it("an alert of a right clock stays as it is", () => {
  const sent = alert("l1", { openedAtMs: NOW_MS - 1, resolvedAtMs: NOW_MS });
  expect(receivedAlert(sent, NOW_MS, undefined)).toBe(sent);
});
