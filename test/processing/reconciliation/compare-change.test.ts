import { describe, expect, it } from "vitest";
import type { JobId, MeasurementId } from "../../../domain/ids.ts";
import {
  compareChange,
  impliedDensity,
} from "../../../processing/reconciliation/compare-change.ts";
import { measuredChange } from "../../../processing/reconciliation/measured-change.ts";
import { createRandom } from "../../../simulators/randomness/random.ts";
import { sampleMeasurement, sampleStockpile } from "../../support/sample-stockpile.ts";

describe("compareChange", () => {
  it("compareChange compares by the density, whose own error counts with those of change and loads", () => {
    const compared = compareChange(
      { m3: 100, sigmaM3: 4 },
      { t: 160, sigmaT: 3 },
      { tPerM3: 1.8, share: 0.05 },
    );
    expect(compared.measured.t).toBeCloseTo(180, 9);
    expect(compared.measured.sigmaT).toBeCloseTo(Math.hypot(7.2, 9), 9);
    expect(compared.counted.m3).toBeCloseTo(160 / 1.8, 9);
    expect(compared.counted.sigmaM3).toBeCloseTo(Math.hypot(3, 8) / 1.8, 9);
    // 20 t beside 1.96 x hypot(7.2, 3, 9) = 23.3 t.
    expect(compared.difference.t).toBeCloseTo(20, 9);
    expect(compared.difference.sigmaT).toBeCloseTo(Math.hypot(7.2, 3, 9), 9);
    expect(compared.difference.m3).toBeCloseTo(20 / 1.8, 9);
    expect(compared.isSignificant).toBe(false);
  });

  it("compareChange finds an unweighed load of 30 t significant beside 5 t of uncertainty", () => {
    const change = { m3: 100, sigmaM3: 1 };
    const density = { tPerM3: 1.8, share: 0.01 };
    const agreed = compareChange(change, { t: 180, sigmaT: 1 }, density);
    const missed = compareChange(change, { t: 150, sigmaT: 1 }, density);
    expect([agreed.isSignificant, missed.isSignificant]).toEqual([false, true]);
    expect(missed.difference.t).toBeCloseTo(30, 9);
  });

  it("compareChange compares what was taken as well", () => {
    const { difference } = compareChange(
      { m3: -50, sigmaM3: 1 },
      { t: -80, sigmaT: 2 },
      { tPerM3: 2, share: 0 },
    );
    expect(difference).toMatchObject({ t: -20, m3: -10 });
  });
});

describe("impliedDensity", () => {
  it("impliedDensity is the ratio, with an interval that is longer upwards when the change is less sure", () => {
    const density = impliedDensity({ m3: 100, sigmaM3: 10 }, { t: 180, sigmaT: 0 });
    // Loads without error: 180 over 100 +- 19.6.
    expect(density?.value).toBeCloseTo(1.8, 9);
    expect(density?.low).toBeCloseTo(180 / 119.6, 9);
    expect(density?.high).toBeCloseTo(180 / 80.4, 9);
  });

  it("impliedDensity is the same for as much taken as brought", () => {
    const brought = impliedDensity({ m3: 100, sigmaM3: 5 }, { t: 180, sigmaT: 4 });
    expect(impliedDensity({ m3: -100, sigmaM3: 5 }, { t: -180, sigmaT: 4 })).toEqual(brought);
  });

  it("impliedDensity is undefined for a change within its uncertainty", () => {
    expect(impliedDensity({ m3: 19, sigmaM3: 10 }, { t: 30, sigmaT: 1 })).toBeUndefined();
    expect(impliedDensity({ m3: 20, sigmaM3: 10 }, { t: 30, sigmaT: 1 })).toBeDefined();
  });

  it("impliedDensity holds the true density in 93 to 97 of 100 draws, also where the change is only 4 sigmas", () => {
    const random = createRandom("fieller");
    let inside = 0;
    for (let i = 0; i < 1_000; i += 1) {
      const interval = impliedDensity(
        { m3: 100 + 25 * random.gaussian(), sigmaM3: 25 },
        { t: 180 + 6 * random.gaussian(), sigmaT: 6 },
      );
      // Without an interval every density is held to be possible.
      if (interval === undefined || (interval.low <= 1.8 && interval.high >= 1.8)) inside += 1;
    }
    expect(inside).toBeGreaterThan(930);
    expect(inside).toBeLessThan(970);
  });
});

describe("measuredChange", () => {
  const pile = sampleStockpile();
  const first = sampleMeasurement(pile, "job_1" as JobId, {
    current_volume_m3: 1_000,
    sigma_m3: 3,
  });

  it("measuredChange is what the later measurement says against the one before", () => {
    const later = sampleMeasurement(pile, "job_2" as JobId, {
      previous_measurement_id: first.id,
      change_m3: 234.567,
      change_95_m3: 9.8,
    });
    const change = measuredChange(first, later);
    expect(change).toMatchObject({ m3: 234.567, basis: "later_measurement" });
    expect(change.sigmaM3).toBeCloseTo(5, 9);
  });

  it("measuredChange is the difference of the volumes where others lie between them", () => {
    const later = sampleMeasurement(pile, "job_3" as JobId, {
      previous_measurement_id: "msr_between" as MeasurementId,
      current_volume_m3: 1_250,
      sigma_m3: 4,
      change_95_m3: 1,
    });
    expect(measuredChange(first, later)).toEqual({ m3: 250, sigmaM3: 5, basis: "two_volumes" });
  });
});
