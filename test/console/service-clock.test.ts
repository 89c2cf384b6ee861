import { describe, expect, it } from "vitest";
import { clockOffset } from "../../console/api/service-clock.ts";

const RECEIVED_MS = Date.UTC(2026, 10, 28, 12, 0, 0);
const header = (aheadMs: number) => new Date(RECEIVED_MS + aheadMs).toUTCString();

describe("the clock of the service", () => {
  it.each([
    ["of a phone that is 5 h behind", 5 * 3_600_000],
    ["of a phone that is a minute ahead", -60_000],
  ])("counts where that %s", (_, ms) => {
    expect(clockOffset(header(ms), RECEIVED_MS)).toBe(ms);
  });

  it.each([0, 29_000, -30_000])("%s ms are a clock that nobody set exactly", (ms) => {
    expect(clockOffset(header(ms), RECEIVED_MS)).toBe(0);
  });

  it.each([null, "", "yesterday"])("the header %j says nothing", (text) => {
    expect(clockOffset(text, RECEIVED_MS)).toBeUndefined();
  });
});
