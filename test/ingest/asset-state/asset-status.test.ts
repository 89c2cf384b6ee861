import { describe, expect, it } from "vitest";
import type { AssetState } from "../../../ingest/asset-state/asset-state.ts";
import { assetStatus, utilizationToday } from "../../../ingest/asset-state/asset-status.ts";
import { viewOf } from "../../../ingest/asset-state/track-view.ts";
import { newAssetTrack } from "../../../ingest/track/asset-track.ts";
import { assetEntry } from "../../support/fixed-directory.ts";
import { ASSET, PROJECT } from "../../support/timeline-run.ts";

const { asset, project } = assetEntry(ASSET);
const NOON_MS = Date.parse("2026-06-02T12:00:00Z");
const HOUR_S = 3_600;
const MINUTE_MS = 60_000;

const stateOf = (change: Partial<AssetState>): AssetState => ({
  ...viewOf(newAssetTrack(ASSET, PROJECT)),
  lastWorkedAtMs: NOON_MS,
  reportedToMs: NOON_MS,
  ...change,
});
const minutesLater = (state: AssetState, minutes: number, timeoutS?: number) =>
  assetStatus(
    timeoutS === undefined ? asset : { ...asset, liveness_timeout_s: timeoutS },
    state,
    NOON_MS + minutes * MINUTE_MS,
  );

describe("the status of an asset", () => {
  it("the status of an asset is active for 5 min after it worked, where it reports every few seconds", () => {
    const state = stateOf({ reportGapsS: [10, 10, 10] });
    expect([minutesLater(state, 5), minutesLater(state, 6)]).toEqual(["active", "idle"]);
  });

  it("the status of an asset of an hourly reporter is active until its next report is overdue", () => {
    const state = stateOf({ reportGapsS: [HOUR_S, HOUR_S + 40, HOUR_S] });
    expect([minutesLater(state, 59), minutesLater(state, 89)]).toEqual(["active", "active"]);
    expect(minutesLater(state, 91)).toBe("idle");
  });

  it("the status of an asset of an hourly reporter is idle as soon as a report says so", () => {
    const state = stateOf({
      reportGapsS: [HOUR_S, HOUR_S],
      reportedToMs: NOON_MS + 60 * MINUTE_MS,
    });
    expect(minutesLater(state, 61)).toBe("idle");
  });

  it("the status of an asset follows an interval that was set instead of the learned one", () => {
    const state = stateOf({ reportGapsS: [10, 10, 10] });
    expect(minutesLater(state, 40, 3 * HOUR_S)).toBe("active");
  });
});

describe("utilization today", () => {
  it("utilization today of an asset that reported nothing today is 0 by no basis, and may be anything up to 100", () => {
    expect(utilizationToday(project, undefined, NOON_MS)).toEqual({
      ...{ percent: 0, lower: 0, upper: 100, basis: "none", seen: 0 },
    });
  });
});
