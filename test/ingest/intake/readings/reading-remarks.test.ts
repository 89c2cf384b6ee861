import { describe, expect, it } from "vitest";
import { ReportedRemarks } from "../../../../ingest/intake/readings/reading-remarks.ts";

const HOUR = 3_600_000;
const remark = (name: string) =>
  ({ kind: "near_miss", name, value: "speed_kmh", problem: "?" }) as const;

describe("the remarks of an asset that are reported", () => {
  it("the remarks of an asset that are reported are 256 different ones in 24 h, and others on the next day", () => {
    const reported = new ReportedRemarks();
    const report = (name: string, atMs: number) => reported.report(remark(name), atMs);
    for (let i = 0; i < 256; i += 1) expect(report(`made_up_${i}`, i)).toBe(true);
    expect(report("speedKmh", HOUR)).toBe(false);
    expect(report("made_up_0", HOUR)).toBe(false);

    expect(report("made_up_0", 24 * HOUR)).toBe(true);
    expect(report("speedKmh", 24 * HOUR + 1)).toBe(true);
    expect(report("speedKmh", 25 * HOUR)).toBe(false);
    expect(report("made_up_0", 25 * HOUR)).toBe(false);
  });
});
