import { describe, expect, it } from "vitest";
import type { AssetId, VisitId } from "../../../domain/ids.ts";
import type { PayloadLevel } from "../../../processing/reconciliation/payload-level.ts";
import {
  type Load,
  payloadWindows,
  weighStay,
} from "../../../processing/reconciliation/weigh-stay.ts";
import { DEFAULT_WEIGHING_ERRORS } from "../../../processing/reconciliation/weighing-errors.ts";

const stay: Load["stay"] = {
  assetId: "t1" as AssetId,
  visitIds: ["v1" as VisitId],
  enteredMs: 1_000_000,
  exitedMs: 1_200_000,
  entryCause: "crossing",
  exitCause: "crossing",
  inferred: false,
  freeFromMs: Number.NEGATIVE_INFINITY,
  freeToMs: Number.POSITIVE_INFINITY,
};

const level = (kg: number, change: Partial<PayloadLevel> = {}): PayloadLevel => ({
  kg,
  readings: 12,
  distanceMs: 1_000,
  spreadKg: 0,
  isSteady: true,
  ...change,
});

const weigh = (before: PayloadLevel | undefined, after: PayloadLevel | undefined, change = {}) =>
  weighStay({ ...stay, ...change }, before, after, DEFAULT_WEIGHING_ERRORS);

describe("weighStay", () => {
  it.each([
    // 3 % of each level, by squares; a load from 500 kg and 3 standard deviations on.
    ["brought", 30_000, 0, 30_000, 900],
    ["taken", 0, 20_000, -20_000, 600],
    ["taken", 30_000, 40_000, -10_000, 1_500],
    ["none", 0, 0, 0, 0],
    ["none", 499, 0, 0, 0],
    ["brought", 500, 0, 500, 15],
    // 0.03 x hypot(30, 27) = 1.211 t: 3.6 t are needed.
    ["none", 30_000, 27_000, 0, 0],
  ])("weighStay finds %s of a truck with %f kg before and %f kg after", (kind, before, after, moved, sigma) => {
    const load = weigh(level(before), level(after));
    expect(load).toMatchObject({ kind, confidence: "good", remarks: [] });
    expect(load.movedKg).toBe(moved);
    expect(load.sigmaKg).toBeCloseTo(sigma, 9);
  });

  it("weighStay does not know what a stay moved that was weighed on one side only", () => {
    const load = weigh(level(30_000), undefined);
    expect(load).toMatchObject({
      kind: "unknown",
      movedKg: Number.NaN,
      confidence: "none",
      remarks: ["no payload_kg within 10 min after exit"],
    });
    expect(load.before?.kg).toBe(30_000);
  });

  it("weighStay adds the scatter of a payload that was changing, and has low confidence in it", () => {
    const load = weigh(level(30_000, { isSteady: false, spreadKg: 1_200 }), level(0));
    expect(load).toMatchObject({
      kind: "brought",
      confidence: "low",
      remarks: ["payload_kg was changing before entry"],
    });
    // hypot(900, 1200).
    expect(load.sigmaKg).toBeCloseTo(1_500, 9);
  });

  it("weighStay adds what the scatter of the readings leaves in their median", () => {
    const { sigmaKg } = weigh(level(30_000, { spreadKg: 1_500, readings: 9 }), level(0));
    // 1.2533 x 1500 / 3 beside 3 % of 30 t.
    expect(sigmaKg).toBeCloseTo(Math.hypot(900, 626.657), 2);
  });

  it("weighStay has low confidence in a far reading, in an inferred stay, and in an end without a crossing", () => {
    const far = weigh(level(30_000), level(0, { distanceMs: 240_000, readings: 1 }));
    const inferred = weigh(level(30_000), level(0), { inferred: true });
    const first = weigh(level(30_000), level(0), { entryCause: "first_fix" });
    expect([far, inferred, first].map(({ kind, confidence }) => [kind, confidence])).toEqual([
      ["brought", "low"],
      ["brought", "low"],
      ["brought", "low"],
    ]);
    expect(far.remarks).toEqual(["nearest payload_kg 240 s after exit"]);
    expect(first.remarks).toEqual(["entry by first_fix, not across the fence"]);
  });
});

describe("payloadWindows", () => {
  it("payloadWindows reach 10 minutes outside of the fence, and not beyond the neighbouring stays", () => {
    expect(payloadWindows(stay)).toEqual({
      before: { fromMs: 400_000, toMs: 1_000_000, atMs: 1_000_000 },
      after: { fromMs: 1_200_000, toMs: 1_800_000, atMs: 1_200_000 },
    });
    const { before, after } = payloadWindows({ ...stay, freeFromMs: 900_000, freeToMs: 1_300_000 });
    expect([before.fromMs, after.toMs]).toEqual([900_000, 1_300_000]);
  });

  it("payloadWindows lie inside where something else than a crossing began or ended the stay", () => {
    const causes = { entryCause: "first_fix", exitCause: "asset_deleted" };
    expect(payloadWindows({ ...stay, ...causes })).toEqual({
      before: { fromMs: 1_000_000, toMs: 1_200_000, atMs: 1_000_000 },
      after: { fromMs: 1_000_000, toMs: 1_200_000, atMs: 1_200_000 },
    });
  });
});
