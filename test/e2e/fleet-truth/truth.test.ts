import { describe, expect, it } from "vitest";
import { type AssetJson, readAsset } from "./truth.ts";

const frame = {
  toPoint: ({ latitude, longitude }: { latitude: number; longitude: number }) => ({
    eastM: longitude,
    northM: latitude,
  }),
  toLocation: ({ eastM, northM }: { eastM: number; northM: number }) => ({
    latitude: northM,
    longitude: eastM,
  }),
};

const asset = (changes: Partial<AssetJson> = {}): AssetJson => ({
  id: "truck",
  project_id: "site",
  device: { position_sigma_m: 2, accuracy: "right", clock_skew_ms: -500 },
  sampling: { first_ms: 1_000, period_ms: 10 },
  skipped: [],
  acknowledged_seqs: [[0, 4]],
  visits: [{ fence_id: "yard", entered_ms: 1_020 }],
  deeds: [],
  track: [
    [0, 1, 2],
    [5, 3, 4],
  ],
  ...changes,
});

describe("readAsset", () => {
  it("readAsset puts visits and track on the plane and keeps times as ms", () => {
    const read = readAsset(asset(), frame, 1_000);

    expect(read).toMatchObject({ id: "truck", projectId: "site", sigmaM: 2, clockSkewMs: -500 });
    expect(read.visits).toEqual([{ fenceId: "yard", enteredMs: 1_020, exitedMs: undefined }]);
    expect([...read.track.timesMs]).toEqual([1_000, 6_000]);
    expect(read.track.points).toEqual([
      { eastM: 2, northM: 1 },
      { eastM: 4, northM: 3 },
    ]);
  });

  it("readAsset counts skipped samples, and leaves out readings without a position, outliers and lost ones", () => {
    const read = readAsset(
      asset({
        // Two samples were skipped before reading 2; reading 4 was not acknowledged.
        skipped: [[2, 2]],
        acknowledged_seqs: [
          [0, 3],
          [5, 7],
        ],
        deeds: [
          { what: "outlier", seqs: [0, 0] },
          { what: "no_fix", seqs: [5, 6] },
          { what: "no_fix", seqs: [2, 1] },
          { what: "duplicate", seqs: [1, 1] },
        ],
      }),
      frame,
      0,
    );

    expect(read.fixTimesMs).toEqual([1_010, 1_040, 1_050, 1_090]);
    expect(read.firstHeardMs).toBe(1_000);
  });

  it.each([
    ["right", 3.02],
    ["optimistic", 3.02 / 3],
    ["missing", 15],
  ] as const)("readAsset takes an accuracy that is %s for %f m", (accuracy, accuracyM) => {
    const device = { position_sigma_m: 2, accuracy, clock_skew_ms: 0 };
    expect(readAsset(asset({ device }), frame, 0).accuracyM).toBeCloseTo(accuracyM, 10);
  });
});
