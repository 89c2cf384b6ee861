import { describe, expect, it } from "vitest";
import type { ZoneEstimate } from "../../../../domain/sites/capture.ts";
import type { ProgressReport } from "../../../../domain/sites/progress-report.ts";
import { storedEstimate, storedReport } from "../../../../storage/records/sql/stored-intervals.ts";
import { estimate, report } from "../../../contracts/records/progress-rows.ts";

/** A record as older versions wrote it: an interval of 90 % under its old name. */
const older = <T extends object>(
  { interval_95: _, ...rest }: T & { readonly interval_95: unknown },
  interval_90: readonly [number, number] | null | undefined,
) => ({ ...rest, interval_90 }) as unknown;

describe("records of versions with intervals of 90 %", () => {
  it("the conversion of 90 % intervals widens the interval of an estimate: 10 points become 10 x 1.96 / 1.645", () => {
    const stored = older(estimate("z1", { raw_progress: 50 }), [40, 60]) as ZoneEstimate;
    const { interval_95: [low = 0, high = 0] = [] } = storedEstimate(stored);
    expect(low).toBeCloseTo(50 - 11.915, 3);
    expect(high).toBeCloseTo(50 + 11.915, 3);
    expect(storedEstimate(stored)).not.toHaveProperty("interval_90");
    const open = older(estimate("z1", { raw_progress: 50 }), undefined) as ZoneEstimate;
    expect(storedEstimate(open).interval_95).toBeUndefined();
  });

  it("the conversion of 90 % intervals keeps the figures of a report, which covered all zones", () => {
    const { seen_share, seen_interval_95, ...before } = report("r1", {
      progress_percentage: 98,
    });
    const { planned_all, ...comparison } = before.comparison;
    const stored = older({ ...before, comparison }, [94, 99]) as ProgressReport;
    const { interval_95, ...read } = storedReport(stored);
    const [low = 0, high = 0] = interval_95 ?? [];
    expect(low).toBeCloseTo(98 - 4 * 1.1915, 3);
    expect(high).toBeCloseTo(98 + 1.1915, 3);
    expect(read).toMatchObject({
      progress_percentage: 98,
      seen_share: 1,
      comparison: { planned: 50, planned_all: 50 },
    });
    expect(storedReport(older({ ...before, comparison }, null) as ProgressReport)).toMatchObject({
      interval_95: null,
      seen_interval_95: null,
    });
  });

  it("leaves records of today as they are", () => {
    expect(storedEstimate(estimate("z1"))).toEqual(estimate("z1"));
    expect(storedReport(report("r1"))).toEqual(report("r1"));
  });
});
