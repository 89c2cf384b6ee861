import { describe, expect, it } from "vitest";
import type { Reading } from "../../../domain/equipment/reading.ts";
import { viewOf } from "../../../ingest/asset-state/track-view.ts";
import { applyLiveState } from "../../../ingest/stages/live-state.ts";
import { newAssetTrack } from "../../../ingest/track/asset-track.ts";
import { sampleOf } from "../../../ingest/track/timeline-sample.ts";
import { packTrack, unpackTrack } from "../../../ingest/track/track-codec.ts";
import { advanceWork } from "../../../ingest/track/work.ts";
import { ASSET, PROJECT } from "../../support/timeline-run.ts";

const T0 = Date.UTC(2026, 2, 5, 12);
const NOWHERE = { working() {}, engineOn() {}, travelled() {} };

/** What is shown after fixes of a machine that drives east, a second apart. */
function shownAfter(...fields: readonly Readonly<Record<string, number>>[]) {
  const track = newAssetTrack(ASSET, PROJECT);
  for (const [i, more] of fields.entries()) {
    const fixTimeMs = T0 + i * 1_000;
    const reading: Reading = {
      ...{ fixTimeMs, timeSource: "device", rawTimeMs: undefined, seq: -1, payloadHash: 0 },
      fields: { latitude: 0.001, longitude: 0.0003 * i, accuracy_meters: 5, ...more },
      faults: undefined,
    };
    const batch = { assetId: ASSET, projectId: PROJECT, receivedAtMs: fixTimeMs };
    applyLiveState(track, reading, { ...batch, readings: [reading] });
    advanceWork(track.work, sampleOf(reading), NOWHERE);
  }
  const { fix } = viewOf(unpackTrack(ASSET, packTrack(track)) ?? track);
  return [fix?.speedKmh, fix?.speedSource, fix?.heading, fix?.headingSource];
}

describe("where the speed and heading of a fix are from", () => {
  it("is the device, where it reported them with the fix", () => {
    expect(shownAfter({ speed_kmh: 0, heading: 12 })).toEqual([0, "reported", 12, "reported"]);
  });

  it("where the speed and heading of a fix are from is nothing on a first fix without them, which is shown as 0", () => {
    expect(shownAfter({})).toEqual([0, "none", 0, "none"]);
  });

  it("speed and heading come from the path between the fixes once they are far enough apart, one by one", () => {
    const [speed, source, heading, headingSource] = shownAfter({}, {});
    expect([source, headingSource]).toEqual(["derived", "derived"]);
    expect(speed).toBeCloseTo(120, 0);
    expect(heading).toBeCloseTo(90, 0);
    expect(shownAfter({}, { speed_kmh: 3 })).toMatchObject({ 0: 3, 1: "reported", 3: "derived" });
  });
});
