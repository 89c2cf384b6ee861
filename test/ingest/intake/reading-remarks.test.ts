import { describe, expect, it } from "vitest";
import type { DecodedReading, ReadingRemark } from "../../../domain/reading.ts";
import { createCounters, INTAKE_COUNTERS } from "../../../ingest/intake/counters.ts";
import { messageRemarks, ReportedRemarks } from "../../../ingest/intake/reading-remarks.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const suspect = (name: string): ReadingRemark => ({
  kind: "suspect_value",
  name,
  value: 1,
  problem: "outside 0 to 0",
});
const reading = (...remarks: readonly ReadingRemark[]): DecodedReading => ({
  deviceTimeMs: NOW,
  seq: undefined,
  fields: {},
  faults: undefined,
  remarks,
});

describe("remarks on the readings of a message", () => {
  it("are counted each, and shown once where several readings have the same", () => {
    const counters = createCounters(INTAKE_COUNTERS);
    const readings = [reading(suspect("a"), suspect("b")), reading(suspect("a"))];

    const { lines, notices } = messageRemarks(readings, new ReportedRemarks(), NOW, counters);

    expect(counters.suspect_values).toBe(3);
    expect(lines).toEqual(["a: outside 0 to 0", "b: outside 0 to 0"]);
    expect(notices.map(({ data }) => data["name"])).toEqual(["a", "b"]);
  });

  it("are at most 16 of one message, and events of at most 256 names of one asset", () => {
    const counters = createCounters(INTAKE_COUNTERS);
    const reported = new ReportedRemarks();
    let events = 0;
    for (let i = 0; i < 30; i += 1) {
      const names = Array.from({ length: 20 }, (_, j) => suspect(`n${i}_${j}`));
      const { lines, notices } = messageRemarks([reading(...names)], reported, NOW, counters);
      expect(lines).toHaveLength(16);
      events += notices.length;
    }
    expect(events).toBe(256);
    expect(counters.suspect_values).toBe(600);
  });
});
